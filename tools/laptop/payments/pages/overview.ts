/** The provider's first page: sessions, deliveries, and a developer's switches. */
import { html } from "#kit/html.ts";
import type { HttpReply } from "../../service-kit/http-service.ts";
import type { Switches } from "../deliveries.ts";
import type { Delivery, PaymentEvent } from "../ledger.ts";
import type { Session } from "../session.ts";
import { arrivalForm, pagePath } from "./checkout.ts";
import { bought, inWords, moment, page, total } from "./layout.ts";

/** Newest first. */
export interface Overview {
  readonly sessions: readonly Session[];
  readonly deliveries: readonly { readonly delivery: Delivery; readonly event: PaymentEvent }[];
  readonly switches: Switches;
}

/** Entries of each list. */
export const maxShown = 50;

const button = (action: string, words: string) =>
  html`<button formaction="/switches/${action}">${words}</button>
`;

const switchForm = ({ holding, failing, duplicates }: Switches) => html`<form class="row" method="post">
${
  holding
    ? [button("release", "Deliver what is held back"), button("reverse", "Deliver it in reverse order")]
    : button("hold", "Hold events back")
}${failing ? button("succeed", "Let deliveries succeed again") : button("fail", "Let deliveries fail")}
${duplicates > 0 ? button("single", "Send every event once") : button("duplicate", "Send every event twice")}</form>
<p><small>Now: ${[
  holding ? "events are held back" : "events are delivered at once",
  ...(failing ? ["every attempt fails"] : []),
  ...(duplicates > 0 ? ["every event is sent more than once"] : []),
].join(", ")}. A restart switches everything back.</small></p>`;

const sessionItem = (session: Session) => html`<li>
<p><a href="${pagePath(session.id)}">${total(session)}: ${bought(session.lineItems)}</a></p>
<p>${inWords(session)}. ${session.customerEmail ?? session.payerEmail ?? ""}</p>
<p><small>${session.state === "open" ? html`until ${moment(session.expiresAt)}` : html`of ${moment(session.created)}`}</small></p>
${session.state === "underway" ? arrivalForm(session) : ""}
</li>
`;

function progress({ state, attempts, outcome }: Delivery, { holding }: Switches): string {
  const words = {
    delivered: "Delivered",
    givenUp: "Given up",
    waiting: holding ? "Held back" : attempts === 0 ? "On its way" : "Will be tried again",
  };
  const tried = attempts === 0 ? "" : `, ${attempts} ${attempts === 1 ? "attempt" : "attempts"}, the last: ${outcome}`;
  return `${words[state]}${tried}.`;
}

export function overviewPage({ sessions, deliveries, switches }: Overview): HttpReply {
  return page(
    200,
    "Payments",
    html`<h1>Payments</h1>
<h2>Events</h2>
${switchForm(switches)}
<h2>Sessions</h2>
${sessions.length === 0 ? html`<p>There are none yet.</p>` : html`<ul>${sessions.map(sessionItem)}</ul>`}
<h2>Deliveries</h2>
${
  deliveries.length === 0
    ? html`<p>There are none yet.</p>`
    : html`<ul>${deliveries.map(
        ({ delivery, event }) => html`<li>
<p><a href="${pagePath(event.sessionId)}">${event.type}</a></p>
<p>${progress(delivery, switches)}</p>
<p><small>${moment(event.created)}</small></p>
<form class="row" method="post" action="/events/${event.id}/again"><button>Send it again</button></form>
</li>
`,
      )}</ul>`
}`,
  );
}
