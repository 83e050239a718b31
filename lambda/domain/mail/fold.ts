/**
 * Corrects two errors in the output of the `ics` package. Pure.
 *
 * - It folds after 75 characters, but RFC 5545 (3.1) requires 75 octets: https://github.com/adamgibbons/ics/pull/66.
 * - It quotes PARTSTAT and ROLE, but the grammar of RFC 5545 (3.2.12 and 3.2.16) allows no quotes there.
 */

const lineLimit = 75;
const quotedKeyword = /;(PARTSTAT|ROLE)="([A-Z-]+)"/g;

/** Folds one content line into pieces of at most 75 octets, including the leading space of all but the first. */
function fold(line: string): string {
  const pieces: string[] = [];
  let piece = "";
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > lineLimit) {
      pieces.push(piece);
      piece = " ";
      octets = 1;
    }
    piece += character;
    octets += size;
  }
  return [...pieces, piece].join("\r\n");
}

const unquoteKeywords = (line: string): string =>
  line.startsWith("ATTENDEE;") ? line.replace(quotedKeyword, ";$1=$2") : line;

/** @param calendar output of `ics`, which folds lines with a tab */
export const correctCalendar = (calendar: string): string =>
  calendar
    .replaceAll("\r\n\t", "")
    .split("\r\n")
    .map((line) => fold(unquoteKeywords(line)))
    .join("\r\n");
