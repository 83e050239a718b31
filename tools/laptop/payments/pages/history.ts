/** What happened to a payment: its refunds, its dispute and its lines of the balance. */
import { html } from "#kit/text/html.ts";
import { type Category, netOf, type Transaction } from "../balance.ts";
import { leftOf } from "../charge.ts";
import { type Dispute, forbidsRefunds } from "../dispute.ts";
import type { Refund } from "../refund.ts";
import type { PaidSession } from "../session.ts";
import { pagePath } from "./checkout.ts";
import { decimal, moment, money } from "./layout.ts";

/** Oldest first. */
export interface History {
  readonly refunds: readonly Refund[];
  readonly dispute: Dispute | undefined;
  readonly transactions: readonly Transaction[];
}

export function refundInWords({ status, failureReason }: Refund): string {
  if (status === "failed") return `Failed: ${failureReason?.replaceAll("_", " ")}`;
  return status === "succeeded" ? "Went through" : "On its way";
}

const disputeWords: Readonly<Record<Dispute["status"], string>> = {
  needs_response: "The bank has taken the money back. The dispute is open",
  won: "The club has won: the money is back, the fee is not",
  lost: "The club has lost: the money is gone",
};

const lineWords: Readonly<Record<Category, string>> = {
  charge: "Payment",
  refund: "Refund",
  refund_failure: "Failed refund",
  dispute: "Dispute",
  dispute_reversal: "Won dispute",
  payout: "Payout",
};

/** The buttons that decide what becomes of a refund. */
export function refundForm({ id, status }: Refund) {
  if (status === "failed") return undefined;
  const fails = (words: string) => html`<button formaction="/refunds/${id}/fail">${words}</button>`;
  return html`<form class="row" method="post" action="/refunds/${id}/succeed">
${status === "pending" ? html`<button>It goes through</button>\n${fails("It fails")}` : fails("It fails after all")}
</form>`;
}

const refundItem = (refund: Refund) => html`<li>
<p>${money(refund.amount, refund.currency)}. ${refundInWords(refund)}.</p>
<p><small>${moment(refund.created)}</small></p>
${refundForm(refund)}
</li>
`;

const newRefund = (
  { id, currency }: PaidSession,
  left: number,
) => html`<form class="stack" method="post" action="${pagePath(id)}/refund">
<label for="amount">Amount in ${currency.toUpperCase()}</label>
<input id="amount" name="amount" inputmode="decimal" autocomplete="off" value="${decimal(left, currency)}" required>
<button>Refund it in the dashboard</button>
</form>`;

const newDispute = ({ id }: PaidSession) => html`<form class="row" method="post" action="${pagePath(id)}/dispute">
<button>The bank disputes it</button>
</form>`;

const closing = ({ id }: PaidSession) => html`<form class="row" method="post" action="${pagePath(id)}/won">
<button>The club wins</button>
<button formaction="${pagePath(id)}/lost">The club loses</button>
</form>`;

const disputeSection = (session: PaidSession, dispute: Dispute | undefined, left: number) => html`<h2>Dispute</h2>
${dispute === undefined ? html`<p>There is none.</p>` : html`<p>${money(dispute.amount, dispute.currency)}. ${disputeWords[dispute.status]}.</p>`}
${dispute === undefined && left > 0 ? newDispute(session) : undefined}
${dispute?.status === "needs_response" ? closing(session) : undefined}`;

/** Lines of the balance, and their sum. */
const lines = (transactions: readonly Transaction[], currency: string) => html`<table>
<tbody>
${transactions.map(
  (transaction) => html`<tr>
<th scope="row">${lineWords[transaction.category]}${transaction.fee === 0 ? "" : html` <small>less a fee of ${money(transaction.fee, currency)}</small>`}</th>
<td>${money(netOf(transaction), currency)}</td>
</tr>
`,
)}</tbody>
<tfoot><tr><th scope="row">Left of it</th><td>${money(
  transactions.reduce((sum, transaction) => sum + netOf(transaction), 0),
  currency,
)}</td></tr></tfoot>
</table>`;

export function historyOf(session: PaidSession, { refunds, dispute, transactions }: History) {
  const left = leftOf(session, refunds);
  const isRefundable = left > 0 && (dispute === undefined || !forbidsRefunds(dispute));
  return html`<h2>Refunds</h2>
${refunds.length === 0 ? html`<p>There are none.</p>` : html`<ul>${refunds.map(refundItem)}</ul>`}
${isRefundable ? newRefund(session, left) : undefined}
${disputeSection(session, dispute, left)}
<h2>Money</h2>
${lines(transactions, session.currency)}`;
}
