/** What comes of a table's rows, as a table. Pure. */
import Papa from "papaparse";
import type { Outcome } from "./carry-out.ts";
import type { Fate, Outlook } from "./outlook.ts";

const words: Readonly<Record<Outcome["result"], string>> = {
  done: "done",
  there: "left as it was",
  fault: "left out",
  refused: "refused",
  open: "not done yet",
};

const isLeft = (fate: Fate): fate is "there" | "fault" => fate === "there" || fate === "fault";
const wordOf = (one: Outcome | Outlook): string =>
  "result" in one ? words[one.result] : isLeft(one.fate) ? words[one.fate] : "would be done";

/**
 * A line without tabs and semicolons, which some spreadsheets take for separators. So a formula could begin only where the
 * cell does, after what readers drop (as `lambda/kit/lists/csv.ts`).
 */
const lineOf = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .replaceAll(";", ",")
    .trim();
const escapeFormulae = /^[\s"'\p{Cf}\p{Cc}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;

/** CSV in UTF-8 with a mark, by row: outcomes, or what a dry run says. */
export function reportOf(rows: readonly (Outcome | Outlook)[]): string {
  const ordered = rows.toSorted((one, other) => one.row - other.row);
  const data = ordered.map((one) => [one.row, lineOf(one.email), wordOf(one), lineOf(one.says)]);
  const fields = ["Row", "Email", "Outcome", "What"];
  return `\ufeff${Papa.unparse({ fields, data }, { quotes: true, escapeFormulae })}\r\n`;
}
