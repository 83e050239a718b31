/**
 * Cursors of paged lists: the last sort key, nothing else. The partition is always rebuilt from route, filter and
 * caller, so a forged cursor reaches nothing new.
 */
import { ValidationFailed } from "./errors.ts";
import { formats } from "./formats.ts";

const maxLength = 700;

export const encodeCursor = (sortKey: string): string => Buffer.from(sortKey, "utf8").toString("base64url");

/**
 * The sort key that a page continues behind; undefined for the first page.
 * @throws ValidationFailed when it is not a cursor that we gave out
 */
export function decodeCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const sortKey = Buffer.from(cursor, "base64url").toString("utf8");
  const wellFormed = encodeCursor(sortKey) === cursor && sortKey.length <= maxLength && formats.line.check(sortKey);
  if (!wellFormed || sortKey === "")
    throw new ValidationFailed([{ path: "/cursor", message: "is not a valid cursor" }]);
  return sortKey;
}
