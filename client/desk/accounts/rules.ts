/** What the pages of accounts and of the audit say. Pure. */
import type { components } from "../../paths.ts";
import { labelOf } from "../schema.ts";

export type ErasurePlan = components["schemas"]["ErasurePlan"];
export type Entry = components["schemas"]["Audit"]["data"][number];
export type Member = components["schemas"]["Member"];
export type User = components["schemas"]["User"];

/** Names of fields that are not words. */
export const userLabels: Readonly<Record<string, string>> = {
  ...{ fname: "First name", lname: "Last name", studentId: "Student number", isMember: "Is a member" },
};

const wordsOf = (field: string): string => userLabels[field] ?? labelOf(field);

/** What of a record is no news, or has words of its own. */
const silent = new Set(
  "id email admin isMember createdAt updatedAt profileID owes refunded until memberUntil compositeID type profileType".split(
    " ",
  ),
);

/** The fields of a record with their values, for people. */
export const rowsOf = (record: object): readonly (readonly [string, string])[] =>
  Object.entries(record as Readonly<Record<string, unknown>>).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value.join(", ") : value === true ? "Yes" : value === false ? "No" : value;
    const isSilent = silent.has(name) || name.includes(";") || text === "" || typeof text === "object";
    return isSilent ? [] : [[wordsOf(name), String(text)] as const];
  });

/** What one request changed, newest first. */
interface Group {
  readonly requestId: string;
  readonly at: number;
  readonly actor: string;
  readonly entries: readonly Entry[];
}

/** The entries of each request together, where its newest one stands. */
export function groupsOf(entries: readonly Entry[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const entry of entries) {
    const { requestId, at, actor } = entry;
    const known = groups.get(requestId) ?? { requestId, at, actor, entries: [] };
    groups.set(requestId, { ...known, entries: [...known.entries, entry] });
  }
  return [...groups.values()];
}

/** `payment.refundOrdered` as `Payment: refund ordered`. */
export function actionText(action: string): string {
  const [of = "", ...what] = action.split(".");
  const said = what.map((word) => labelOf(word).toLowerCase()).join(" ");
  return said ? `${labelOf(of)}: ${said}` : labelOf(of);
}

/** What was changed: whose, of which event, which record. */
export const subjectText = ({ email, eventID, year, of }: Entry): string =>
  [email, eventID && `${eventID} ${year ?? ""}`.trim(), of].filter(Boolean).join(", ");

const most = 200;

/** Epoch milliseconds are greater. */
const leastTime = 1e12;

function valueText(value: unknown, timeText: (at: number) => string): string {
  if (value === undefined || value === null || value === "") return "nothing";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number" && value > leastTime) return timeText(value);
  if (typeof value !== "object") return String(value);
  const parts = Object.entries(value).map(([name, one]) =>
    Array.isArray(value) ? valueText(one, timeText) : `${labelOf(name).toLowerCase()} ${valueText(one, timeText)}`,
  );
  return parts.join(", ") || "nothing";
}

const cut = (text: string): string => (text.length > most ? `${text.slice(0, most)} …` : text);

/** A line for each field whose values are kept, and one for all others, which are personal or long. @param timeText says a time */
export function changeLines({ changes = [] }: Entry, timeText: (at: number) => string): readonly string[] {
  const isKept = ({ before, after }: (typeof changes)[number]) => before !== undefined || after !== undefined;
  const kept = changes.filter(isKept).map(({ field, before, after }) => {
    const [was, is] = [before, after].map((value) => cut(valueText(value, timeText)));
    return `${wordsOf(field)}: ${was} → ${is}`;
  });
  const others = changes.filter((change) => !isKept(change)).map(({ field }) => wordsOf(field));
  return others.length > 0 ? [...kept, `Changed: ${others.join(", ").toLowerCase()}`] : kept;
}

/** The parts of a plan with something in them, as a person reads them. @param later when the rest is due, in words */
export const partsOf = (plan: ErasurePlan, later: string): readonly (readonly [string, ErasurePlan["goes"]])[] =>
  (
    [
      ["Is removed at once", plan.goes],
      ["Loses at once what the person entered", plan.isEmptied],
      [later ? `Is removed on ${later}` : "Is removed later", plan.goesLater],
      ["Stays, from then on under a name that leads to no person", plan.isRenamed],
      ["Stays", plan.stays],
    ] as const
  ).filter(([, items]) => items.length > 0);
