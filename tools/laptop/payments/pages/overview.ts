/** The provider's first page: sessions, refunds, payouts, and deliveries, and a developer's switches. */
import { html } from "#kit/text/html.ts";
import type { HttpReply } from "../../service-kit/http-service.ts";
import { listOf } from "../../service-kit/page.ts";
import { type Payout, statusOf } from "../balance.ts";
import type { PaymentEvent } from "../event.ts";
import type { Delivery } from "../ledger.ts";
import { nextPayoutStatuses } from "../payouts.ts";
import type { Refund } from "../refund.ts";
import { pagePath, type Session } from "../session.ts";
import type { Switches } from "../switches.ts";
import { arrivalForm } from "./checkout.ts";
import { refundForm, refundInWords } from "./history.ts";
import { bought, inWords, momentOf, money, page, total, words } from "./layout.ts";
import { eventSwitch, refundSwitch, requestSwitch } from "./switch-forms.ts";

/** Newest first. */
export interface Overview {
  readonly sessions: readonly Session[];
  readonly refunds: readonly Refund[];
  readonly payouts: readonly Payout[];
  /** What is not paid out yet. */
  readonly balance: number;
  readonly deliveries: readonly { readonly delivery: Delivery; readonly event: PaymentEvent }[];
  readonly switches: Switches;
}

/** Entries of each list. */
export const maxShown = 50;

const sessionItem = (session: Session) => html`<li>
<p><a href="${pagePath(session.id)}">${total(session)}: ${bought(session.lineItems)}</a></p>
<p>${inWords(session)}. ${session.customerEmail ?? session.payerEmail ?? ""}</p>
<p><small>${session.state === "open" ? html`until ${momentOf(session.expiresAt)}` : html`of ${momentOf(session.created)}`}</small></p>
${session.state === "underway" ? arrivalForm(session) : ""}
</li>
`;

const refundItem = (refund: Refund) => html`<li>
<p><a href="${pagePath(refund.sessionId)}">${money(refund.amount, refund.currency)}</a></p>
<p>${refundInWords(refund)}.</p>
<p><small>${momentOf(refund.created)}</small></p>
${refundForm(refund)}
</li>
`;

const payoutItem = (payout: Payout) => {
  const { id, amount, currency, created, transactions } = payout;
  const next = nextPayoutStatuses[statusOf(payout)];
  const button = (status: string) => html`<button formaction="/payouts/${id}/${status}">${words(status)}</button>`;
  return html`<li>
<p>${money(amount, currency)} in ${transactions.length} ${transactions.length === 1 ? "line" : "lines"}, ${words(statusOf(payout))}</p>
<p><small>${momentOf(created)}</small></p>
${next.length > 0 ? html`<form class="row" method="post">${next.map(button)}</form>` : undefined}
</li>
`;
};

const payoutForm = (balance: number, { currency = "cad" }: Partial<Session> = {}) =>
  html`<p>Not paid out yet: ${money(balance, currency)}.</p>
${
  balance > 0
    ? html`<form class="row" method="post" action="/payouts"><button>Pay out</button>
<button formaction="/payouts/later">Pay out, to arrive later</button></form>`
    : undefined
}`;

function progress({ state, attempts, outcome }: Delivery, { holding }: Switches): string {
  const words = {
    delivered: "Delivered",
    waiting: holding ? "Held back" : attempts === 0 ? "On its way" : "Will be tried again",
  };
  const tried = attempts === 0 ? "" : `, ${attempts} ${attempts === 1 ? "attempt" : "attempts"}, the last: ${outcome}`;
  return `${words[state]}${tried}.`;
}

const eventName = ({ type, sessionId }: PaymentEvent) =>
  sessionId === undefined ? html`${type}` : html`<a href="${pagePath(sessionId)}">${type}</a>`;

export function overviewPage({ sessions, refunds, payouts, balance, deliveries, switches }: Overview): HttpReply {
  const deliveryItems = deliveries.map(
    ({ delivery, event }) => html`<li>
<p>${eventName(event)}</p>
<p>${progress(delivery, switches)}</p>
<p><small>${momentOf(event.created)}</small></p>
<form class="row" method="post" action="/events/${event.id}/again"><button>Send it again</button></form>
</li>
`,
  );
  return page(
    200,
    "Payments",
    html`<h1>Payments</h1>
<h2>Sessions</h2>
${listOf(sessions.map(sessionItem), "There are none yet.")}
<h2>Refunds</h2>
${refundSwitch(switches)}
${listOf(refunds.map(refundItem), "There are none yet.")}
<h2>Payouts</h2>
${payoutForm(balance, sessions[0])}
${listOf(payouts.map(payoutItem), "There are none yet.")}
<h2>Requests</h2>
${requestSwitch(switches)}
<h2>Deliveries</h2>
${eventSwitch(switches)}
${listOf(deliveryItems, "There are none yet.")}`,
  );
}
