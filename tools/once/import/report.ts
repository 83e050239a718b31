/** The report of an import: terminal output, and files with each changed or refused row. */

import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Verdicts } from "./run.ts";
import { type Kind, kinds } from "./source/tables.ts";
import type { Outcome, Summary } from "./survey.ts";
import { verdicts as allVerdicts, type Verdict } from "./verdict.ts";

const number = (value: number): string => value.toLocaleString("en");

const descending = (counts: ReadonlyMap<string, number>) => [...counts].sort(([, a], [, b]) => b - a);

const shown = 12;

/** At most twelve lines of a list, and the number of others. */
function firstOf(lines: readonly string[], where: string): string[] {
  const more = lines.length - shown;
  return more > 0 ? [...lines.slice(0, shown), `    and ${number(more)} more${where}`] : [...lines];
}

const table = (rows: readonly (readonly (string | number)[])[]): string[] =>
  rows.map((row) =>
    row
      .map((cell, column) => {
        const text = typeof cell === "number" ? number(cell) : cell;
        return column === 0 ? text.padEnd(16) : text.padStart(10);
      })
      .join(""),
  );

/** The summary before anything is written. */
export function summaryLines(summary: Summary, unknown: readonly string[], membersOf: number): string[] {
  const { counts, statuses, overCapacity } = summary;
  const changes = kinds.flatMap((kind) =>
    firstOf(
      descending(counts[kind].changes).map(
        ([what, often]) => `    ${kind.padEnd(14)}${number(often).padStart(8)}  ${what}`,
      ),
      " kinds of changes in changed.jsonl",
    ),
  );
  const reasons = kinds.flatMap((kind) =>
    descending(counts[kind].reasons).map(
      ([why, often]) => `    ${kind.padEnd(14)}${number(often).padStart(8)}  ${why}`,
    ),
  );
  const above = (names: ReadonlyMap<string, number>) =>
    firstOf(
      descending(names).map(([name, by]) => `    ${name}: ${number(by)}`),
      "",
    );
  return [
    ...table([
      ["", "rows", "taken", "changed", "refused"],
      ...kinds.map((kind): (string | number)[] => {
        const { rows, taken, changed, refused } = counts[kind];
        return [kind, rows, taken, changed, refused];
      }),
    ]),
    `Registrations: ${descending(statuses)
      .map(([status, often]) => `${number(often)} ${status}`)
      .join(", ")}.`,
    ...(membersOf > 0 ? [`Memberships are those of ${membersOf}.`] : []),
    ...(changes.length > 0 ? ["What is changed (each row is in changed.jsonl):", ...changes] : []),
    ...(reasons.length > 0 ? ["What is not taken (each row is in refused.jsonl):", ...reasons] : []),
    ...(overCapacity.size > 0
      ? ["More people than seats; all stay, and newcomers join the line:", ...above(overCapacity)]
      : []),
    ...(unknown.length > 0
      ? [
          "Files of no table that is taken over:",
          ...firstOf(
            unknown.map((file) => `    ${file}`),
            " files",
          ),
        ]
      : []),
  ];
}

const words: Readonly<Record<Verdict, string>> = {
  new: "new",
  "imported before": "imported before, kept",
  "made here": "made here, kept",
  "deleted here": "deleted here, stays deleted",
};

export const writtenLine = (kind: Kind, counts: Verdicts): string =>
  `${kind.padEnd(14)}${
    allVerdicts
      .flatMap((verdict) => (counts[verdict] ? [`${number(counts[verdict])} ${words[verdict]}`] : []))
      .join(", ") || "nothing"
  }`;

/** The files of the report. They contain personal data, so only their owner can read them. */
export class ReportFiles {
  readonly #refused: WriteStream;
  readonly #changed: WriteStream;

  private constructor(folder: string) {
    const open = (name: string) => createWriteStream(join(folder, name), { mode: 0o600 });
    this.#refused = open("refused.jsonl");
    this.#changed = open("changed.jsonl");
  }

  static async in(folder: string): Promise<ReportFiles> {
    await mkdir(folder, { recursive: true });
    return new ReportFiles(folder);
  }

  async add({ kind, file, name, changes, refused, row }: Outcome): Promise<void> {
    if (refused !== undefined) await line(this.#refused, { kind, name, file, why: refused, row });
    else if (changes.length > 0) await line(this.#changed, { kind, name, file, changes });
  }

  async close(): Promise<void> {
    for (const stream of [this.#refused, this.#changed]) {
      stream.end();
      await once(stream, "close");
    }
  }
}

async function line(stream: WriteStream, value: object): Promise<void> {
  if (!stream.write(`${JSON.stringify(value)}\n`)) await once(stream, "drain");
}
