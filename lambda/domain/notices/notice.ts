/** What a person is told about a registration. Pure. */
import { channelsOf, type InviteStatus, type MailKind, type NoticeKind, type SeatKind } from "#outbox/notice-kinds.ts";

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
