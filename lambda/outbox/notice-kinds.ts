/** The kinds of notices, and the channels of each (`docs/contract.md`, "Notices"). Pure. */

/** A notice belongs to a move, not to a state: undoing a check-in sends none, resending a ticket sends one. */
export type NoticeKind =
  | "registered"
  | "acceptedComplete"
  | "waitlist"
  | "incomplete"
  | "acceptedPending"
  | "applicant"
  | "accepted"
  | "rejected"
  | "cancelled"
  | "checkedIn"
  | "moved"
  | "reminder"
  | "feedback";

/** The calendar entry's STATUS. */
export type InviteStatus = "CONFIRMED" | "TENTATIVE" | "CANCELLED";

export interface Channels {
  readonly mail: boolean;
  readonly qr: boolean;
  /** `asStanding`: the entry has the status for the registration's state. */
  readonly invite?: InviteStatus | "asStanding";
  readonly chat: boolean;
}

const confirmed = { mail: true, qr: true, invite: "CONFIRMED", chat: true } as const;
const tentative = { mail: true, qr: true, invite: "TENTATIVE", chat: true } as const;
const ended = { mail: true, qr: false, invite: "CANCELLED", chat: true } as const;

export const channelsOf = {
  registered: confirmed,
  acceptedComplete: confirmed,
  waitlist: tentative,
  incomplete: tentative,
  acceptedPending: tentative,
  applicant: tentative,
  accepted: tentative,
  rejected: ended,
  cancelled: ended,
  checkedIn: { mail: false, qr: false, chat: true },
  moved: { mail: true, qr: false, invite: "asStanding", chat: false },
  reminder: { mail: true, qr: true, invite: "asStanding", chat: false },
  feedback: { mail: true, qr: false, chat: false },
} as const satisfies Record<NoticeKind, Channels>;

/** The kinds for seat holders. */
export type SeatKind = "registered" | "acceptedComplete" | "incomplete" | "acceptedPending" | "accepted";

export type MailKind = { [K in NoticeKind]: (typeof channelsOf)[K]["mail"] extends true ? K : never }[NoticeKind];
