/** What a person is told about a registration, and which channels carry it (`contract.md`, section 8). Pure. */

/** Notices hang on the move, not on the state: undoing a check-in is none, sending a ticket again is one. */
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
  | "moved";

/** The event as it is now; a cancelled one as it was. */
export interface NoticeEvent {
  readonly id: string;
  readonly year: number;
  readonly ename: string;
  /** ISO 8601, UTC. */
  readonly startDate?: string;
  readonly endDate?: string;
  readonly elocation?: string;
  readonly description?: string;
}

export interface NoticeInvite {
  /** Stable per registration. */
  readonly uid: string;
  /** Rises with every invite of this `uid`. */
  readonly sequence: number;
  /** An invite was sent before, so that there is something to cancel. */
  readonly wasSent: boolean;
}

export interface Notice {
  readonly kind: NoticeKind;
  /** Came up from the waitlist. */
  readonly movedUp?: boolean;
  /** Of a moved event: where the person stands, unchanged by the move. Default: `registered`. */
  readonly standing?: SeatKind;
  readonly person: { readonly email: string; readonly fname: string };
  readonly event: NoticeEvent;
  /** From 1. */
  readonly waitlistPosition?: number;
  /** Epoch milliseconds: until when to pay. */
  readonly holdExpiresAt?: number;
  /** What the QR shows. */
  readonly ticketCode?: string;
  readonly invite?: NoticeInvite;
  /** Epoch milliseconds: when what the notice tells came to be. */
  readonly updatedAt: number;
}

/** Who sends the notices. */
export interface House {
  /** Default: the display name of the sender. */
  readonly clubName?: string;
  /** The mail's From, `Club Events <events@club.example>`. */
  readonly sender: string;
  readonly webAppUrl: string;
  /** IANA name. */
  readonly timeZone: string;
}

/** The calendar entry's STATUS. */
export type InviteStatus = "CONFIRMED" | "TENTATIVE" | "CANCELLED";

export interface Channels {
  readonly mail: boolean;
  readonly qr: boolean;
  /** `asStanding`: the entry keeps the status of where the person stands. */
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
} as const satisfies Record<NoticeKind, Channels>;

/** Kinds of a person who holds a seat. */
export type SeatKind = "registered" | "acceptedComplete" | "incomplete" | "acceptedPending" | "accepted";

export type MailKind = { [K in NoticeKind]: (typeof channelsOf)[K]["mail"] extends true ? K : never }[NoticeKind];
export type MailNotice = Notice & { readonly kind: MailKind };

export const hasMail = (notice: Notice): notice is MailNotice => channelsOf[notice.kind].mail;

/** What the QR of this notice shows, if it has one. */
export const ticketOf = ({ kind, ticketCode }: Notice): string | undefined =>
  channelsOf[kind].qr ? ticketCode : undefined;

/** What the calendar entry becomes; undefined without invite: nothing to put into a calendar, or nothing to cancel. */
export function inviteStatusOf({ kind, standing = "registered", event, invite }: MailNotice): InviteStatus | undefined {
  if (!invite || !event.startDate) return undefined;
  const status = channelsOf[kind === "moved" ? standing : kind].invite;
  return status === "CANCELLED" && !invite.wasSent ? undefined : status;
}

/** Where a person looks at the event, pays, confirms and cancels. */
export const eventUrl = ({ id, year }: NoticeEvent, { webAppUrl }: House): string =>
  `${webAppUrl.replace(/\/+$/, "")}/events/${encodeURIComponent(id)}/${year}`;
