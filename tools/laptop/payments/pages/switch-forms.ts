/** The forms of a developer's switches. */
import { type Html, html } from "#kit/text/html.ts";
import type { Switches } from "../switches.ts";

const button = (action: string, words: string): Html =>
  html`<button formaction="/switches/${action}">${words}</button>
`;

const note = (states: readonly string[]): Html =>
  html`<p><small>Now: ${states.join(", ")}. A restart switches everything back.</small></p>`;

export const eventSwitches = ({ holding, failing, duplicates }: Switches): Html => html`<form class="row" method="post">
${
  holding
    ? [button("release", "Deliver what is held back"), button("reverse", "Deliver it in reverse order")]
    : button("hold", "Hold events back")
}${failing ? button("succeed", "Let deliveries succeed again") : button("fail", "Let deliveries fail")}
${duplicates > 0 ? button("single", "Send every event once") : button("duplicate", "Send every event twice")}</form>
${note([
  holding ? "events are held back" : "events are delivered at once",
  ...(failing ? ["every attempt fails"] : []),
  ...(duplicates > 0 ? ["every event is sent more than once"] : []),
])}`;

export const refundSwitches = ({ refundsWait, balanceIsEmpty }: Switches): Html => html`<form class="row" method="post">
${refundsWait ? button("direct", "Let refunds go through at once") : button("wait", "Let refunds wait")}
${balanceIsEmpty ? button("fill", "Fill the balance") : button("empty", "Empty the balance")}</form>
${note([
  balanceIsEmpty
    ? "the balance is empty, and new refunds wait until it is filled"
    : refundsWait
      ? "new refunds wait for a decision"
      : "new refunds go through at once",
])}`;

export const answerSwitches = ({ silent, losing }: Switches): Html => html`<form class="row" method="post">
${silent ? button("answer", "Answer the service again") : button("silence", "Do not answer the service")}
${losing ? button("keep", "Let answers arrive") : button("lose", "Lose answers on the way")}</form>
${note([
  silent ? "requests of the service are answered with 503" : "requests of the service are carried out",
  ...(losing ? ["every answer is lost on the way"] : []),
])}`;
