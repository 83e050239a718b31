/** The rows of the lists that the page shows. */
import { button, row } from "../page/elements.ts";
import type { Kept } from "./store.ts";
import { canBeUndone, inside, judge, type Scan, ticketOf, timeOf, toLookAt } from "./verdict.ts";

const mostFound = 30;

/** Who is in. */
export const guestRows = ({ list, scans }: Kept): Node[] =>
  inside(list, scans).map(({ name, at, device }) => row(name, `since ${timeOf(at)}, ${device}`));

/** Contradictions of the server. */
export const noticeRows = ({ list, scans }: Kept, dismiss: (nonce: string) => unknown): Node[] =>
  toLookAt(list, scans).map(({ nonce, name, sentence }) => {
    const dismissal = button("Dismiss", () => dismiss(nonce));
    return row(name, sentence, dismissal);
  });

/** The scans of this phone, the latest first. */
export const ownRows = ({ list, scans }: Kept, undo: (scan: Scan) => unknown): Node[] =>
  scans.toReversed().map((scan) => {
    const { mark, scannedAt, undoes, admitted, result } = scan;
    const name = ticketOf(list, mark)?.[2] ?? result?.name ?? "Not on the list";
    const what = undoes ? "undone" : admitted === undefined ? "asked" : admitted ? "let in" : "not let in";
    const text = `${timeOf(scannedAt)}, ${what}${result ? "" : ", to send"}`;
    return row(name, text, ...(canBeUndone(scan, scans) ? [button("Undo", () => undo(scan))] : []));
  });

/** Letters without accents, in lower case. */
const plain = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** The tickets whose names have all words of a text. */
export function foundRows({ list, scans }: Kept, text: string, check: (mark: string) => unknown): Node[] {
  const asked = plain(text).split(/\s+/).filter(Boolean);
  if (asked.length === 0) return [];
  const isFound = (name: string) => asked.every((part) => plain(name).includes(part));
  const found = (list?.tickets ?? []).filter(([, , name]) => isFound(name)).slice(0, mostFound);
  if (found.length === 0) return [row("Nobody found", "")];
  return found.map(([mark, , name]) => {
    const own = scans.filter((one) => one.mark === mark);
    const { colour, sentence, choices } = judge(list, own, mark);
    const act = button(colour === "green" ? "Let in" : "Check", () => check(mark));
    return row(name, [...choices, sentence].join(" · "), act);
  });
}
