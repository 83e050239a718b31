/**
 * What a payment makes of a registration (`design.md`, section 7). Each payment settles once, as a seat or as a refund,
 * whatever the order and however often its news come.
 */
import { again, untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import type { EventKey } from "../events/event.ts";
import { type Origin, outboxRow } from "../outbox/store.ts";
import { type ArrivedMoney, completedNews, refundNews } from "../payments/money.ts";
import { putSettled, readSettlement, type Settlement } from "../payments/store.ts";
import { roomFor, type Seats } from "../seats/seats.ts";
import { readSeats, recount, takeSeatLate } from "../seats/store.ts";
import { membersOf } from "./change.ts";
import { findMove, type State, stateOf } from "./moves.ts";
import { holderOf, type RegistrationRecord } from "./registration.ts";
import { type RegistrationKey, readRegistration } from "./store.ts";
import { afterMove, newsOf } from "./transition.ts";

/** Money that has arrived for a registration. */
export interface Payment extends RegistrationKey, ArrivedMoney {
  /** The arrival of the registration that it was made for: one that began again later is another one. */
  readonly waitKey: string;
  /** Names this piece of news. */
  readonly arrival: string;
}

const paidWith = ({ paymentId, money }: Payment) => ({ paidBy: paymentId, paid: money });

/** The registration waits for this payment. */
function settled(current: RegistrationRecord, event: EventKey, payment: Payment, origin: Origin) {
  const state = stateOf(current) as State;
  const to = state === "incomplete" ? "registered" : state === "acceptedPending" ? "acceptedComplete" : undefined;
  const move = to && findMove(state, to, { priced: true, application: false }, "payment");
  if (!move || current.waitKey !== payment.waitKey) return undefined;
  const occasion = { now: origin.now, arrival: payment.arrival };
  const after = afterMove(current, move, occasion, paidWith(payment));
  const seats = recount(event, current.incarnation, holderOf(current), holderOf(after));
  return membersOf({ before: current, after, news: newsOf(move, after), seats }, origin);
}

const registeredAgain = { to: "registered", emits: "registration.registered", tells: "registered" } as const;
/** Who was accepted stays accepted. */
const acceptedAgain = {
  to: "acceptedComplete",
  emits: "registration.acceptedComplete",
  tells: "acceptedComplete",
} as const;

/** The payment came after the hold was over: the seat is theirs if it is free and nobody has had to wait. */
async function revived(current: RegistrationRecord, event: EventKey, payment: Payment, origin: Origin) {
  const isLate = current.status === "cancelled" && current.endedBecause === "hold over";
  if (!isLate || current.waitKey !== payment.waitKey) return undefined;
  const seats = await readSeats(event, "strong");
  const isOpen = seats && seats.gate === "O" && seats.seats < seats.cap && seats.state === "OPEN";
  if (!isOpen || !roomFor(current.choices, seats)) return undefined;
  if (seats.incarnation !== current.incarnation || seats.startsAt <= origin.now) return undefined;
  const move = current.applicationBased ? acceptedAgain : registeredAgain;
  const occasion = { now: origin.now, arrival: payment.arrival };
  const after = afterMove(current, move, occasion, paidWith(payment));
  const seat = takeSeatLate(event, current.incarnation, holderOf(after), origin.now);
  return membersOf({ before: current, after, news: newsOf(move, after), seats: seat }, origin);
}

/**
 * Settles a payment.
 * @throws Contended UnknownOutcome the provider must bring the news again
 */
export function settle(payment: Payment, origin: Origin): Promise<Settlement> {
  const { event, paymentId, waitKey } = payment;
  const purpose = { kind: "event", event, waitKey } as const;
  /** Creations of the event whose seats are gone: it was deleted, and perhaps made again, while somebody paid for it. */
  const gone = new Set<string>();
  return untilSettled(async () => {
    const [before, current] = await Promise.all([readSettlement(paymentId), readRegistration(payment, "strong")]);
    if (before) return before;
    const mayHaveSeat = current && !gone.has(current.incarnation);
    const seat =
      mayHaveSeat && (settled(current, event, payment, origin) ?? (await revived(current, event, payment, origin)));
    const as: Settlement = seat ? "seat" : "refund";
    const news = seat ? completedNews(payment, purpose) : refundNews(payment, purpose, "nothing to pay");
    const members = { ...seat, paymentNews: outboxRow(news, origin), payment: putSettled(payment, as) };
    const outcome = await commit(members);
    if (outcome.committed) return as;
    // Whoever is refused by other seats than those of their registration would be so for ever.
    const { seats } = outcome.refused as { seats?: Seats | null };
    if (current && seats !== undefined && seats?.incarnation !== current.incarnation) gone.add(current.incarnation);
    return again;
  });
}
