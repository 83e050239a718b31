/** Types and rules of notices (`docs/contract.md`, "Notices"). Pure. */
import type { Money } from "#outbox/catalogue.ts";
import { channelsOf, type InviteStatus, type MailKind, type NoticeKind, type SeatKind } from "#outbox/notice-kinds.ts";

/** The event, or its state when it was deleted. */
export interface NoticeEvent {
  readonly id: string;
  readonly year: number;
  readonly ename: string;
  /** IANA name. Absent: the stage's. */
  readonly timeZone?: string;
  /** ISO 8601, UTC. */
  readonly startDate?: string;
  readonly endDate?: string;
  readonly wholeDays?: { readonly startDate?: string; readonly endDate?: string };
  readonly elocation?: string;
  /** The address for answers, instead of the stage's. */
  readonly replyTo?: string;
  readonly description?: string;
  /** The event is deleted, so it no longer has a page. */
  readonly isGone?: boolean;
  /** The event does not take place: what the club says about it. */
  readonly calledOff?: string;
  /** The event was shown, and is hidden now. */
  readonly isOffProgram?: boolean;
}

export interface NoticeInvite {
  /** The same for all invites of a registration. */
  readonly uid: string;
  /** Increases with every invite of this `uid`, so that calendars recognize the latest one (RFC 5545). */
  readonly sequence: number;
  /** Whether an invite may have been sent before. A cancellation is sent only then. */
  readonly wasSent: boolean;
}

export interface Notice {
  readonly kind: NoticeKind;
  /** The person got the seat after some time in line. */
  readonly movedUp?: boolean;
  /** Only for a rescheduled event: it was hidden, and is shown again. */
  readonly isBack?: boolean;
  /** The person was deleted. */
  readonly isDeleted?: boolean;
  /** The event has begun, or is over, when the mail is sent. */
  readonly hasBegun?: boolean;
  readonly isOver?: boolean;
  /** The person has handed the seat on to another one, or has it from another one. */
  readonly handedOn?: boolean;
  readonly isTakenOver?: boolean;
  /** An admin gave the person's seat to the next in line. */
  readonly movedDown?: boolean;
  /** Only for a rescheduled event and a reminder: the state of the person's registration. Default: `registered`. */
  readonly standing?: SeatKind;
  readonly person: { readonly email: string; readonly fname: string };
  readonly event: NoticeEvent;
  /** Place in line from 1. */
  readonly waitlistPosition?: number;
  /** Instead of the position: more than this many people are ahead. */
  readonly waitlistAhead?: number;
  /** The person waits behind those who come. */
  readonly isBehindOthers?: boolean;
  /** What was paid for the seat. `at`: epoch milliseconds; older records lack it. */
  readonly paid?: Pick<Money, "amount" | "currency"> & { readonly at?: number | undefined };
  readonly toPay?: Pick<Money, "amount" | "currency">;
  /** That money is a deposit, which has not gone back. */
  readonly isDeposit?: boolean;
  /** Deadline for the payment, epoch milliseconds. */
  readonly holdExpiresAt?: number;
  /** The content of the QR code. */
  readonly ticketCode?: string;
  /** The secret of a link to the registration. */
  readonly linkSecret?: string;
  readonly invite?: NoticeInvite;
  /** Time of the change that the notice is about, epoch milliseconds. */
  readonly updatedAt: number;
}

export type MailNotice = Notice & { readonly kind: MailKind };

export const hasMail = (notice: Notice): notice is MailNotice => channelsOf[notice.kind].mail;

/** The content of the QR code, for a notice that has one. */
export const ticketOf = ({ kind, ticketCode }: Notice): string | undefined =>
  channelsOf[kind].qr ? ticketCode : undefined;

/** The new status of the calendar entry. Undefined when the event has no start, or when there is no entry to cancel. */
export function inviteStatusOf({ kind, standing = "registered", event, invite }: MailNotice): InviteStatus | undefined {
  if (!invite || !event.startDate || kind === "feedback") return undefined;
  const status = channelsOf[kind === "moved" || kind === "reminder" ? standing : kind].invite;
  if (event.isOffProgram && status !== "CANCELLED") return kind === "moved" ? "CANCELLED" : undefined;
  return status === "CANCELLED" && !invite.wasSent ? undefined : status;
}
