/** What functions are, and know. */
import { isDeepStrictEqual } from "node:util";
import { harmless, type Judge, noLess, seconds, type TypeRules } from "./rule.ts";

/** Variables that say who is an admin, and where data and money go. */
const decisive = /^ADMIN_|_SECRET$|^TABLE_NAME$|^BUS_NAME$|^IMAGE_BUCKET$|^REFUNDS$|^ALLOWED_ORIGINS$|^LOG_LEVEL$/;

type Variables = Readonly<Record<string, unknown>>;

const variables: Judge = ({ before, after }) => {
  const [old, wanted]: Variables[] = [before?.Variables ?? {}, after?.Variables ?? {}];
  return Object.keys(old as Variables)
    .filter((name) => decisive.test(name) && !isDeepStrictEqual(old?.[name], wanted?.[name]))
    .map((name) => `${name} would change, which says who is an admin, or where data and money go.`);
};

export const functions: Readonly<Record<string, TypeRules>> = {
  "AWS::Lambda::Function": {
    properties: {
      Code: harmless,
      Description: harmless,
      Environment: variables,
      Handler: harmless,
      MemorySize: harmless,
      Runtime: ({ after }) => (/^nodejs\d+\.x$/.test(String(after)) ? [] : [`it would run on ${after}.`]),
      Tags: harmless,
      Timeout: noLess(seconds("a call"), 3),
    },
  },
};
