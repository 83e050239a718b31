/** Mutants of the refunds. Each takes one rule away, and the sequences must show it. */
import type { BankLine, Dispute, ProviderRefund, StoredPayment } from "#domain/payments/payment.ts";
import type { FoundRefund } from "#domain/payments/provider/provider-refund.ts";
import type { MoneyProvider, RefundOrder } from "#domain/payments/provider/refund-calls.ts";
import type { SimulatedProvider } from "./refunds-provider.ts";
import type { Happening, Sabotage } from "./refunds-world.ts";
import { type Write, writesOf } from "./table.ts";
import type { Call } from "./world.ts";

export interface RefundMutant {
  readonly name: string;
  /** One of these rules is enough. */
  readonly breaks: readonly string[];
  /** Steps that need the rule, if random ones rarely do. */
  readonly where?: readonly (readonly Happening["kind"][])[];
  /** Whether it takes hundreds of sequences: only `test/deep/refunds.test.ts` has them. */
  readonly isRare?: boolean;
  /** @param changed called when the mutant has made a call, or an answer, another one */
  readonly make: (changed: () => void) => Sabotage;
}

const isPayment = ({ Key, Item }: Write): boolean => (Key ?? Item)?.SK === "PAYMENT";
const refundsIn = ({ Item }: Write): readonly { readonly state: string }[] => Object.values(Item?.refunds ?? {});
const reserves = (write: Write): boolean => refundsIn(write).some(({ state }) => state === "reserved");

/** Writes some payments whatever is stored. */
const unconditionally =
  (isMeant: (write: Write) => boolean) =>
  (changed: () => void): Sabotage => ({
    mutate({ command }) {
      for (const write of writesOf(command)) {
        if (!isPayment(write) || !isMeant(write) || write.ConditionExpression === undefined) continue;
        write.ConditionExpression = undefined;
        write.ExpressionAttributeValues = undefined;
        changed();
      }
    },
  });

/** Replaces some answers of the provider. */
const asked =
  (change: (own: SimulatedProvider, changed: () => void) => Partial<MoneyProvider>) =>
  (changed: () => void): Sabotage => ({
    provider: (own) => ({
      refund: own.refund,
      refundsOf: own.refundsOf,
      linesOf: own.linesOf,
      ...change(own, changed),
    }),
  });

/** A fact that leaves the payment as it was counts as a change when it would have been another one. */
const ignored =
  <Rest extends unknown[]>(
    own: (payment: StoredPayment, ...rest: Rest) => StoredPayment,
    isMeant: (payment: StoredPayment, ...rest: Rest) => boolean,
    changed: () => void,
  ) =>
  (payment: StoredPayment, ...rest: Rest): StoredPayment => {
    const after = own(payment, ...rest);
    if (after === payment || !isMeant(payment, ...rest)) return after;
    changed();
    return payment;
  };

type Told = readonly [id: string | undefined, told: ProviderRefund, at: number];

const updates = ({ command }: Call): Write[] => writesOf(command).filter((write) => isPayment(write));

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
    make: (changed) => ({ pure: (own) => ({ withRefusal: ignored(own.withRefusal, () => true, changed) }) }),
  },
  {
    name: "every try has an idempotency key of its own",
    isRare: true,
    breaks: ["a refund is made once", "a failed refund is told once"],
    where: [["settle"], ["ask"], ["message"], ["message"]],
    make: asked((own, changed) => {
      const tries = new Map<string, number>();
      return {
        refund(order: RefundOrder) {
          const before = tries.get(order.refundId) ?? 0;
          tries.set(order.refundId, before + 1);
          if (before > 0) changed();
          return own.refund(order, `${order.refundId} ${before}`);
        },
      };
    }),
  },
  {
    name: "a 500 gets another key without a look",
    breaks: ["a refund is made once", "a failed refund is told once"],
    make: asked((own, changed) => ({
      refund: (order: RefundOrder) =>
        own.create(order, order.refundId).catch((error: unknown) => {
          if ((error as { readonly statusCode?: number }).statusCode !== 500) throw error;
          changed();
          return own.create(order, `${order.refundId}-2`);
        }),
    })),
  },
  {
    name: "the provider is not asked for a refund of yesterday",
    breaks: ["a refund is made once", "a failed refund is told once"],
    where: [["settle"], ["ask"], ["message"], ["time"], ["message"]],
    make: asked((own, changed) => ({
      async refundsOf(intent: string) {
        if ((await own.refundsOf(intent)).length > 0) changed();
        return [];
      },
    })),
  },
  {
    name: "a call without an answer counts as refused",
    isRare: true,
    breaks: ["a refund has the provider's state", "a failed refund is told once"],
    make: asked((own, changed) => ({
      refund: (order: RefundOrder): Promise<FoundRefund | string> =>
        own.refund(order).catch(() => {
          changed();
          return "no_answer";
        }),
    })),
  },
  {
    name: "a refund of the dashboard is not adopted",
    breaks: ["a refund has the provider's state"],
    make: (changed) => ({
      pure: (own) => ({
        withRefund: ignored<[...Told]>(own.withRefund, (_payment, id) => id === undefined, changed),
      }),
    }),
  },
  {
    name: "an older state of a refund replaces a later one",
    breaks: ["a refund has the provider's state"],
    make: (changed) => ({
      pure: (own) => ({
        withRefund(payment, id, told, at) {
          const after = own.withRefund(payment, id, told, at);
          const [name, known] =
            Object.entries(payment.refunds ?? {}).find(([, one]) => one.providerId === told.providerId) ?? [];
          if (after !== payment || name === undefined || known?.state === told.state) return after;
          changed();
          return { ...payment, refunds: { ...payment.refunds, [name]: { at, ...known, ...told } } };
        },
      }),
    }),
  },
  {
    name: "a refund that fails later is ignored",
    breaks: ["a refund has the provider's state"],
    make: (changed) => ({
      pure: (own) => ({
        withRefund: ignored<[...Told]>(own.withRefund, (_payment, _id, { state }) => state === "failed", changed),
      }),
    }),
  },
  {
    name: "a dispute does not freeze",
    breaks: ["the sums are the provider's"],
    make: (changed) => ({
      pure: (own) => ({
        withDispute(payment, id, told) {
          if (told.taken) changed();
          return own.withDispute(payment, id, { ...told, taken: 0 });
        },
      }),
    }),
  },
  {
    name: "an older state of a dispute replaces a later one",
    breaks: ["the sums are the provider's", "a dispute is told once"],
    make: (changed) => ({
      pure: (own) => ({
        withDispute(payment, id, told) {
          const after = own.withDispute(payment, id, told);
          if (after !== payment || payment.disputes?.[id]?.state === told.state) return after;
          changed();
          return { ...payment, disputes: { ...payment.disputes, [id]: told } };
        },
      }),
    }),
  },
  {
    name: "a repeated message reserves again",
    breaks: ["a refund was asked for or required"],
    where: [["settle"], ["require"], ["message"], ["message"], ["refund"], ["event"], ["event"], ["message"]],
    make: (changed) => {
      const seen = new Map<string, number>();
      return {
        message(message) {
          const times = (seen.get(message.id) ?? 0) + 1;
          seen.set(message.id, times);
          if (message.type !== "payment.refundRequired" || times === 1) return message;
          changed();
          return { ...message, id: `${message.id} ${times}` };
        },
      };
    },
  },
  {
    name: "what comes before the settlement is lost",
    breaks: ["a refund has the provider's state", "the sums are the provider's"],
    make: (changed) => ({
      pure: (own) => {
        const isEarly = (payment: StoredPayment) => !own.isSettled(payment);
        return {
          withRefund: ignored<[...Told]>(own.withRefund, isEarly, changed),
          withDispute: ignored<[string, Dispute]>(own.withDispute, isEarly, changed),
          withLine: ignored<[string, BankLine]>(own.withLine, isEarly, changed),
        };
      },
    }),
  },
  {
    name: "the settlement replaces what was known before",
    breaks: ["nothing known is forgotten"],
    make: (changed) => ({
      mutate(call) {
        for (const write of updates(call)) {
          if (!write.UpdateExpression?.includes("REMOVE #ttl ADD")) continue;
          write.UpdateExpression = write.UpdateExpression.replace("#ttl", "#ttl, refunds, disputes");
          changed();
        }
      },
    }),
  },
  {
    name: "nobody hears of what came before the settlement",
    breaks: ["a started refund is told once", "a dispute is told once", "a failed refund is told once"],
    where: [["dashboard"], ["event"], ["settle"]],
    make: (changed) => ({ pure: (own) => ({ withAllTold: ignored(own.withAllTold, () => true, changed) }) }),
  },
  {
    name: "a line of a payout counts each time that it is read",
    breaks: ["the sums are the provider's"],
    make: (changed) => {
      let times = 0;
      return {
        pure: (own) => ({
          withLine(payment, id, line) {
            if (!payment.lines?.[id]) return own.withLine(payment, id, line);
            changed();
            times += 1;
            return own.withLine(payment, `${id} ${times}`, line);
          },
        }),
      };
    },
  },
  {
    name: "a refusal is recorded over a refund that the provider has made",
    isRare: true,
    // Without the mutant, the provider's events set right what this provider says.
    breaks: ["a refund has the provider's state"],
    where: [["settle"], ["ask"], ["message"], ["message", "event"]],
    make: (changed) => ({
      provider: (own) => ({
        // Asked first, it would name what it has made.
        refundsOf: async () => [],
        linesOf: own.linesOf,
        refund: async (order) => {
          const isMade = own.refunds.some(({ refundId }) => refundId === order.refundId);
          const made = await own.refund(order);
          return isMade ? "charge_already_refunded" : made;
        },
      }),
      pure: (own) => ({
        withRefusal(payment, id, failure) {
          const refund = payment.refunds?.[id];
          if (!refund || refund.state === "reserved" || refund.state === "failed")
            return own.withRefusal(payment, id, failure);
          changed();
          return { ...payment, refunds: { ...payment.refunds, [id]: { ...refund, state: "failed", failure } } };
        },
      }),
    }),
  },
  {
    name: "a refund is not capped at what is left",
    breaks: ["a reservation fits the payment"],
    make: (changed) => ({
      pure: (own) => ({
        refundable(payment) {
          if (own.refundable(payment) !== payment.money.amount) changed();
          return payment.money.amount;
        },
      }),
    }),
  },
  {
    name: "every change is told as if nothing had been known",
    breaks: ["a started refund is told once", "a failed refund is told once", "a dispute is told once"],
    make: (changed) => ({
      pure: (own) => ({
        newsOf(before, after) {
          const all = own.newsOf(undefined, after);
          if (all.length !== own.newsOf(before, after).length) changed();
          return all;
        },
      }),
    }),
  },
  {
    name: "a refund is promised before the provider has accepted it",
    breaks: ["a started refund is told once", "nobody is promised what the provider refuses"],
    make: (changed) => ({
      pure: (own) => ({
        newsOf: (before, after) =>
          own.newsOf(before, after).map((message) => {
            if (message.type !== "payment.refundOrdered") return message;
            changed();
            return { ...message, type: "payment.refundStarted" as const };
          }),
      }),
    }),
  },
  {
    name: "who was promised money does not hear that it failed",
    breaks: ["who was promised money hears that it failed"],
    make: (changed) => ({
      pure: (own) => ({
        newsOf: (before, after) =>
          own.newsOf(before, after).map((message) => {
            if (message.type !== "payment.refundFailed" || !message.data.wasTold) return message;
            changed();
            const { wasTold: _, ...data } = message.data;
            return { ...message, data } as typeof message;
          }),
      }),
    }),
  },
  {
    name: "a failed refund is not shown as owed",
    breaks: ["what is owed is shown"],
    make: (changed) => ({
      pure: (own) => ({
        unsentOf(payment) {
          const { refunds = {}, ...others } = payment;
          const made = Object.entries(refunds).filter(([, { state }]) => state !== "failed");
          const without = own.unsentOf({ ...others, refunds: Object.fromEntries(made) });
          if (without !== own.unsentOf(payment)) changed();
          return without;
        },
      }),
    }),
  },
  {
    name: "what was decided to be kept is still owed",
    breaks: ["what was kept is not owed"],
    make: (changed) => ({
      pure: (own) => ({
        withKept(payment, kept) {
          changed();
          return { ...own.withKept(payment, kept), owed: payment.money.amount, review: payment.review };
        },
      }),
    }),
  },
  {
    name: "people see a refund as it was reserved",
    breaks: ["people see their refunds"],
    make: (changed) => ({
      mutate({ command }) {
        for (const { Item } of writesOf(command)) {
          if (!String(Item?.SK).startsWith("REFUND#") || Item?.state === "reserved") continue;
          Object.assign(Item as object, { state: "reserved" });
          changed();
        }
      },
    }),
  },
  {
    name: "a required refund is not owed",
    breaks: ["what is still owed is open"],
    make: (changed) => ({
      mutate(call) {
        for (const { Item } of updates(call)) {
          if (Item?.owed === undefined) continue;
          Object.assign(Item, { owed: 0 });
          changed();
        }
      },
    }),
  },
];
