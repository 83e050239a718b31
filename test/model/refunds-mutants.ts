/** Mutants of the refunds. Each takes one rule away, and the sequences must show it. */

import type { MoneyProvider } from "#domain/payments/provider/refund-calls.ts";
import type { Dispute } from "#domain/payments/record/dispute.ts";
import type { BankLine, ProviderRefund, StoredPayment } from "#domain/payments/record/payment.ts";
import type { RefundsProvider } from "./refunds-provider.ts";
import type { Happening, Plan, Pure, Sabotage } from "./refunds-world.ts";
import { type Write, writesOf } from "./table.ts";

export interface RefundMutant {
  readonly name: string;
  /** One of these rules is enough. */
  readonly breaks: readonly string[];
  /** Steps that need the rule, if random ones rarely do. */
  readonly where?: readonly (readonly Happening["kind"][])[];
  /** What the payment of these steps is used for. A seat when absent. */
  readonly use?: Plan["use"];
  /** Whether it takes hundreds of sequences: only `test/deep/refunds.test.ts` has them. */
  readonly isRare?: boolean;
  readonly make: () => Sabotage;
}

const isPayment = ({ Key, Item }: Write): boolean => (Key ?? Item)?.SK === "PAYMENT";
const refundsIn = ({ Item }: Write): readonly { readonly state: string }[] => Object.values(Item?.refunds ?? {});
const reserves = (write: Write): boolean => refundsIn(write).some(({ state }) => state === "reserved");

type Make = RefundMutant["make"];

/** Changes the writes of a call. */
const written =
  (change: (write: Write) => void): Make =>
  () => ({ mutate: ({ command }) => writesOf(command).forEach(change) });

/** Writes some payments whatever is stored. */
const unconditionally = (isMeant: (write: Write) => boolean): Make =>
  written((write) => {
    if (isPayment(write) && isMeant(write) && write.ConditionExpression !== undefined)
      Object.assign(write, { ConditionExpression: undefined, ExpressionAttributeValues: undefined });
  });

/** Replaces some answers of the provider. */
const asked =
  (change: (own: MoneyProvider, at: RefundsProvider) => Partial<MoneyProvider>): Make =>
  () => ({
    provider: (own, at) => ({ ...own, refund: (order) => own.refund(order), ...change(own, at) }),
  });

/** Replaces a pure function. */
const pure =
  <Name extends keyof Pure>(name: Name, change: (own: Pure[Name]) => Pure[Name]): Make =>
  () => ({ pure: (all) => ({ [name]: change(all[name]) }) });

/** Some facts leave the payment as it was. */
const ignored =
  <Rest extends unknown[]>(
    own: (payment: StoredPayment, ...rest: Rest) => StoredPayment,
    isMeant: (payment: StoredPayment, ...rest: Rest) => boolean,
  ) =>
  (payment: StoredPayment, ...rest: Rest): StoredPayment =>
    isMeant(payment, ...rest) ? payment : own(payment, ...rest);

/** Replaces the news of a change. */
const told = (change: (news: News) => News): Make =>
  pure("newsOf", (own) => (before, after) => own(before, after).map(change));
type News = ReturnType<Pure["newsOf"]>[number];

type Told = readonly [id: string | undefined, told: ProviderRefund, at: number];

export const mutants: readonly RefundMutant[] = [
  {
    name: "a reservation does not ask for the version that was read",
    breaks: ["nothing known is forgotten", "a refund that has started is there"],
    where: [["settle"], ["ask", "ask"]],
    make: unconditionally((write) => reserves(write) && write.ConditionExpression === "version = :read"),
  },
  {
    name: "every change of a payment is written unconditionally",
    breaks: ["nothing known is forgotten"],
    make: unconditionally(() => true),
  },
  {
    name: "a refused refund stays reserved",
    breaks: ["a refund has the provider's state"],
    make: pure("withRefusal", (own) => ignored(own, () => true)),
  },
  {
    name: "every try has an idempotency key of its own",
    isRare: true,
    breaks: ["a refund is made once", "a failed refund is told once"],
    where: [["settle"], ["ask"], ["message"], ["message"]],
    make: () => {
      const tries = new Map<string, number>();
      return {
        key(key) {
          const before = tries.get(key) ?? 0;
          tries.set(key, before + 1);
          return `${key} ${before}`;
        },
      };
    },
  },
  {
    name: "a 500 gets another key without a look",
    breaks: ["a refund is made once", "a failed refund is told once"],
    make: asked((own) => ({
      refund: (order) => ({ ...own, refundsOf: async () => [] }).refund({ ...order, isOld: true }),
    })),
  },
  {
    name: "the provider is not asked for a refund of yesterday",
    breaks: ["a refund is made once", "a failed refund is told once"],
    where: [["settle"], ["ask"], ["message"], ["time"], ["message"]],
    make: asked(() => ({ refundsOf: async () => [] })),
  },
  {
    name: "a call without an answer counts as refused",
    isRare: true,
    breaks: ["a refund has the provider's state", "a failed refund is told once"],
    make: asked((own) => ({ refund: (order) => own.refund(order).catch(() => "no_answer") })),
  },
  {
    name: "a refund of the dashboard is not adopted",
    breaks: ["a refund has the provider's state"],
    make: pure("withRefund", (own) => ignored<[...Told]>(own, (_, id) => id === undefined)),
  },
  {
    name: "an older state of a refund replaces a later one",
    breaks: ["a refund has the provider's state"],
    make: pure("withRefund", (own) => (payment, id, told, at) => {
      const after = own(payment, id, told, at);
      const [name, known] =
        Object.entries(payment.refunds ?? {}).find(([, one]) => one.providerId === told.providerId) ?? [];
      if (after !== payment || name === undefined || known?.state === told.state) return after;
      return { ...payment, refunds: { ...payment.refunds, [name]: { at, ...known, ...told } } };
    }),
  },
  {
    name: "a refund that fails later is ignored",
    breaks: ["a refund has the provider's state"],
    make: pure("withRefund", (own) => ignored<[...Told]>(own, (_payment, _id, { state }) => state === "failed")),
  },
  {
    name: "a dispute does not freeze",
    breaks: ["the sums are the provider's"],
    make: pure("withDispute", (own) => (payment, id, told) => own(payment, id, { ...told, moved: {} })),
  },
  {
    name: "the sum of a dispute follows from its status instead of its lines",
    breaks: ["the sums are the provider's"],
    make: pure("withDispute", (own) => (payment, id, told) => {
      const isTaken = !/^(won|warning_.*)$/.test(told.status);
      return own(payment, id, { ...told, moved: { line: isTaken ? -told.amount : 0 } });
    }),
  },
  {
    name: "what an event of before says of a dispute is believed",
    breaks: ["the sums are the provider's", "a dispute is told"],
    where: [
      ["settle"],
      ["dispute"],
      ["event"],
      ["message"],
      ["dispute"],
      ["event"],
      ["message"],
      ["dispute"],
      ["event"],
      ["message"],
    ],
    make: asked((own) => {
      const heard = new Map<string, Awaited<ReturnType<MoneyProvider["disputeNow"]>>[]>();
      return {
        async disputeNow(id) {
          const now = await own.disputeNow(id);
          const all = [...(heard.get(id) ?? []), now];
          heard.set(id, all);
          // A move of a dispute may tell two events.
          return all.at(-3) ?? all[0];
        },
      };
    }),
  },
  {
    name: "a repeated message reserves again",
    breaks: ["a refund was asked for or required"],
    where: [["settle"], ["require"], ["message"], ["message"], ["refund"], ["event"], ["event"], ["message"]],
    make: () => {
      const seen = new Map<string, number>();
      return {
        message(message) {
          const times = (seen.get(message.id) ?? 0) + 1;
          seen.set(message.id, times);
          if (message.type !== "payment.refundRequired" || times === 1) return message;
          return { ...message, id: `${message.id} ${times}` };
        },
      };
    },
  },
  {
    name: "what comes before the settlement is lost",
    breaks: ["a refund has the provider's state", "the sums are the provider's"],
    where: [["dashboard"], ["event"], ["settle"], ["event"], ["message"]],
    make: () => ({
      pure: (own) => {
        const isEarly = (payment: StoredPayment) => !own.isSettled(payment);
        return {
          withRefund: ignored<[...Told]>(own.withRefund, isEarly),
          withDispute: ignored<[string, Dispute]>(own.withDispute, isEarly),
          withLine: ignored<[string, BankLine]>(own.withLine, isEarly),
        };
      },
    }),
  },
  {
    name: "the settlement replaces what was known before",
    breaks: ["nothing known is forgotten"],
    make: written((write) => {
      if (!isPayment(write) || !write.UpdateExpression?.includes("REMOVE #ttl ADD")) return;
      write.UpdateExpression = write.UpdateExpression.replace("#ttl", "#ttl, refunds, disputes");
    }),
  },
  {
    name: "nobody hears of what came before the settlement",
    breaks: ["a started refund is told once", "a dispute is told once", "a failed refund is told once"],
    where: [["dashboard"], ["event"], ["settle"]],
    use: "membership",
    make: pure("withAllTold", (own) => ignored(own, () => true)),
  },
  {
    name: "a line of a payout counts each time that it is read",
    breaks: ["the sums are the provider's"],
    make: pure("withLine", (own) => {
      let times = 0;
      return (payment, id, line) => {
        if (!payment.lines?.[id]) return own(payment, id, line);
        times += 1;
        return own(payment, `${id} ${times}`, line);
      };
    }),
  },
  {
    name: "a refusal is recorded over a refund that the provider has made",
    isRare: true,
    // Without the mutant, the provider's events set right what this provider says.
    breaks: ["a refund has the provider's state"],
    where: [["settle"], ["ask"], ["message"], ["message", "event"]],
    make: () => ({
      ...asked((own, at) => ({
        // Asked first, it would name what it has made.
        refundsOf: async () => [],
        refund: async (order) => {
          const isMade = at.refunds.some(({ refundId }) => refundId === order.refundId);
          const made = await own.refund(order);
          return isMade ? "charge_already_refunded" : made;
        },
      }))(),
      ...pure("withRefusal", (own) => (payment, id, failure) => {
        const refund = payment.refunds?.[id];
        if (!refund || refund.state === "reserved" || refund.state === "failed") return own(payment, id, failure);
        return { ...payment, refunds: { ...payment.refunds, [id]: { ...refund, state: "failed", failure } } };
      })(),
    }),
  },
  {
    name: "a refund is not capped at what is left",
    breaks: ["a reservation fits the payment"],
    where: [["settle"], ["dashboard"], ["event"], ["ask"], ["require"], ["message"]],
    make: pure("refundable", () => (payment) => payment.money.amount),
  },
  {
    name: "every change is told as if nothing had been known",
    breaks: ["a started refund is told once", "a failed refund is told once", "a dispute is told once"],
    make: pure("newsOf", (own) => (_before, after) => own(undefined, after)),
  },
  {
    name: "a refund is promised before the provider has accepted it",
    breaks: ["a started refund is told once", "nobody is promised what the provider refuses"],
    make: told((message) =>
      message.type === "payment.refundOrdered" ? { ...message, type: "payment.refundStarted" as const } : message,
    ),
  },
  {
    name: "who was promised money does not hear that it failed",
    breaks: ["who was promised money hears that it failed"],
    make: told((message) => {
      if (message.type !== "payment.refundFailed" || !message.data.wasTold) return message;
      const { wasTold: _, ...data } = message.data;
      return { ...message, data } as typeof message;
    }),
  },
  {
    name: "a failed refund is not shown as owed",
    breaks: ["what is owed is shown"],
    where: [["settle"], ["ask"], ["message"], ["refund"], ["event"], ["event"]],
    make: pure("unsentOf", (own) => (payment) => {
      const made = Object.entries(payment.refunds ?? {}).filter(([, { state }]) => state !== "failed");
      return own({ ...payment, refunds: Object.fromEntries(made) });
    }),
  },
  {
    name: "what was decided to be kept is still owed",
    breaks: ["what was kept is not owed"],
    make: pure("withKept", (own) => (payment, kept) => ({
      ...own(payment, kept),
      ...{ owed: payment.money.amount, review: payment.review },
    })),
  },
  {
    name: "people see a refund as it was reserved",
    breaks: ["people see their refunds"],
    make: written(({ Item }) => {
      if (String(Item?.SK).startsWith("REFUND#")) Object.assign(Item ?? {}, { state: "reserved" });
    }),
  },
  {
    name: "a required refund is not owed",
    breaks: ["what is still owed is open"],
    make: written((write) => {
      if (isPayment(write) && write.Item?.owed !== undefined) Object.assign(write.Item, { owed: 0 });
    }),
  },
];
