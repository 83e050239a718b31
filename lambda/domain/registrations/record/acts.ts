/**
 * The acts of people in the club, and what each rule means for every way in which an act reaches the service. Operations
 * read their rules here, so a new origin does not compile until every act has an answer for it (`docs/design.md`, "Acts").
 * Pure.
 */
import type { Actor } from "./moves.ts";

/**
 * Who makes an act, and by which way. With an admin's rights, an admin's own registration is still `self`. Stored with the
 * result.
 */
export type Origin =
  /** The person: signed in, by the link of a mail, or without an account by the link that confirms the address. */
  | "self/account"
  | "self/link"
  | "self/guest"
  /** A seat is handed on: its person has offered it, and the named person accepts by the link of a mail. */
  | "self/transfer"
  /** An admin about their own registration: by itself, as one of many rows, with a refund. */
  | "self/desk"
  | "self/bulk"
  | "self/refund"
  /** An admin about another person. */
  | "admin/desk"
  | "admin/bulk"
  | "admin/refund"
  /** Records of the backend before this one, moved in by an operator, and what its clock had ended. */
  | "admin/import"
  | "clock/import"
  /** The hold of an unpaid seat is over. */
  | "clock/hold"
  /** The provider says that a checkout has failed or expired. */
  | "provider/checkout"
  | "event deleted/event"
  /** The event does not take place. */
  | "event called off/event"
  /** The person has deleted the account, or an admin has. */
  | "person deleted/account"
  | "person deleted/desk";

/** What the audit notes beside the message of a change. */
export type AuditRule = "fields" | "nothing";

/** For leaving: a registration is cancelled, rejected, deleted, or put at the end of the line. */
export interface LeaveRules {
  /** Whose moves are possible (`moves.ts`). */
  readonly rights: Actor | "all states";
  /** Possible until the event starts, or at any time. */
  readonly until: "start" | "never";
  /**
   * What becomes of a payment. `by rule`: the person cancels, so `refundUntil` and the rule of the third refund count.
   * `owed`: the club ends it. `as chosen`: by the admin who deletes the event. `ordered`: in the same transaction.
   */
  readonly refund: "by rule" | "owed" | "as chosen" | "ordered";
  /** Mail, chat message and calendar entry. */
  readonly notice: "sent" | "unless begun";
  /** The first in line gets the seat, and a promotion follows. `after all`: the caller promotes, once for all rows. */
  readonly seat: "passed on" | "after all" | "dropped";
  readonly report: "cancelled" | "cancelled by link" | "handed on" | "lapsed" | "not counted";
  /** A payment that comes later may give the seat back. */
  readonly revivable: boolean;
  readonly audit: AuditRule;
}

/** It leaves by no departure (`leave.ts`): it had left before it was moved in, or another person has its seat. */
type LeftOtherwise = Pick<LeaveRules, "report" | "revivable">;

/** For joining: a new registration, also after an ended one. A full event always means the line. */
interface JoinRules {
  /** The claims on the seats (`capacity/demands.ts`) for a seat, and for an application. */
  readonly claims: typeof asPerson | typeof asAdmin | typeof asSuccessor;
  /** Whether opening and deadline, or only the end of registration by hand and the start, a hidden event, and members-only count. */
  readonly times: "obeyed" | "until start" | "ignored";
  readonly hidden: "refused" | "ignored";
  readonly membersOnly: "obeyed" | "ignored";
  /** Whether a partner needs a code where there are some, a code's dates and audience count, and tries are limited. */
  readonly codes: "obeyed" | "ignored";
  /** Whether the event has to be open to people without an account: asked for always, or of a person who has none. */
  readonly guests: "asked for" | "without account" | "ignored";
  /** Whether a person with too many no-shows waits behind others, where the event wants that. */
  readonly noShows: "counted" | "ignored";
  /** Whether the repetitions of a person are counted. */
  readonly budget: "registerAgain" | "none";
  readonly audit: AuditRule;
}

/** For changing a registration that stays: its answers, "I come", points, partner or not, a confirmed seat. */
interface AnswerRules {
  readonly rights: Extract<Actor, "self" | "admin">;
  /** Confirming the seat and "I come" are possible until the event starts, or at any time. */
  readonly until: "start" | "never";
  /** `while open`: until registration ends, and not of a registration that has ended, was rejected, or is forgotten. */
  readonly answers: "while open" | "always";
  /** Whether points and the label of a partner may change. */
  readonly privileges: boolean;
  readonly budget: "changeAnswers" | "none";
  /** What becomes of the money for people who come along no more. */
  readonly refund: "by rule" | "owed";
  readonly audit: AuditRule;
}

/** For ending a person. */
interface EndPersonRules {
  /** The origin of the departures that follow. */
  readonly leaves: LeaveOrigin;
}

/** The act does not come this way. */
const never = undefined;
const [yes, no] = [true, false] as const;
const asPerson = { seat: "newcomer", application: "applicant" } as const;
const asSuccessor = { seat: "transfer", application: "transfer" } as const;
const asAdmin = { seat: "newcomerByAdmin", application: "applicantByAdmin" } as const;

type Table<Rules> = Readonly<Record<Origin, Rules | undefined>>;

// biome-ignore format: one row an origin
export const leaving = {
  "self/account":           { rights: "self",       until: "start", refund: "by rule",   notice: "sent",         seat: "passed on", report: "cancelled",         revivable: no,  audit: "nothing" },
  "self/link":              { rights: "self",       until: "start", refund: "by rule",   notice: "sent",         seat: "passed on", report: "cancelled by link", revivable: no,  audit: "fields" },
  "self/guest":             never,
  "self/transfer":          { report: "handed on", revivable: no },
  "self/desk":              { rights: "admin",      until: "never", refund: "by rule",   notice: "sent",         seat: "passed on", report: "cancelled",         revivable: no,  audit: "nothing" },
  "self/bulk":              { rights: "admin",      until: "never", refund: "by rule",   notice: "sent",         seat: "after all", report: "cancelled",         revivable: no,  audit: "nothing" },
  "self/refund":            { rights: "admin",      until: "never", refund: "ordered",   notice: "sent",         seat: "passed on", report: "cancelled",         revivable: no,  audit: "nothing" },
  "admin/desk":             { rights: "admin",      until: "never", refund: "owed",      notice: "sent",         seat: "passed on", report: "cancelled",         revivable: no,  audit: "fields" },
  "admin/bulk":             { rights: "admin",      until: "never", refund: "owed",      notice: "sent",         seat: "after all", report: "cancelled",         revivable: no,  audit: "fields" },
  "admin/refund":           { rights: "admin",      until: "never", refund: "ordered",   notice: "sent",         seat: "passed on", report: "cancelled",         revivable: no,  audit: "fields" },
  "admin/import":           { report: "cancelled", revivable: no },
  "clock/import":           { report: "lapsed",    revivable: no },
  "clock/hold":             { rights: "system",     until: "never", refund: "owed",      notice: "sent",         seat: "passed on", report: "lapsed",            revivable: yes, audit: "fields" },
  "provider/checkout":      { rights: "payment",    until: "never", refund: "owed",      notice: "sent",         seat: "passed on", report: "lapsed",            revivable: yes, audit: "fields" },
  "event deleted/event":    { rights: "all states", until: "never", refund: "as chosen", notice: "unless begun", seat: "dropped",   report: "not counted",       revivable: no,  audit: "fields" },
  "event called off/event": { rights: "admin",      until: "never", refund: "owed",      notice: "sent",         seat: "dropped",   report: "not counted",       revivable: no,  audit: "fields" },
  "person deleted/account": { rights: "self",       until: "start", refund: "by rule",   notice: "sent",         seat: "passed on", report: "cancelled",         revivable: no,  audit: "nothing" },
  "person deleted/desk":    { rights: "self",       until: "start", refund: "owed",      notice: "sent",         seat: "passed on", report: "cancelled",         revivable: no,  audit: "fields" },
} as const satisfies Table<LeaveRules | LeftOtherwise>;

// biome-ignore format: one row an origin
export const joining = {
  "self/account":           { claims: asPerson, times: "obeyed",  hidden: "refused", membersOnly: "obeyed",  codes: "obeyed",  guests: "ignored",          noShows: "counted", budget: "registerAgain", audit: "nothing" },
  "self/link":              { claims: asPerson, times: "obeyed",  hidden: "refused", membersOnly: "obeyed",  codes: "obeyed",  guests: "without account",  noShows: "counted", budget: "registerAgain", audit: "fields" },
  "self/guest":             { claims: asPerson, times: "obeyed",  hidden: "refused", membersOnly: "obeyed",  codes: "obeyed",  guests: "asked for",        noShows: "counted", budget: "registerAgain", audit: "fields" },
  "self/transfer":          { claims: asSuccessor, times: "until start", hidden: "refused", membersOnly: "obeyed", codes: "ignored", guests: "without account", noShows: "ignored", budget: "registerAgain", audit: "fields" },
  "self/desk":              { claims: asAdmin,  times: "ignored", hidden: "ignored", membersOnly: "ignored", codes: "ignored", guests: "ignored",          noShows: "ignored", budget: "none",          audit: "nothing" },
  "self/bulk":              { claims: asAdmin,  times: "ignored", hidden: "ignored", membersOnly: "ignored", codes: "ignored", guests: "ignored",          noShows: "ignored", budget: "none",          audit: "nothing" },
  "self/refund":            never,
  "admin/desk":             { claims: asAdmin,  times: "ignored", hidden: "ignored", membersOnly: "ignored", codes: "ignored", guests: "ignored",          noShows: "ignored", budget: "none",          audit: "fields" },
  "admin/bulk":             { claims: asAdmin,  times: "ignored", hidden: "ignored", membersOnly: "ignored", codes: "ignored", guests: "ignored",          noShows: "ignored", budget: "none",          audit: "fields" },
  "admin/refund":           never,
  "admin/import":           never,
  "clock/import":           never,
  "clock/hold":             never,
  "provider/checkout":      never,
  "event deleted/event":    never,
  "event called off/event": never,
  "person deleted/account": never,
  "person deleted/desk":    never,
} as const satisfies Table<JoinRules>;

// biome-ignore format: one row an origin
export const answering = {
  "self/account":           { rights: "self",  until: "start", answers: "while open", privileges: no,  budget: "changeAnswers", refund: "by rule", audit: "nothing" },
  "self/link":              { rights: "self",  until: "start", answers: "while open", privileges: no,  budget: "changeAnswers", refund: "by rule", audit: "fields" },
  "self/guest":             never,
  "self/transfer":          never,
  "self/desk":              { rights: "admin", until: "never", answers: "always",     privileges: yes, budget: "none",          refund: "by rule", audit: "nothing" },
  "self/bulk":              { rights: "admin", until: "never", answers: "always",     privileges: yes, budget: "none",          refund: "by rule", audit: "nothing" },
  "self/refund":            never,
  "admin/desk":             { rights: "admin", until: "never", answers: "always",     privileges: yes, budget: "none",          refund: "owed",    audit: "fields" },
  "admin/bulk":             { rights: "admin", until: "never", answers: "always",     privileges: yes, budget: "none",          refund: "owed",    audit: "fields" },
  "admin/refund":           never,
  "admin/import":           never,
  "clock/import":           never,
  "clock/hold":             never,
  "provider/checkout":      never,
  "event deleted/event":    never,
  "event called off/event": never,
  "person deleted/account": never,
  "person deleted/desk":    never,
} as const satisfies Table<AnswerRules>;

export const endingPerson = {
  "self/account": { leaves: "person deleted/account" },
  "self/link": { leaves: "person deleted/account" },
  "self/guest": never,
  "self/transfer": never,
  "self/desk": { leaves: "person deleted/account" },
  "self/bulk": never,
  "self/refund": never,
  "admin/desk": { leaves: "person deleted/desk" },
  "admin/bulk": never,
  "admin/refund": never,
  "admin/import": never,
  "clock/import": never,
  "clock/hold": never,
  "provider/checkout": never,
  "event deleted/event": never,
  "event called off/event": never,
  "person deleted/account": never,
  "person deleted/desk": never,
} as const satisfies Table<EndPersonRules>;

/** The origins for which a table has rules of this kind. */
type OriginsOf<T, Rules> = { [O in keyof T]: T[O] extends Rules ? O : never }[keyof T];
export type LeaveOrigin = OriginsOf<typeof leaving, LeaveRules>;
export type JoinOrigin = OriginsOf<typeof joining, JoinRules>;
/** The origins of a registration that asks for a seat of its own. */
export type EntryOrigin = Exclude<JoinOrigin, "self/transfer">;
export type AnswerOrigin = OriginsOf<typeof answering, AnswerRules>;
export type EndPersonOrigin = OriginsOf<typeof endingPerson, EndPersonRules>;

/** The claim on the seats by which one changes its person (`capacity/demands.ts`). */
export const claimOfTransfer = asSuccessor.seat;
export const leaveRules = (origin: LeaveOrigin): LeaveRules => leaving[origin];
export const joinRules = (origin: JoinOrigin): JoinRules => joining[origin];
export const claimsOf = (origin: EntryOrigin): typeof asPerson | typeof asAdmin => joining[origin].claims;
export const answerRules = (origin: AnswerOrigin): AnswerRules => answering[origin];
export const endPersonRules = (origin: EndPersonOrigin): EndPersonRules => endingPerson[origin];

/** How the report counts a registration that has ended. @param left absent: nothing is known about its end */
export const reportOf = (left: Origin | undefined): LeaveRules["report"] =>
  (left && leaving[left]?.report) ?? "cancelled";

/** Whether a payment that comes late may give the seat back. */
export const isRevivable = (left: Origin | undefined): boolean => (left && leaving[left]?.revivable) ?? false;

/** The origin of a caller's act. */
export const originOf = <W extends "desk" | "bulk" | "refund">(
  caller: { readonly email: string; readonly isAdmin: boolean },
  email: string,
  way: W,
): `self/${W}` | `admin/${W}` | "self/account" => {
  if (!caller.isAdmin) return "self/account";
  return caller.email === email ? `self/${way}` : `admin/${way}`;
};
