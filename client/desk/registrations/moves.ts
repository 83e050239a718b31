/** Where a registration stands, and what an executive may make of it: "Moves of a registration" in the contract. Pure. */
import type { EventWithCounts, Registration } from "../../shared/types.ts";

export type Status = Registration["registrationStatus"];
/** `applicant`: an application without a decision, whose status is `registered`. */
export type State = Status | "applicant";
export type Stated = Pick<Registration, "registrationStatus" | "applicationStatus">;

export const stateOf = ({ registrationStatus, applicationStatus }: Stated): State =>
  registrationStatus === "registered" && applicationStatus === "reviewing" ? "applicant" : registrationStatus;

/** Each state in words, in the order of the counts, and the colour of its label. */
export const states: Readonly<Record<State, readonly [words: string, kind: "" | "good" | "bad"]>> = {
  applicant: ["Applied", ""],
  registered: ["Registered", "good"],
  accepted: ["Accepted, not confirmed", ""],
  acceptedPending: ["Accepted, not paid", ""],
  acceptedComplete: ["Accepted and confirmed", "good"],
  incomplete: ["Seat held, not paid", ""],
  waitlist: ["In line", ""],
  checkedIn: ["Checked in", "good"],
  rejected: ["Rejected", "bad"],
  cancelled: ["Cancelled", "bad"],
};

export const wordsOf = (row: Stated): string => states[stateOf(row)][0];

/** The API's sentence about another status than the seen one, with that in words. */
export const inWords = (message: string): string =>
  message.replace(/it is (\w+) now/, (said, state: State) =>
    states[state] ? `it is “${states[state][0]}” now` : said,
  );

/** What becomes of each deposit that is paid. */
const deposits: Readonly<Partial<Record<NonNullable<Registration["deposit"]>, string>>> = {
  held: "Deposit paid",
  due: "The deposit goes back",
  dueByHand: "Give the deposit back, and record that under Money",
  returned: "The deposit went back",
  kept: "The deposit is kept",
};

/** Of a seat that was handed on: not to the person at the door. */
const toPayer = "Give the deposit back to who has paid, and record that under Money";

/** The deposit in words; empty without one. */
export const depositText = ({ deposit, takenOver }: Pick<Registration, "deposit" | "takenOver">): string =>
  takenOver && deposit === "dueByHand" ? toPayer : ((deposit && deposits[deposit]) ?? "");

/** The place of a person in line; empty without one. */
export function placeText({ waitlistPosition, waitlistAhead, behindOthers }: Registration): string {
  const last = behindOthers ? ", behind everyone else because of no-shows" : "";
  if (waitlistPosition !== undefined) return `Number ${waitlistPosition} in line${last}`;
  return waitlistAhead === undefined ? "" : `More than ${waitlistAhead} people are ahead in line${last}`;
}

export const decisions = ["accept", "reject", "line"] as const;
export type Decision = (typeof decisions)[number];
export type MoveName = Decision | "seat" | "confirm" | "checkIn" | "undo" | "cancel" | "again" | "delete";

export interface Move {
  /** Its button. */
  readonly text: string;
  /** What became of a person: `3 accepted`. */
  readonly done: string;
  readonly mails: boolean;
  readonly from: readonly State[];
  /** Only at events that take applications (true) or do not (false). Absent: at both. */
  readonly applications?: boolean;
  readonly takesSeat?: boolean;
  /** What else it does. */
  readonly says?: string;
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
const paid = "A seat goes to the next person in line. What was paid is owed back: the treasurer sees it under Money.";
const waived = "The price of an unpaid seat is waived. For money in your hand, enter a payment under Money instead.";
const atTheEnd =
  "A seat goes to the next in line, and this person to the end. It is refused for a paid seat, or if no other person waits.";
const held = "If it has a price, it is held until the person has paid:";
const anew =
  "It begins anew with the earlier answers: a seat if one is free, else a place in line. Points and ticket are new.";

/** All moves that an executive may make. The API refuses every other one. */
// biome-ignore format: one row a move
export const moves: Readonly<Record<MoveName, Move>> = {
  accept:  { text: "Accept", done: "accepted", mails: true, from: ["applicant", "waitlist", "rejected"], applications: true, takesSeat: true, says: `${held} 72 hours.` },
  reject:  { text: "Reject", done: "rejected", mails: true, from: ["applicant", "waitlist", "accepted", "acceptedPending"] },
  seat:    { text: "Give a seat", done: "given a seat", mails: true, from: ["waitlist"], applications: false, takesSeat: true, says: `Who is ahead in line is passed. ${held} 24 hours.` },
  confirm: { text: "Confirm the seat", done: "confirmed", mails: true, from: ["incomplete", "acceptedPending", "accepted"], says: waived },
  line:    { text: "Put in line", done: "put in line", mails: true, from: ["applicant", "rejected", "registered"], says: atTheEnd },
  checkIn: { text: "Check in", done: "checked in", mails: false, from: ["registered", "accepted", "acceptedComplete"], says: "You can undo it. A deposit goes back, and stays so then." },
  undo:    { text: "Undo the check-in", done: "not checked in any more", mails: false, from: ["checkedIn"], says: "A deposit that has gone back, or is about to, does so all the same." },
  cancel:  { text: "Cancel", done: "cancelled", mails: true, from: live, says: paid },
  again:   { text: "Register again", done: "registered again", mails: true, from: ["cancelled"], takesSeat: true, says: anew },
  delete:  { text: "Delete", done: "deleted", mails: true, from: [...live, "cancelled"], says: `It cannot be undone. ${paid}` },
};

export const moveNames = Object.keys(moves) as readonly MoveName[];

/** Whether a registration may be moved so. */
export const mayMove = (name: MoveName, row: Stated, hasApplications = false): boolean =>
  moves[name].from.includes(stateOf(row)) && (moves[name].applications ?? hasApplications) === hasApplications;

export type Wanted = { readonly applicationStatus: string } | { readonly registrationStatus: Status };

/** What the API is asked for. With applications the API itself looks at the price; for a place in line the caller must. */
export function wantedBy(
  name: MoveName,
  row: Stated,
  { member, nonMember = member }: EventWithCounts["pricing"],
): Wanted {
  const statuses: Readonly<Partial<Record<MoveName, Status>>> = {
    ...{ reject: "rejected", line: "waitlist", checkIn: "checkedIn", cancel: "cancelled" },
    confirm: row.registrationStatus === "incomplete" ? "registered" : "acceptedComplete",
    seat: Math.max(member, nonMember) > 0 ? "incomplete" : "registered",
  };
  return name === "accept" ? { applicationStatus: "accepted" } : { registrationStatus: statuses[name] ?? "registered" };
}

/** What to ask for instead, when the API says that this person pays nothing, or has to pay: members may go free. */
export function instead(wanted: Status | undefined, message = ""): Status | undefined {
  if (wanted === "incomplete" && message.startsWith("This person pays nothing")) return "registered";
  return wanted === "registered" && message.startsWith("This person has to pay") ? "incomplete" : undefined;
}

function poolText(chosen: number, free: number | null | undefined, whose: string): string {
  if (chosen === 0 || free === undefined) return "";
  if (free === null) return `${chosen} chosen${whose}, seats without a limit. `;
  const fits = chosen <= free ? "all fit" : `${chosen - free} will be refused, or wait`;
  return `${chosen} chosen${whose}, ${free} ${free === 1 ? "seat" : "seats"} free: ${fits}. `;
}

/** How many seats are free for those who would take one: `12 chosen, 8 seats free: 4 will be refused, or wait.` */
export function seatsText(
  { partnerCapac, counts }: Pick<EventWithCounts, "partnerCapac" | "counts">,
  rows: readonly Pick<Registration, "isPartner" | "plusOnes">[],
): string {
  const partners = partnerCapac === undefined ? 0 : rows.filter(({ isPartner }) => isPartner).length;
  const people = rows.reduce((all, { plusOnes = [] }) => all + 1 + plusOnes.length, 0);
  const attendees = poolText(people - partners, counts?.remaining, "");
  return attendees + poolText(partners, counts?.partnerRemaining, " as partners");
}
