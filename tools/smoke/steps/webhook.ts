/** The payment webhook: a signed event of a type without effects, and a wrong signature. */
import { expected } from "../step-kit/api.ts";
import { sendEvent } from "../step-kit/signed-event.ts";
import type { Step } from "../step-kit/step.ts";

const type = "smoke.run";

export const webhook: Step = {
  name: "payment webhook",
  async take(run) {
    const known = await run.place.webhookSecret(run.stop);
    if ("why" in known && !known.stored) return { skipped: `${known.why}.` };
    expected(400, "an event with a wrong signature", await sendEvent(run, "whsec_wrong", type));
    if ("why" in known) return { skipped: `a wrong signature is refused; ${known.why}, so no event was signed.` };
    expected(200, "a signed event", await sendEvent(run, known.secret, type));
    return "a signed event is accepted, and a wrong signature is refused.";
  },
};
