/** A directory of the local stage whose data came from a copy of a stage (`npm start -- --from <folder>`). */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Ask, passphraseFrom } from "../kit/copy/passphrase.ts";
import { openCopy, type WholeCopy } from "../kit/copy/whole-copy.ts";
import { UsageError } from "./flags.ts";

/** What the directory remembers of the copy. */
export interface Copied {
  readonly stage: string;
  readonly adminEmailDomain: string;
  /** ISO 8601: the time of the copy. */
  readonly at: string;
  /** False while the data are written. */
  readonly isWhole: boolean;
}

const fileIn = (directory: string): string => join(directory, "copy.json");

/** @throws UsageError when the start that wrote the data was interrupted */
export function copiedIn(directory: string): Copied | undefined {
  if (!existsSync(fileIn(directory))) return undefined;
  const copied = JSON.parse(readFileSync(fileIn(directory), "utf8")) as Copied;
  if (copied.isWhole) return copied;
  throw new UsageError(
    `The start from the copy was interrupted: only a part is in ${directory}. Repeat it with --reset.`,
  );
}

/** Notes that the data of the directory come from a copy. Only its owner may read them. */
export function noteCopied(directory: string, copied: Copied): void {
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o700);
  writeFileSync(fileIn(directory), `${JSON.stringify(copied, null, 2)}\n`, { mode: 0o600 });
}

export const copiedOf = ({ index }: WholeCopy, isWhole: boolean): Copied => ({
  stage: index.stage,
  adminEmailDomain: index.adminEmailDomain,
  at: index.ended,
  isWhole,
});

/**
 * Opens the copy that a stage is to begin with, before anything is deleted.
 * @param keeps whether the data of earlier runs stay
 * @throws UsageError, CopyProblem
 */
export async function copyToBegin(
  folder: string,
  { directory, keeps }: { readonly directory: string; readonly keeps: boolean },
  ask: Ask | undefined,
): Promise<WholeCopy> {
  if (keeps && existsSync(join(directory, "table"))) {
    throw new UsageError(
      `${directory} has the data of an earlier run. Add --reset, which deletes them, or --memory, which leaves them alone.`,
    );
  }
  return openCopy(folder, () => passphraseFrom(ask, false));
}
