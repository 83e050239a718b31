/** The report of an import: terminal output, and files with each changed or refused row. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Verdicts } from "./run.ts";
import type { Outcome, Summary } from "./source/survey.ts";
import { type Kind, kinds } from "./source/tables.ts";
import { verdicts } from "./write/verdict.ts";

const number = (value: number): string => value.toLocaleString("en");

const descending = (counts: ReadonlyMap<string, number>) => [...counts].sort(([, a], [, b]) => b - a);

const table = (rows: readonly (readonly (string | number)[])[]): string[] =>
  rows.map((row) =>
    row
      .map((cell, column) => {
        const text = typeof cell === "number" ? number(cell) : cell;
        return column === 0 ? text.padEnd(16) : text.padStart(10);
      })
      .join(""),
  );

/** How often each of these sentences is there, the most frequent first. */
function counted(sentences: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const sentence of sentences) counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
  return descending(counts);
}

const isTaken = ({ refused }: Outcome): boolean => refused === undefined;

/** The summary before anything is written. */
export function summaryLines(summary: Summary, unknown: readonly string[], membersOf: number): string[] {
  const { outcomes, statuses, overCapacity } = summary;
  const ofKinds = kinds.map((kind) => ({ kind, rows: outcomes.filter((one) => one.kind === kind) }));
  const listed = (sentencesOf: (outcome: Outcome) => readonly string[]) =>
    ofKinds.flatMap(({ kind, rows }) =>
      counted(rows.flatMap(sentencesOf)).map(
        ([what, often]) => `    ${kind.padEnd(14)}${number(often).padStart(8)}  ${what}`,
      ),
    );
  const changes = listed((one) => (isTaken(one) ? one.changes.map(({ field, why }) => `${field}: ${why}`) : []));
  const reasons = listed(({ refused }) => (refused === undefined ? [] : [refused]));
  const under = (heading: string, lines: readonly string[]) => (lines.length > 0 ? [heading, ...lines] : []);
  return [
    ...table([
      ["", "rows", "taken", "changed", "refused"],
      ...ofKinds.map(({ kind, rows }): (string | number)[] => {
        const taken = rows.filter(isTaken);
        const changed = taken.filter((one) => one.changes.length > 0);
        return [kind, rows.length, taken.length, changed.length, rows.length - taken.length];
      }),
    ]),
    `Registrations: ${descending(statuses)
      .map(([status, often]) => `${number(often)} ${status}`)
      .join(", ")}.`,
    ...(membersOf > 0 ? [`Memberships are those of ${membersOf}.`] : []),
    ...under("What is changed (changed.jsonl has what each value was and became):", changes),
    ...under("What is not taken (each row is in refused.jsonl):", reasons),
    ...under(
      "More people than seats; all stay, and newcomers join the line:",
      descending(overCapacity).map(([name, by]) => `    ${name}: ${number(by)}`),
    ),
    ...under(
      "Files of no table that is taken over:",
      unknown.map((file) => `    ${file}`),
    ),
  ];
}

export const writtenLine = (kind: Kind, counts: Verdicts): string =>
  `${kind.padEnd(14)}${
    verdicts.flatMap((verdict) => (counts[verdict] ? [`${number(counts[verdict])} ${verdict}`] : [])).join(", ") ||
    "nothing"
  }`;

/** Writes the files of the report. They contain personal data, so only their owner can read them. */
export async function writeReport(folder: string, { outcomes }: Summary): Promise<void> {
  const refused = outcomes
    .filter((one) => !isTaken(one))
    .map(({ kind, name, file, refused: why, row }) => ({ kind, name, file, why, row }));
  const changed = outcomes
    .filter((one) => isTaken(one) && one.changes.length > 0)
    .map(({ kind, name, file, changes }) => ({ kind, name, file, changes }));
  await mkdir(folder, { recursive: true });
  for (const [name, rows] of Object.entries({ refused, changed })) {
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`);
    await writeFile(join(folder, `${name}.jsonl`), lines.join(""), { mode: 0o600 });
  }
}
