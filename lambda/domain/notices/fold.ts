/**
 * What the `ics` package leaves to be corrected in its output, in one place. Pure.
 *
 * - It folds after 75 characters, RFC 5545 (section 3.1) wants 75 octets: https://github.com/adamgibbons/ics/pull/66.
 * - It quotes PARTSTAT and ROLE, which the grammar (sections 3.2.12 and 3.2.16) does not allow.
 */

const lineLimit = 75;
const quotedKeyword = /;(PARTSTAT|ROLE)="([A-Z-]+)"/g;

/** One content line in pieces of at most 75 octets, the space that starts each further piece included. */
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

/** @param calendar made by `ics`, which folds with a tab */
export const correctCalendar = (calendar: string): string =>
  calendar
    .replaceAll("\r\n\t", "")
    .split("\r\n")
    .map((line) => fold(unquoteKeywords(line)))
    .join("\r\n");
