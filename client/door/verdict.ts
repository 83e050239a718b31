/**
 * Decides at the door: from the event's list and the scans of this phone, who may enter and who is in. Pure. Times are
 * milliseconds since 1970.
 */

/** A ticket of the list. `choices` and `device` are indexes of the list. Only who is in has `since` and `device`. */
export type Ticket = readonly [
  mark: string,
  state: string,
  name: string,
  choices: readonly number[],
  since?: number,
  device?: number,
];

/** What the server says about an event. */
export interface DoorList {
  readonly event: { readonly id: string; readonly year: number; readonly ename: string };
  readonly devices: readonly string[];
  readonly choices: readonly string[];
  readonly tickets: readonly Ticket[];
}

/** When and where a guest came in. */
export interface CheckIn {
  readonly device: string;
  readonly at: number;
}

/** The server's answer about one scan. All but `failed` are final. */
export interface Result {
  readonly nonce: string;
  readonly outcome: "checkedIn" | "again" | "admitted" | "refused" | "turnedAway" | "undone" | "failed";
  readonly reason?: string;
  readonly name?: string;
  readonly state?: string;
  readonly first?: CheckIn;
  readonly again?: CheckIn;
}

/** A row that the server gets, with what the phone notes about it. */
export interface Scan {
  readonly nonce: string;
  readonly mark: string;
  /** Absent: the person was found by name. */
  readonly code?: string;
  /** By the phone's clock. */
  readonly scannedAt: number;
  readonly device: string;
  /** Absent: a question; the server decides. */
  readonly admitted?: boolean;
  /** The nonce of the scan that this one undoes. */
  readonly undoes?: string;
  /** The nonce of the question that this row answers, if the server may have answered it too. */
  readonly answers?: string;
  /** Whether the person was let in although the phone said no. */
  readonly isDeliberate?: boolean;
  /** Whether the row may have reached the server. */
  readonly isTried?: boolean;
  /** Whether the question was left before its answer was there. */
  readonly isLeft?: boolean;
  /** The server's final answer. Absent: the scan waits to be sent. */
  readonly result?: Result;
  readonly answeredAt?: number;
  /** Whether the list shows what this scan has done. */
  readonly isListed?: boolean;
  /** Whether it was read at the door that the server contradicts the phone. */
  readonly isDismissed?: boolean;
}

/** What the phone shows. */
export interface Verdict {
  readonly colour: "green" | "amber" | "red";
  readonly sentence: string;
  readonly name?: string | undefined;
  readonly choices: readonly string[];
}

/** How a question, a contradiction or a red verdict names states and the server's reasons. */
const reasons: Readonly<Record<string, string>> = {
  waitlist: "On the waitlist",
  incomplete: "Not paid yet",
  acceptedPending: "Accepted, but not paid yet",
  applicant: "Application not decided",
  rejected: "Application rejected",
  cancelled: "Cancelled",
  refunded: "Paid back, or lost in a dispute: ask an executive",
  unknown: "Not a ticket of this event",
  "too many unknown": "Not a ticket of this event, nor stored: this phone sent too many",
  replaced: "Replaced by a newer ticket",
  "other event": "A ticket of another event",
  registered: "Registered",
  accepted: "Registered",
  acceptedComplete: "Registered",
  checkedIn: "Checked in",
};
const undoneMeanwhile = "The check-in was undone: scan the ticket again";
const inWords = (reason = "unknown"): string => reasons[reason] ?? reason;

/** A checked-in ticket may enter again once its check-in is undone. */
const mayEnter = new Set(["registered", "accepted", "acceptedComplete", "checkedIn"]);

/** Hours and minutes, where the phone is. */
export const timeOf = (at: number): string =>
  new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });

const placeAndTime = ({ at, device }: CheckIn): string => `${timeOf(at)} at “${device}”`;

/** The name of a ticket in the list: first 12 bytes of SHA-256 of its code, as base64url. */
export async function markOf(code: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code.trim()));
  const text = btoa(String.fromCharCode(...new Uint8Array(hash, 0, 12)));
  return text.replaceAll("+", "-").replaceAll("/", "_");
}

/** The row of a scan as the server takes it. */
export const rowOf = ({ code, mark, scannedAt, nonce, device, admitted, undoes }: Scan) => ({
  ...(code === undefined ? { mark } : { code }),
  scannedAt,
  nonce,
  device,
  ...(admitted !== undefined && { admitted }),
  ...(undoes !== undefined && { undoes }),
});

export const ticketOf = (list: DoorList | undefined, mark: string): Ticket | undefined =>
  list?.tickets.find(([one]) => one === mark);

const listedCheckIn = (list: DoorList, [, , , , since, device]: Ticket): CheckIn | undefined =>
  since === undefined || device === undefined ? undefined : { at: since, device: list.devices[device] ?? "" };

/** The check-in that a scan made or met; undefined when it made none, as far as the phone knows. */
function checkInBy({ admitted, result, scannedAt, device }: Scan): CheckIn | undefined {
  if (result?.outcome === "again" && result.first) return result.first;
  const isIn = result ? ["checkedIn", "again", "admitted"].includes(result.outcome) : admitted === true;
  return isIn ? { at: scannedAt, device } : undefined;
}

/**
 * When and where a ticket came in: by the list, and by those of this phone's scans that the list does not show yet.
 * @param scans of this ticket, in order
 */
function checkInOf(list: DoorList | undefined, ticket: Ticket | undefined, scans: readonly Scan[]) {
  let entry: (CheckIn & { by?: string }) | undefined = list && ticket && listedCheckIn(list, ticket);
  for (const scan of scans) {
    const { nonce, undoes, isListed } = scan;
    if (undoes === undefined) {
      const own = isListed ? undefined : checkInBy(scan);
      if (own) entry ??= scan.result?.outcome === "again" ? own : { ...own, by: nonce };
    } else if (scan.result === undefined || scan.result.outcome === "undone") {
      const undone = scans.find((one) => one.nonce === undoes);
      const first = undone?.result?.first;
      const isOwn = entry?.device === first?.device && entry?.at === first?.at;
      const isOfList = entry?.by === undefined && !isListed && undone?.result?.outcome === "checkedIn" && isOwn;
      // Another device may have let the person in too.
      if (entry?.by === undoes || isOfList) entry = scan.result?.first;
    }
  }
  return entry;
}

const knownOf = (list: DoorList | undefined, ticket: Ticket | undefined, scans: readonly Scan[]) => ({
  name: ticket?.[2] ?? scans.findLast(({ result }) => result?.name)?.result?.name,
  choices: ticket?.[3].map((index) => list?.choices[index] ?? "") ?? [],
});

/**
 * Decides about a ticket. Amber: the phone cannot know.
 * @param list undefined: not read yet
 * @param scans this phone's scans of the ticket, in order
 */
export function judge(list: DoorList | undefined, scans: readonly Scan[], mark: string): Verdict {
  const ticket = ticketOf(list, mark);
  const known = knownOf(list, ticket, scans);
  const entry = checkInOf(list, ticket, scans);
  if (entry) return { colour: "red", sentence: `In since ${placeAndTime(entry)}`, ...known };
  if (!ticket) return { colour: "amber", sentence: list ? "Not on this list" : "There is no list yet", ...known };
  const [, state] = ticket;
  if (mayEnter.has(state)) return { colour: "green", sentence: "On the list", ...known };
  return { colour: "red", sentence: inWords(state), ...known };
}

/** What the server's answer to a question shows. */
export function judgeAnswer(list: DoorList | undefined, { mark }: Scan, result: Result): Verdict {
  const { outcome, first, reason, name } = result;
  const known = { name, choices: knownOf(list, ticketOf(list, mark), []).choices };
  if (outcome === "checkedIn") return { colour: "green", sentence: "The server knows this ticket", ...known };
  if (outcome === "again" && first) return { colour: "red", sentence: `In since ${placeAndTime(first)}`, ...known };
  return { colour: "red", sentence: inWords(reason), ...known };
}

/** A guest who is in. */
export interface Guest extends CheckIn {
  readonly mark: string;
  readonly name: string;
}

const byMark = (scans: readonly Scan[]): Map<string, Scan[]> => {
  const groups = new Map<string, Scan[]>();
  for (const scan of scans) groups.set(scan.mark, [...(groups.get(scan.mark) ?? []), scan]);
  return groups;
};

/** Who is in, the latest first. */
export function inside(list: DoorList | undefined, scans: readonly Scan[]): Guest[] {
  const own = byMark(scans);
  const tickets = new Map(list?.tickets.map((ticket) => [ticket[0], ticket]));
  const guests = [...new Set([...tickets.keys(), ...own.keys()])].flatMap((mark) => {
    const ticket = tickets.get(mark);
    const scansOfIt = own.get(mark) ?? [];
    const entry = checkInOf(list, ticket, scansOfIt);
    const { name } = knownOf(list, ticket, scansOfIt);
    return entry ? [{ mark, name: name ?? "Not on the list", at: entry.at, device: entry.device }] : [];
  });
  return guests.sort((one, other) => other.at - one.at);
}

/** Whether a later scan undoes this one. */
const isUndone = ({ nonce }: Scan, scans: readonly Scan[]): boolean =>
  scans.some(({ undoes, result }) => undoes === nonce && (result === undefined || result.outcome === "undone"));

/** Whether the scan let a guest in, and can be undone. A question is undone with the row that answers it. */
export const canBeUndone = (scan: Scan, scans: readonly Scan[]): boolean =>
  scan.undoes === undefined &&
  checkInBy(scan) !== undefined &&
  !isUndone(scan, scans) &&
  !scans.some(({ answers }) => answers === scan.nonce);

/** How the server contradicts what the phone has shown; undefined when it does not. */
function contradiction(scan: Scan, scans: readonly Scan[]): string | undefined {
  const { result, admitted, undoes, isDeliberate, isLeft } = scan;
  if (!result) return undefined;
  const { outcome, first, reason } = result;
  const here = placeAndTime({ at: scan.scannedAt, device: scan.device });
  if (undoes !== undefined) {
    const wasIn = scans.find(({ nonce }) => nonce === undoes)?.result?.outcome === "checkedIn";
    return wasIn && outcome !== "undone" ? `Not undone ${here}.` : undefined;
  }
  if (isUndone(scan, scans)) return undefined;
  if (admitted === undefined && isLeft && outcome === "checkedIn") return `Checked in by the question of ${here}.`;
  if (admitted !== true || isDeliberate) return undefined;
  if (outcome === "admitted") return `Let in ${here}. The server says: ${inWords(reason)}.`;
  const isOwn = scans.some((one) => one.mark === scan.mark && one.result?.outcome === "checkedIn");
  if (outcome !== "again" || !first || isOwn) return undefined;
  return `Let in twice: ${placeAndTime(first)}, and ${placeAndTime(result.again ?? { at: scan.scannedAt, device: scan.device })}.`;
}

/**
 * What a green verdict has to become, because the server has refuted it since; undefined while it stands.
 * @param shown the scan that was green
 */
export function refuted(list: DoorList | undefined, shown: Scan, scans: readonly Scan[]): Verdict | undefined {
  const own = scans.filter(({ mark }) => mark === shown.mark);
  const known = knownOf(list, ticketOf(list, shown.mark), own);
  const stop = (sentence: string): Verdict => ({ colour: "red", sentence, ...known });
  // Also the question, which the server may have answered first.
  const rows = own.filter(({ nonce }) => nonce === shown.nonce || nonce === shown.answers);
  if (shown.isDeliberate || isUndone(shown, own)) return undefined;
  // The row of the phone's own decision lets a refunded seat in all the same.
  const refusal = rows.find(({ result }) => result?.outcome === "refused")?.result;
  if (refusal) return stop(inWords(refusal.reason));
  const isOwn = rows.some(({ result }) => result?.outcome === "checkedIn");
  for (const { result, scannedAt, device } of isOwn ? [] : rows) {
    if (result?.outcome === "again") return stop(`In since ${placeAndTime(result.first ?? { at: scannedAt, device })}`);
    if (result?.outcome === "admitted") return stop(inWords(result.reason));
    if (result?.outcome === "undone") return stop(undoneMeanwhile);
  }
  const state = rows.some(({ isListed }) => isListed) ? ticketOf(list, shown.mark)?.[1] : undefined;
  if (state === undefined || state === "checkedIn") return undefined;
  return stop(mayEnter.has(state) ? undoneMeanwhile : inWords(state));
}

/** How many tickets may enter, or have. */
export const expected = (list: DoorList | undefined): number =>
  list?.tickets.filter(([, state]) => mayEnter.has(state)).length ?? 0;

/** A list with its changed tickets; undefined: the places in them are those of another list. */
export function withChanges(list: DoorList, changes: DoorList): DoorList | undefined {
  const placesOf = ({ devices, choices }: DoorList) => JSON.stringify([devices, choices]);
  if (placesOf(list) !== placesOf(changes)) return undefined;
  const tickets = new Map([...list.tickets, ...changes.tickets].map((ticket) => [ticket[0], ticket]));
  return { ...list, tickets: [...tickets.values()] };
}

/** The contradictions that are not dismissed yet. */
export function toLookAt(list: DoorList | undefined, scans: readonly Scan[]) {
  const own = byMark(scans);
  return scans.flatMap((scan) => {
    const sentence = scan.isDismissed ? undefined : contradiction(scan, own.get(scan.mark) ?? []);
    const name = ticketOf(list, scan.mark)?.[2] ?? scan.result?.name ?? "A ticket that is not on the list";
    return sentence === undefined ? [] : [{ nonce: scan.nonce, name, sentence }];
  });
}

/** The list counts from then on, whatever it shows: another device may have changed the check-in meanwhile. */
const longestUnlisted = 5 * 60_000;

/** Whether a list shows what an answered scan has done, so that the list alone counts from now on. */
export function isShownBy(list: DoorList, { mark, result, answeredAt = 0 }: Scan, now: number): boolean {
  const isLate = Math.abs(now - answeredAt) > longestUnlisted;
  const isIn = ticketOf(list, mark)?.[1] === "checkedIn";
  if (result?.outcome === "checkedIn" || result?.outcome === "again") return isIn || isLate;
  return result?.outcome === "undone" && (!isIn || isLate);
}
