/** What happened to a payment: its refunds, its dispute and its lines of the balance. */
import { html } from "#kit/text/html.ts";
import { listOf } from "../../service-kit/page.ts";
import { type Category, netOf, type Transaction } from "../balance.ts";
import { leftOf } from "../charge.ts";
import { type Dispute, firstStatuses, forbidsRefunds, nextStatuses, takenBy } from "../dispute.ts";
import type { Refund } from "../refund.ts";
import { type PaidSession, pagePath } from "../session.ts";
import { decimal, momentOf, money, select, words } from "./layout.ts";

/** Oldest first. */
export interface History {
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
  readonly transactions: readonly Transaction[];
}

export function refundInWords({ status, failureReason, pendingReason }: Refund): string {
  if (status === "failed") return `Failed: ${words(String(failureReason))}`;
  if (pendingReason !== undefined) return `Waits: ${words(pendingReason)}`;
  return status === "succeeded" ? "Went through" : "On its way";
}

const disputeWords: Readonly<Record<Dispute["status"], string>> = {
  needs_response: "The bank has taken the money back. The dispute is open",
  won: "The club has won: the money is back, the fee is not",
  lost: "The club has lost: the money is gone",
  warning_needs_response: "The bank asks, and has taken nothing yet",
  warning_under_review: "The bank reads the club's answer, and has taken nothing",
  warning_closed: "The bank's question is over, the money stays",
  under_review: "The bank decides about the club's answer",
  appeal_needs_response: "The bank appeals, and has taken the money again",
  appeal_under_review: "The bank decides about its appeal",
  prevented: "The card network has paid the person back",
};

const lineWords: Readonly<Record<Category, string>> = {
  charge: "Payment",
  refund: "Refund",
  refund_failure: "Failed refund",
  dispute: "Dispute",
  dispute_reversal: "Won dispute",
  payout: "Payout",
  payout_reversal: "Failed payout",
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
<p><small>${momentOf(refund.created)}</small></p>
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

const newDispute = (
  { id, currency }: PaidSession,
  left: number,
) => html`<form class="stack" method="post" action="${pagePath(id)}/dispute">
<label for="disputed">Disputed amount in ${currency.toUpperCase()}</label>
<input id="disputed" name="amount" inputmode="decimal" autocomplete="off" value="${decimal(left, currency)}" required>
<p>${select("status", "The dispute's first status", firstStatuses)}</p>
<button>The bank disputes it</button>
</form>`;

const disputeItem = ({ id, amount, currency, status, created }: Dispute) => html`<li>
<p>${money(amount, currency)}. ${disputeWords[status]}.</p>
<p><small>${momentOf(created)}, ${words(status)}</small></p>
${
  nextStatuses[status].length === 0
    ? undefined
    : html`<form class="row" method="post" action="/disputes/${id}/move">
${select("status", "The dispute's next status", nextStatuses[status])}
<button>The bank goes on</button>
</form>`
}
</li>
`;

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

export function historyOf(session: PaidSession, { refunds, disputes, transactions }: History) {
  const left = leftOf(session, refunds);
  const disputable = left - disputes.reduce((sum, dispute) => sum + takenBy(dispute), 0);
  const isRefundable = left > 0 && !disputes.some(forbidsRefunds);
  return html`<h2>Refunds</h2>
${listOf(refunds.map(refundItem), "There are none.")}
${isRefundable ? newRefund(session, left) : undefined}
<h2>Disputes</h2>
${listOf(disputes.map(disputeItem), "There are none.")}
${disputable > 0 ? newDispute(session, disputable) : undefined}
<h2>Money</h2>
${lines(transactions, session.currency)}`;
}
