/** The payment webhook: a signed event of a type without effects, and a wrong signature. */
import Stripe from "stripe";
import { expected } from "../api.ts";
import type { Step } from "../step.ts";

const path = "/payments/webhook";

export const webhook: Step = {
  name: "payment webhook",
  async take({ id, api, place, stop }) {
    const known = await place.webhookSecret(stop);
    if ("why" in known && !known.stored) return { skipped: `${known.why}.` };
    const body = JSON.stringify({ id: `evt_${id}`, object: "event", type: "smoke.run", data: { object: {} } });
    const send = (secret: string) => {
      const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret });
      return api.call("POST", path, { body, headers: { "stripe-signature": signature } });
    };
    expected(400, "an event with a wrong signature", await send("whsec_wrong"));
    if ("why" in known) return { skipped: `a wrong signature is refused; ${known.why}, so no event was signed.` };
    expected(200, "a signed event", await send(known.secret));
    return "a signed event is accepted, and a wrong signature is refused.";
  },
};
