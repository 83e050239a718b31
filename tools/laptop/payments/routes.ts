/** The paths of the REST interface: https://docs.stripe.com/api */
import type Stripe from "stripe";
import { balanceObject, payoutObject, transactionObject } from "./balance.ts";
import type { Occasion } from "./changes.ts";
import { chargeObject } from "./charge.ts";
import { disputeObject } from "./dispute.ts";
import type { Disputes } from "./disputes.ts";
import type { ObjectOf } from "./expand.ts";
import type { Form } from "./form.ts";
import { type Paged, pageOf } from "./pagination.ts";
import { Parameters } from "./parameters.ts";
import type { Payouts } from "./payouts.ts";
import { PaymentProblem } from "./problem.ts";
import { refundObject } from "./refund.ts";
import type { Refunds } from "./refunds.ts";
import { isPaid, type Session } from "./session.ts";
import type { Sessions } from "./sessions.ts";

/** All that can be asked for. */
export interface Resources {
  readonly sessions: Sessions;
  readonly refunds: Refunds;
  readonly disputes: Disputes;
  readonly payouts: Payouts;
}

interface Call {
  /** The part of the path that the route calls `:id`. */
  readonly id: string;
  readonly form: Form;
}

/** Answers a GET; expands what the caller asks to expand by itself. */
export type Read = (call: Call) => object;
/** Carries out a POST; `occasion` stores the answer. */
export type Act = (call: Call, occasion: Occasion) => object;

const sessionsPath = "/v1/checkout/sessions";

type Expanding = Pick<Paged, "expand">;

/** Parameters of a request; `expand` is read elsewhere. */
function parametersOf<Known extends Expanding>({ form }: Call): Parameters<Known> {
  const parameters = new Parameters<Known>(form);
  parameters.ignore("expand");
  return parameters;
}

export function reads({ sessions, refunds, disputes, payouts }: Resources): Readonly<Record<string, Read>> {
  const payoutOf = (id: string) => {
    try {
      return payouts.find(id);
    } catch (problem) {
      throw problem instanceof PaymentProblem ? new PaymentProblem(400, problem.message, problem.details) : problem;
    }
  };
  return {
    [sessionsPath]: (call) => {
      const parameters = parametersOf<Stripe.Checkout.SessionListParams>(call);
      const status = parameters.choice("status", ["open", "complete", "expired"]);
      const intent = parameters.text("payment_intent");
      return pageOf<Session>(parameters, {
        url: sessionsPath,
        all: sessions.all(),
        find: (id) => sessions.find(id),
        matches: (session) =>
          (status === undefined || sessions.object(session).status === status) &&
          (intent === undefined || session.paymentIntent === intent),
        object: (session) => sessions.object(session),
      });
    },
    [`${sessionsPath}/:id`]: (call) => {
      parametersOf<Expanding>(call).end();
      return sessions.object(sessions.find(call.id));
    },
    "/v1/refunds": (call) => {
      const parameters = parametersOf<Stripe.RefundListParams>(call);
      const intent = parameters.text("payment_intent");
      return pageOf(parameters, {
        url: "/v1/refunds",
        all: refunds.all(),
        find: (id) => refunds.find(id),
        matches: ({ paymentIntent }) => intent === undefined || paymentIntent === intent,
        object: refundObject,
      });
    },
    "/v1/disputes": (call) =>
      pageOf(parametersOf<Paged>(call), {
        url: "/v1/disputes",
        all: disputes.all(),
        find: (id) => disputes.find(id),
        object: disputeObject,
      }),
    "/v1/disputes/:id": (call) => {
      parametersOf<Expanding>(call).end();
      return disputeObject(disputes.find(call.id));
    },
    "/v1/balance_transactions": (call) => {
      const parameters = parametersOf<Stripe.BalanceTransactionListParams>(call);
      const payout = parameters.text("payout");
      return pageOf(parameters, {
        url: "/v1/balance_transactions",
        all: payout === undefined ? payouts.transactions() : payouts.transactionsOf(payoutOf(payout)),
        find: (id) => payouts.transaction(id),
        object: transactionObject,
      });
    },
    "/v1/balance": (call) => {
      parametersOf<Expanding>(call).end();
      return balanceObject(payouts.unpaid());
    },
    "/v1/payouts": (call) => {
      const parameters = parametersOf<Stripe.PayoutListParams>(call);
      // Stripe documents no filter of those in transit: https://docs.stripe.com/api/payouts/list
      const status = parameters.choice("status", ["pending", "paid", "failed", "canceled"]);
      const arrival = parameters.object("arrival_date");
      const from = arrival?.integer("gte", { least: 0, most: Number.MAX_SAFE_INTEGER }) ?? 0;
      arrival?.end();
      return pageOf(parameters, {
        url: "/v1/payouts",
        all: payouts.all(),
        find: (id) => payouts.find(id),
        matches: (payout) => {
          const { status: is, arrival_date } = payoutObject(payout);
          return (status === undefined || is === status) && arrival_date >= from;
        },
        object: payoutObject,
      });
    },
  };
}

export const acts = ({ sessions, refunds }: Resources): Readonly<Record<string, Act>> => ({
  [sessionsPath]: ({ form }, occasion) => sessions.object(sessions.create(form, occasion)),
  [`${sessionsPath}/:id/expire`]: (call, occasion) => {
    parametersOf<Expanding>(call).end();
    return sessions.object(sessions.move(call.id, "expire", occasion));
  },
  "/v1/refunds": ({ form }, occasion) => refunds.create(form, occasion),
});

/** Finds the source of a line of the balance by the prefix of its id. */
export function objects({ sessions, refunds, disputes, payouts }: Resources): ObjectOf {
  const charge = (id: string) => {
    const session = sessions.all().find((one) => one.charge?.id === id);
    if (!session || !isPaid(session)) return undefined;
    const isDisputed = disputes.ofSession(session.id).length > 0;
    return chargeObject(session, { refunds: refunds.ofSession(session.id), isDisputed });
  };
  const finders: Readonly<Record<string, ObjectOf>> = {
    ch: charge,
    re: (id) => refundObject(refunds.find(id)),
    du: (id) => disputeObject(disputes.find(id)),
    po: (id) => payoutObject(payouts.find(id)),
  };
  return (id) => {
    const prefix = id.split("_")[0] ?? "";
    return Object.hasOwn(finders, prefix) ? finders[prefix]?.(id) : undefined;
  };
}
