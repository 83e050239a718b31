/** What functions are, and know. */
import { isDeepStrictEqual } from "node:util";
import { harmless, isIn, type Judge, noLess, seconds, type TypeRules } from "./rule.ts";

/** Variables that a club sets as it likes. The others say who is an admin, and where data, people and money go. */
const adjustable =
  /^MEMBERSHIP_PRICES?$|_HOLD_MS$|^CAMPAIGN_MAIL_INTERVAL_MS$|^MAIL_SENDER_NAME$|^EVENT_PAGE$|^REMINDERS$/;

/** New variables that act without code that reads them, or that the existing code may read. */
const powerful = /^ADMIN_|^NODE_|^AWS_|^LD_/;

type Variables = Readonly<Record<string, unknown>>;

const variables: Judge = ({ before, after }) => {
  const [old, wanted]: [Variables, Variables] = [before?.Variables ?? {}, after?.Variables ?? {}];
  const changed = Object.keys({ ...old, ...wanted })
    .filter((name) => !isDeepStrictEqual(old[name], wanted[name]))
    .filter((name) => (name in old ? !adjustable.test(name) : powerful.test(name)));
  return changed.map((name) => `${name} would change. It may say who is an admin, or where data, people and money go.`);
};

const placeOf = (code: object = {}) => ({ ...code, S3Key: undefined });

/** Only from where the code of the other functions is. */
const code: Judge = ({ after, deployed }) =>
  Object.values(deployed.Resources ?? {}).some(
    ({ Type, Properties }) =>
      Type === "AWS::Lambda::Function" && isDeepStrictEqual(placeOf(Properties?.Code), placeOf(after)),
  )
    ? []
    : ["its code would come from another place than that of the other functions."];

const ownRole: Judge = ({ before, after, deployed, wanted }) =>
  before === undefined && isIn(after, wanted) && !isIn(after, deployed)
    ? []
    : ["it would have the rights of another role."];

const node = (runtime: unknown): number => Number(/^nodejs(\d+)\.x$/.exec(String(runtime))?.[1] ?? 0);

export const functions: Readonly<Record<string, TypeRules>> = {
  "AWS::Lambda::Function": {
    properties: {
      Code: code,
      Description: harmless,
      Environment: variables,
      MemorySize: harmless,
      Role: ownRole,
      Runtime: ({ before, after }) => (node(after) > node(before) ? [] : [`it would run on ${after}.`]),
      Tags: harmless,
      Timeout: noLess(seconds("a call"), 3),
    },
    opens: ["Code", "Role"],
  },
};
