/**
 * What a payment has brought and its person still has: a seat, or the membership. Either is marked with what became of the
 * money, so that executives and the door see it.
 */

import type { Deposit } from "#domain/events/pricing.ts";
import type { MemberRecord } from "#domain/people/members/member.ts";
import { readMember, replaceMember } from "#domain/people/members/store.ts";
import { hasPaidLatest } from "#domain/people/members/terms.ts";
import { factOf, holdsSeat, type RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { hasEarnedDeposit, rewritten } from "#domain/registrations/record/transition.ts";
import { membersOf } from "#domain/registrations/store/change.ts";
import { readRegistration } from "#domain/registrations/store/store.ts";
import type { RequestContext } from "#kit/request/context.ts";
import type { Transaction } from "#kit/table/table.ts";
import { auditRow, changesOf } from "#outbox/audit.ts";
import { hasLeft, type Payment, restOf, unsentOf } from "../record/payment.ts";

export interface Brought {
  readonly seat?: RegistrationRecord;
  readonly member?: MemberRecord;
}

/** Strongly consistent. A membership that began after the payment, or has had a term since, is not its own. */
export async function readBrought({
  email,
  holder = email,
  paymentId,
  purpose,
  as,
  settledAt,
}: Payment): Promise<Brought> {
  if (purpose.kind === "event") {
    const seat = await readRegistration({ email: holder, event: purpose.event }, "strong");
    return seat?.paidBy === paymentId && holdsSeat(seat) ? { seat } : {};
  }
  const member = as === "membership" ? await readMember(email) : undefined;
  return member && hasPaidLatest(member, { paymentId, settledAt }) ? { member } : {};
}

type Mark = Pick<MemberRecord, "refunded" | "owes"> & Pick<RegistrationRecord, "paid" | "deposit">;

const markOf = (payment: Payment): Mark => ({
  refunded: hasLeft(payment) || undefined,
  ...(payment.byHand && { owes: restOf(payment) || undefined }),
});

/**
 * What has become of a deposit. Who came while the money was gone has earned it once the money is there: a refund has failed, a
 * dispute is won, or cash was taken after the check-in.
 */
function depositOf(known: Deposit, { status }: RegistrationRecord, payment: Payment): Deposit {
  if (!hasEarnedDeposit({ deposit: known })) {
    if (payment.money.amount === 0) return "agreed";
    if (status !== "checkedIn" || hasLeft(payment) || payment.kept) return "held";
  }
  if (hasLeft(payment)) return "returned";
  if (payment.kept && payment.deposit === "due" && unsentOf(payment) === 0) return "kept";
  return payment.byHand ? "dueByHand" : "due";
}

function markOfSeat(seat: RegistrationRecord, payment: Payment): Mark {
  const mark = { ...markOf(payment), ...(payment.byHand && { paid: payment.money }) };
  const deposit = seat.deposit && depositOf(seat.deposit, seat, payment);
  if (deposit === undefined) return mark;
  // A deposit that went back makes no refunded seat, and nothing is left to pay of it.
  return hasEarnedDeposit({ deposit })
    ? { ...mark, deposit, refunded: undefined, owes: undefined }
    : { ...mark, deposit };
}

const isMarked = (record: Mark, mark: Mark): boolean =>
  Object.entries(mark).every(([name, value]) => JSON.stringify(record[name as keyof Mark]) === JSON.stringify(value));

/** The members that mark what the payment has brought. None when nothing changes. Refused when it has changed since the read. */
export function markMembers(payment: Payment, { seat, member }: Brought, context: RequestContext): Transaction {
  if (seat) {
    const mark = markOfSeat(seat, payment);
    if (isMarked(seat, mark)) return {};
    const after = { ...seat, ...rewritten(context, seat), ...mark };
    const message = { type: "registration.updated", data: factOf(after) } as const;
    return membersOf({ before: seat, after, message, audit: "fields" }, context);
  }
  const mark = markOf(payment);
  if (!member || isMarked(member, mark)) return {};
  const after = { ...member, ...mark, updatedAt: context.now };
  const row = { action: "member.updated", email: member.email, changes: changesOf(member, after) };
  return { member: replaceMember(after, member), memberAudit: auditRow(row, context) };
}
