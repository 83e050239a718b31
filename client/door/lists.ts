/** The rows of the lists that the page shows. */
import { button, row } from "./elements.ts";
import type { Match } from "./search.ts";
import type { Kept } from "./store.ts";
import { canBeUndone, inside, judge, refuted, type Scan, ticketOf, timeOf, toLookAt } from "./verdict.ts";

/** Who is in. */
export const guestRows = ({ list, scans }: Kept): Node[] =>
  inside(list, scans).map(({ name, at, device }) => row(name, `since ${timeOf(at)}, ${device}`));

/** Contradictions of the server. */
export const noticeRows = ({ list, scans }: Kept, dismiss: (nonce: string) => unknown): Node[] =>
  toLookAt(list, scans).map(({ nonce, name, sentence }) => {
    const dismissal = button("Dismiss", () => dismiss(nonce));
    return row(name, sentence, dismissal);
  });

/** Whether a person came in with a scan. A question did what its answer says. */
const isLetIn = ({ admitted, result }: Scan): boolean => admitted ?? result?.outcome === "checkedIn";

/** What the phone did with a scan. */
function done(scan: Scan, { list, scans }: Kept): string {
  const { nonce, undoes, admitted, result } = scan;
  if (undoes) return "undone";
  if (admitted === undefined && (!result || scans.some(({ answers }) => answers === nonce))) return "asked";
  if (!isLetIn(scan)) return "not let in";
  const stop = refuted(list, scan, scans);
  return stop ? `let in. Stop: ${stop.sentence}` : "let in";
}

/** Whether a scan takes back a question to which the phone has said "Stop". */
const isSilent = ({ undoes }: Scan, scans: readonly Scan[]): boolean =>
  undoes !== undefined && scans.some((one) => one.nonce === undoes && one.result?.outcome === "again" && !isLetIn(one));

/** The scans of this phone, the latest first. */
export function ownRows(kept: Kept, undo: (scan: Scan) => unknown): Node[] {
  const { list, scans } = kept;
  const shown = scans.filter((scan) => !isSilent(scan, scans)).toReversed();
  return shown.map((scan) => {
    const { mark, scannedAt, result } = scan;
    const name = ticketOf(list, mark)?.[2] ?? result?.name ?? "Not on the list";
    const text = `${timeOf(scannedAt)}, ${done(scan, kept)}${result ? "" : ", to send"}`;
    return row(name, text, ...(canBeUndone(scan, scans) ? [button("Undo", () => undo(scan))] : []));
  });
}

/** The people who are found, with what the phone would say about their tickets. */
export const foundRows = ({ list, scans }: Kept, found: readonly Match[], check: (mark: string) => unknown): Node[] =>
  found.map(({ mark, name, detail }) => {
    const own = scans.filter((one) => one.mark === mark);
    const { colour, sentence, choices } = judge(list, own, mark);
    const act = button(colour === "green" ? "Let in" : "Check", () => check(mark));
    return row(name, [...(detail ? [detail] : []), ...choices, sentence].join(" · "), act);
  });

/** Shows rows, unless they are there already: who is about to press a button still finds it there. */
export function showRows(list: HTMLElement, rows: readonly Node[], key: string): void {
  if (list.dataset.key === key && list.textContent === rows.map(({ textContent }) => textContent).join("")) return;
  list.dataset.key = key;
  list.replaceChildren(...rows);
}
