/**
 * The scans of one ticket, and the check-in that follows from them (`docs/contract.md`, "The door"). Devices upload scans
 * late, repeatedly and in any order; the result depends on the set of scans, and on what executives have changed. Pure.
 */

/**
 * `checkedIn`: this scan is the check-in, the earliest of the ticket. `again`: the ticket was in by another scan.
 * `admitted`: let in without a valid ticket. `refused`: not let in. `turnedAway`: not let in, as decided by the device.
 * `undone`: an undo, or a scan that was undone.
 */
export const outcomes = ["checkedIn", "again", "admitted", "refused", "turnedAway", "undone"] as const;
export type Outcome = (typeof outcomes)[number];

/** Why a ticket may not enter: the state of its registration, or one of these. */
export type Reason = string;
export const reasons = {
  unknown: "unknown",
  replaced: "replaced",
  otherEvent: "other event",
  refunded: "refunded",
  /** It is none of the event's tickets, and the device has stored too many such scans. */
  notStored: "too many unknown",
} as const;

/** A scan, as a device uploads it. */
export interface NewScan {
  /** Chosen by the device; identifies the scan. */
  readonly nonce: string;
  /** Epoch milliseconds, corrected. */
  readonly at: number;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  /** The name of the device at the time of the scan. */
  readonly device: string;
  readonly deviceId: string;
  /** Whether the device has let the person in. Absent: the service decides. */
  readonly admitted?: boolean | undefined;
  /** The nonce of the scan that this one undoes. */
  readonly undoes?: string | undefined;
}

/** A scan, as stored. */
export interface Scan extends NewScan {
  readonly outcome: Outcome;
  readonly reason?: Reason;
}

export type CheckedInBy = "scan" | "executive";

/** What a scan finds: a ticket that may enter, one that is in, or one that may not enter. */
export type Ticket =
  | { readonly is: "valid" }
  | { readonly is: "in"; readonly by: CheckedInBy }
  | { readonly is: "invalid"; readonly reason: Reason };

/** Whether a valid ticket entered with this scan. */
const isIn = ({ outcome, undoes }: Scan): boolean =>
  undoes === undefined && (outcome === "checkedIn" || outcome === "again");

const byTime = (one: Scan, other: Scan): number => one.at - other.at || (one.nonce < other.nonce ? -1 : 1);

/** The scans with which the ticket entered, the earliest first. */
export const entriesOf = (scans: readonly Scan[]): Scan[] => scans.filter(isIn).sort(byTime);

const undone = (scan: Scan): Scan => ({ ...scan, outcome: "undone" });

function outcomeOf({ nonce, admitted }: NewScan, ticket: Ticket, known: readonly Scan[]): Outcome {
  if (known.some(({ undoes }) => undoes === nonce)) return "undone";
  if (admitted === false) return "turnedAway";
  if (ticket.is === "invalid") return admitted ? "admitted" : "refused";
  return "again";
}

/**
 * The scans as they count now: executives check in and out without a scan.
 * @param by undefined when the person is not in
 */
export function asTheyCount(scans: readonly Scan[], by: CheckedInBy | undefined): Scan[] {
  const first = by === "scan" ? entriesOf(scans)[0] : undefined;
  const entered = (scan: Scan): Scan => ({ ...scan, outcome: scan === first ? "checkedIn" : "again" });
  return scans.map((scan) => (isIn(scan) ? (by ? entered : undone)(scan) : scan));
}

/**
 * The scans of a ticket with another one.
 * @param known do not contain its nonce
 */
export function withScan(known: readonly Scan[], added: NewScan, ticket: Ticket): Scan[] {
  // A ticket that entered and may enter now has had its check-in undone by an executive.
  const valid = ticket.is === "valid" ? asTheyCount(known, undefined) : known;
  const kept = valid.map((scan) => (scan.nonce === added.undoes ? undone(scan) : scan));
  const outcome = added.undoes === undefined ? outcomeOf(added, ticket, kept) : "undone";
  const reason = ticket.is === "invalid" && outcome !== "undone" ? { reason: ticket.reason } : {};
  const all: Scan[] = [...kept, { ...added, outcome, ...reason }];
  return asTheyCount(all, ticket.is === "in" ? ticket.by : "scan");
}

/** Scans of one ticket that are kept, about 20 KB. */
const maxScans = 100;

/** Without the scan that matters least, when there are too many. The check-in always stays. */
export function bounded(scans: readonly Scan[]): readonly Scan[] {
  if (scans.length <= maxScans) return scans;
  const least =
    scans.find(({ outcome }) => outcome === "turnedAway" || outcome === "refused") ??
    scans.findLast(({ outcome }) => outcome === "again") ??
    scans.find(({ outcome }) => outcome !== "checkedIn");
  return scans.filter((scan) => scan !== least);
}
