/** Where a registration stands, and what an executive may make of it: "Moves of a registration" in the contract. Pure. */
import type { EventWithCounts, Registration } from "../../shared/types.ts";

export type Status = Registration["registrationStatus"];
/** `applicant`: an application without a decision, whose status is `registered`. */
export type State = Status | "applicant";

type Stated = Pick<Registration, "registrationStatus" | "applicationStatus">;

export const stateOf = ({ registrationStatus, applicationStatus }: Stated): State =>
  registrationStatus === "registered" && applicationStatus === "reviewing" ? "applicant" : registrationStatus;

/** Each state in words, in the order of the counts, and the colour of its label. */
export const states: Readonly<Record<State, { readonly words: string; readonly kind: "" | "good" | "bad" }>> = {
  applicant: { words: "Applied", kind: "" },
  registered: { words: "Registered", kind: "good" },
  accepted: { words: "Accepted, not confirmed", kind: "" },
  acceptedPending: { words: "Accepted, not paid", kind: "" },
  acceptedComplete: { words: "Accepted and confirmed", kind: "good" },
  incomplete: { words: "Seat held, not paid", kind: "" },
  waitlist: { words: "In line", kind: "" },
  checkedIn: { words: "Checked in", kind: "good" },
  rejected: { words: "Rejected", kind: "bad" },
  cancelled: { words: "Cancelled", kind: "bad" },
};

export const wordsOf = (row: Stated): string => states[stateOf(row)].words;

/** The place of a person in line; empty without one. */
export function placeText({ waitlistPosition, waitlistAhead }: Registration): string {
  if (waitlistPosition !== undefined) return `Number ${waitlistPosition} in line`;
  return waitlistAhead === undefined ? "" : `More than ${waitlistAhead} people are ahead in line`;
}

export const decisions = ["accept", "reject", "line"] as const;
export type Decision = (typeof decisions)[number];
export type MoveName = Decision | "seat" | "confirm" | "checkIn" | "undo" | "cancel" | "again" | "delete";

export interface Move {
  /** Its button. */
  readonly text: string;
  /** What became of a person: `3 accepted`. */
  readonly done: string;
  readonly from: readonly State[];
  /** Only at events that take applications (true) or do not (false). Absent: at both. */
  readonly applications?: boolean;
  readonly takesSeat?: boolean;
  readonly mails: boolean;
  /** What else it does. */
  readonly says: string;
}

const live = [
  "applicant",
  "registered",
  "accepted",
  "acceptedPending",
  "acceptedComplete",
  "incomplete",
  "waitlist",
] as const;
const refund = "What a person has paid is owed back, and the treasurer sees it under Money.";

/** All moves that an executive may make. The API refuses every other one. */
export const moves: Readonly<Record<MoveName, Move>> = {
  accept: {
    ...{ text: "Accept", done: "accepted", mails: true, applications: true, takesSeat: true },
    from: ["applicant", "waitlist", "rejected"],
    says: "Where the seat has a price, it is held for 72 hours until the person has paid. Else the person confirms it.",
  },
  reject: {
    ...{ text: "Reject", done: "rejected", mails: true },
    from: ["applicant", "waitlist", "accepted", "acceptedPending"],
    says: "A seat becomes free.",
  },
  seat: {
    ...{ text: "Give a seat", done: "given a seat", mails: true, applications: false, takesSeat: true },
    from: ["waitlist"],
    says: "Others who are ahead in line are passed. Where the seat has a price, it is held for 24 hours until the person has paid.",
  },
  confirm: {
    ...{ text: "Confirm the seat", done: "confirmed", mails: true },
    from: ["incomplete", "acceptedPending", "accepted"],
    says: "A seat that is not paid is waived: the person pays nothing. For money in your hand, enter a payment under Money instead.",
  },
  line: {
    ...{ text: "Put in line", done: "put in line", mails: true },
    from: ["applicant", "rejected", "registered"],
    says: "A seat goes to the next person in line, and this one waits at the end. The API refuses it for a paid seat, and when no other person in line can take the seat.",
  },
  checkIn: {
    ...{ text: "Check in", done: "checked in", mails: false },
    from: ["registered", "accepted", "acceptedComplete"],
    says: "You can undo it.",
  },
  undo: { text: "Undo the check-in", done: "not checked in any more", mails: false, from: ["checkedIn"], says: "" },
  cancel: {
    ...{ text: "Cancel", done: "cancelled", mails: true, from: live },
    says: `A seat goes to the next person in line. ${refund}`,
  },
  again: {
    ...{ text: "Register again", done: "registered again", mails: true, takesSeat: true, from: ["cancelled"] },
    says: "It begins anew, with the earlier answers: a seat while one is free, else a place in line. Points begin at 0, and an earlier ticket stays void.",
  },
  delete: {
    ...{ text: "Delete", done: "deleted", mails: true, from: [...live, "cancelled"] },
    says: `It cannot be undone: answers and points are gone, and a seat goes to the next person in line. ${refund}`,
  },
};

export const moveNames = Object.keys(moves) as readonly MoveName[];

/** Whether a registration may be moved so. */
export const mayMove = (name: MoveName, row: Stated, hasApplications = false): boolean =>
  moves[name].from.includes(stateOf(row)) && (moves[name].applications ?? hasApplications) === hasApplications;

type Priced = Pick<EventWithCounts, "pricing">;

/** What the API is asked for. With applications the API itself looks at the price; for a place in line the caller must. */
export function wantedBy(name: Exclude<MoveName, "delete">, row: Stated, { pricing }: Priced) {
  const { member, nonMember = member } = pricing;
  const statuses: Readonly<Record<Exclude<typeof name, "accept">, Status>> = {
    ...{ reject: "rejected", line: "waitlist", checkIn: "checkedIn", undo: "registered", cancel: "cancelled" },
    again: "registered",
    confirm: row.registrationStatus === "incomplete" ? "registered" : "acceptedComplete",
    seat: Math.max(member, nonMember) > 0 ? "incomplete" : "registered",
  };
  return name === "accept" ? { applicationStatus: "accepted" } : { registrationStatus: statuses[name] };
}

/**
 * What to ask for instead when the API says that this person pays nothing, or has to pay: only members may go free.
 * @param message of the refusal
 */
export function instead({ registrationStatus }: { readonly registrationStatus?: Status }, message = "") {
  if (registrationStatus === "incomplete" && message.startsWith("This person pays nothing"))
    return { registrationStatus: "registered" } as const;
  if (registrationStatus === "registered" && message.startsWith("This person has to pay"))
    return { registrationStatus: "incomplete" } as const;
  return undefined;
}

type Seated = Pick<EventWithCounts, "partnerCapac" | "counts">;

/** How many seats are free for those who would take one: `12 chosen, 8 seats free: 4 will be refused.` */
export function seatsText({ partnerCapac, counts }: Seated, rows: readonly Pick<Registration, "isPartner">[]): string {
  const isApart = partnerCapac !== undefined;
  const line = (chosen: number, free: number | null | undefined, whose: string): string => {
    if (chosen === 0 || free === undefined) return "";
    if (free === null) return `${chosen} chosen${whose}, and seats without a limit.`;
    const fits = chosen <= free ? "all fit" : `${chosen - free} will be refused, or wait`;
    return `${chosen} chosen${whose}, ${free} ${free === 1 ? "seat" : "seats"} free: ${fits}.`;
  };
  const partners = isApart ? rows.filter(({ isPartner }) => isPartner).length : 0;
  return [line(rows.length - partners, counts?.remaining, ""), line(partners, counts?.partnerRemaining, " as partners")]
    .filter(Boolean)
    .join(" ");
}
