/** What has to be true of refunds: at every write, and when everything was delivered. */
import { statusOf } from "#domain/payments/record/dispute.ts";
import type { Payment, Refund, Sums } from "#domain/payments/record/payment.ts";
import { isOpen } from "#domain/payments/record/waits-for.ts";
import { isOver, type MadeRefund } from "./refunds-provider.ts";
import { isSettled, paymentStateOf, type RefundWorld, sumsOf, unsentOf } from "./refunds-world.ts";
import type { Changed } from "./table.ts";

/** A rule, and how it was broken. */
export interface Violation {
  readonly rule: string;
  readonly how: unknown;
}

const sum = (all: readonly { readonly amount: number }[]): number =>
  all.reduce((total, { amount }) => total + amount, 0);
const hasFailed = ({ status }: MadeRefund): boolean => status === "failed";
const keysOf = (facts: object | undefined): string[] => Object.keys(facts ?? {});

/** A record and the payment at the provider. */
type Paid = RefundWorld["payments"][number];

export class Judge {
  readonly violations: Violation[] = [];

  #expect(rule: string, isTrue: boolean, how: unknown): void {
    if (!isTrue) this.violations.push({ rule, how });
  }

  #equal(rule: string, is: unknown, wanted: unknown): void {
    this.#expect(rule, JSON.stringify(is) === JSON.stringify(wanted), { is, wanted });
  }

  /** Sees a write. */
  readonly watch = (world: RefundWorld, changes: readonly Changed[]): void => {
    for (const { before, after } of changes) {
      if (after?.SK !== "PAYMENT") continue;
      this.#judgeWrite(world, before as Payment | undefined, after as unknown as Payment);
    }
  };

  #judgeWrite(world: RefundWorld, before: Payment | undefined, after: Payment): void {
    for (const facts of ["refunds", "disputes", "lines"] as const) {
      const lost = keysOf(before?.[facts]).filter((id) => !after[facts]?.[id]);
      this.#equal("nothing known is forgotten", lost, []);
    }
    if (keysOf(after.kept).length > keysOf(before?.kept).length) {
      this.#equal("what was kept is not owed", [unsentOf(after), after.review ?? ""], [0, ""]);
    }
    for (const [id, refund] of Object.entries(after.refunds ?? {})) {
      if (refund.state !== "reserved" || before?.refunds?.[id]) continue;
      this.#judgeReservation(world, id, after);
    }
  }

  #judgeReservation({ asked, messages, mode }: RefundWorld, id: string, { refunds = {}, money }: Payment): void {
    const taken = sum(Object.values(refunds).filter(({ state }) => state !== "failed"));
    this.#expect("a reservation fits the payment", taken <= money.amount, { id, taken, came: money.amount });
    const isRequired = mode === "automatic" && messages.some(({ message }) => message.id === id);
    this.#expect("a refund was asked for or required", asked.has(id) || isRequired, id);
  }

  /** Between two steps. */
  judgeStep({ provider, payments }: RefundWorld): void {
    for (const { intent, amount } of payments) {
      const made = new Set(provider.refundsIn(intent).map(({ refundId }) => refundId));
      const failed = new Set(
        provider
          .refundsIn(intent)
          .filter(hasFailed)
          .map(({ refundId }) => refundId),
      );
      const refused = provider.refusals;
      const open = new Map(
        provider.orders
          .filter((order) => order.intent === intent)
          .filter(({ refundId }) => !failed.has(refundId) && (made.has(refundId) || !refused.has(refundId)))
          .map((order) => [order.refundId, order]),
      );
      this.#expect("not more is sent than came in", sum([...open.values()]) <= amount, [...open.values()]);
    }
    const own = provider.refunds.flatMap(({ refundId }) => refundId ?? []);
    this.#equal("a refund is made once", own.length, new Set(own).size);
  }

  /** When all was delivered. The last payout is still to come, because every write may tell what was forgotten. */
  judgeTold(world: RefundWorld): void {
    for (const { intent } of world.payments) {
      const record = world.record(intent);
      if (isSettled(record)) this.#judgeNews(world, record);
    }
  }

  /** When all was delivered, and is in a payout. */
  judgeEnd(world: RefundWorld): void {
    this.#expect("at last nothing new comes", world.isQuiet, world.now);
    this.judgeStep(world);
    for (const payment of world.payments) {
      const record = world.record(payment.intent);
      if (!isSettled(record)) this.#expect("a payment is settled", false, payment.intent);
      else {
        this.#judgeRefunds(world, payment, record);
        this.#judgeSums(world, payment, record);
        this.#judgeNews(world, record);
      }
    }
    const known = world.payments.flatMap(({ intent }) => keysOf(world.record(intent)?.refunds));
    const own = world.ownRefunds();
    const shown = own.flatMap(({ refundId, state }) => (state === "owed" ? [] : [refundId]));
    this.#equal("people see their refunds", shown.toSorted(), known.toSorted());
    const settled = world.payments.flatMap(({ intent }) => world.record(intent) ?? []).filter(isSettled);
    const owed = settled.map((one) => [one.paymentId, unsentOf(one)]).filter(([, amount]) => amount !== 0);
    const shownOwed = own.filter(({ state }) => state === "owed").map(({ refundId, amount }) => [refundId, amount]);
    this.#equal("what is owed is shown", shownOwed.toSorted(), owed.toSorted());
    const open = settled.filter(isOpen).map(({ money }) => money.paymentIntent);
    this.#equal("what is open is listed", world.listed().toSorted(), open.toSorted());
    const told = world.told("payment.refundStarted").map(({ refundId }) => refundId);
    this.#equal(
      "a refund that has started is there",
      [...told].filter((id) => !known.includes(id)),
      [],
    );
  }

  #judgeRefunds(world: RefundWorld, { intent }: Paid, { refunds = {}, email }: Payment): void {
    const made = world.provider.refundsIn(intent);
    for (const one of made) this.#judgeMade(one, refunds);
    for (const [id, { providerId, state, amount, isByHand }] of Object.entries(refunds)) {
      if (isByHand) this.#equal("what was given back has gone back", state, "succeeded");
      else if (providerId === undefined) {
        const wasMade = made.some(({ refundId }) => refundId === id);
        this.#expect("a refund has the provider's state", state === "failed" && !wasMade, { id, state, wasMade });
      } else
        this.#expect(
          "a refund is the provider's",
          made.some((one) => one.id === providerId),
          id,
        );
      const own = world.ownRefunds().find(({ PK, refundId }) => refundId === id && PK === `USER#${email}`);
      this.#equal("people see their refunds", [own?.state, own?.amount], [state, amount]);
    }
  }

  #judgeMade(made: MadeRefund, refunds: Readonly<Record<string, Refund>>): void {
    const { id, refundId, amount, status } = made;
    const [known, ...more] = Object.entries(refunds).filter(([, { providerId }]) => providerId === id);
    const wanted = [refundId ?? id, hasFailed(made) ? "failed" : status, amount];
    this.#equal("a refund has the provider's state", known && [known[0], known[1].state, known[1].amount], wanted);
    this.#equal("a refund is recorded once", more, []);
  }

  #judgeSums(world: RefundWorld, { intent, amount }: Paid, record: Payment): void {
    const { provider } = world;
    const taken = (isMeant: (status: string) => boolean): number =>
      sum(
        provider
          .disputesOf(intent)
          .filter(({ status }) => isMeant(status))
          .map(({ taken }) => ({ amount: taken })),
      );
    const byHand = sum(Object.values(record.refunds ?? {}).filter(({ isByHand }) => isByHand));
    const refunded = sum(provider.refundsIn(intent).filter(({ status }) => status === "succeeded"));
    const wentBack = refunded + byHand + taken((status) => status === "prevented");
    const lost = taken((status) => status === "lost");
    const frozen = taken((status) => status !== "prevented" && status !== "lost");
    const lines = provider.linesOf(intent);
    const fee = lines.reduce((total, line) => total + line.fee, 0);
    const { open, ...sums } = sumsOf(record);
    this.#equal("the sums are the provider's", sums, { came: amount, fee, wentBack, frozen, lost });
    this.#equal("the lines are the provider's", keysOf(record.lines).toSorted(), lines.map(({ id }) => id).toSorted());
    const state =
      frozen > 0
        ? "frozen"
        : lost > 0
          ? "lost"
          : wentBack === 0
            ? "kept"
            : wentBack < amount
              ? "part refunded"
              : "refunded";
    this.#equal("the state is the provider's", paymentStateOf(record), state);
    const isLocked = provider.disputesOf(intent).some((one) => !isOver(one) && one.taken > 0);
    this.#judgeOpen(world, record, { open, wentBack, left: amount - wentBack - frozen - lost, isLocked });
  }

  #judgeOpen(
    world: RefundWorld,
    record: Payment,
    sums: Pick<Sums, "open" | "wentBack"> & { readonly left: number; readonly isLocked: boolean },
  ): void {
    const { open, wentBack, left, isLocked } = sums;
    const { refunds = {}, kept = [] } = record;
    this.#expect("what is still owed is open", open >= 0 && open <= Math.max(left, 0), { open, wentBack });
    if (isLocked) {
      this.#equal("what is still owed is open", open, 0);
      return;
    }
    const decided = new Set(kept.flatMap(({ failedRefunds }) => failedRefunds));
    const failed = Object.entries(refunds).filter(([id, { state }]) => state === "failed" && !decided.has(id));
    for (const [, { amount }] of failed) {
      const isThere = open + wentBack >= Math.min(amount, wentBack + Math.max(left, 0));
      this.#expect("a failed refund is owed again", isThere, { open, wentBack, amount });
    }
    if (kept.length > 0 || failed.length > 0) return;
    const owed = this.#owed(world, record).map((all) => Math.max(Math.min(all - wentBack, left), 0));
    this.#expect("what is still owed is open", owed.includes(open), { open, owed });
  }

  /** What had to go back in all. The treasurer decides about the money of a person who cancelled late or often. */
  #owed(world: RefundWorld, { paymentId, money }: Payment): number[] {
    const required = world.messages.filter(
      ({ message }) => message.type === "payment.refundRequired" && message.data.paymentId === paymentId,
    );
    if (required.length === 0) return [0];
    const byClub = required.some(({ message }) => !("cancelledByPerson" in message.data));
    const isReviewed = world
      .told("payment.refundByHand")
      .some((one) => one.paymentId === paymentId && /late|third/.test(one.because));
    return byClub || !isReviewed ? [money.amount] : [0, money.amount];
  }

  #judgeNews(world: RefundWorld, { paymentId, money, refunds = {}, disputes = {} }: Payment): void {
    const told = (type: string) => world.told(type).filter((one) => one.paymentId === paymentId);
    for (const [id, { state, providerId, isByHand }] of Object.entries(refunds)) {
      const started = told("payment.refundStarted").filter(({ refundId }) => refundId === id).length;
      // A refund may have failed before it was known that the provider has it.
      const mayBeUntold = isByHand || state === "failed";
      this.#expect("a started refund is told once", started === 1 || (started === 0 && mayBeUntold), { id, started });
      if (providerId === undefined) this.#equal("nobody is promised what the provider refuses", started, 0);
      const delays = told("payment.refundDelayed").filter(({ refundId }) => refundId === id);
      this.#expect("a delay is told once", delays.length <= 1, delays);
      const failed = told("payment.refundFailed").filter(({ refundId }) => refundId === id);
      this.#equal("a failed refund is told once", failed.length, state === "failed" ? 1 : 0);
      if (failed[0])
        this.#equal("who was promised money hears that it failed", failed[0].wasTold ?? false, started === 1);
    }
    const disputed = told("payment.disputed").map(({ disputeId, state }) => `${disputeId} ${state}`);
    // A dispute may come back to a status.
    const spare = [...world.provider.moves];
    const repeated = disputed.filter((one) => {
      const at = spare.indexOf(one);
      if (at >= 0) spare.splice(at, 1);
      return at < 0;
    });
    this.#equal("a dispute is told once", repeated, []);
    for (const [id, dispute] of Object.entries(disputes)) {
      const state = statusOf(dispute);
      this.#expect("a dispute is told", disputed.includes(`${id} ${state}`), { id, state, disputed });
    }
    const made = world.provider.disputesOf(money.paymentIntent ?? "");
    this.#equal("a dispute is known", keysOf(disputes).toSorted(), made.map(({ id }) => id).toSorted());
  }
}
