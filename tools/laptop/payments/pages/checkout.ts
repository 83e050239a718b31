/** The hosted payment page of a session: the items, and a button for each way to end the session. */
import { type Html, html } from "#kit/text/html.ts";
import type { HttpReply } from "../../service-kit/http-service.ts";
import { pagePath, returnAddress, type Session } from "../session.ts";
import { inWords, momentOf, money, page, total } from "./layout.ts";

const purchase = (session: Session) => html`<table>
<tbody>
${session.lineItems.map(
  ({ name, description, quantity, unitAmount }) => html`<tr>
<th scope="row">${quantity > 1 ? `${quantity} × ` : ""}${name}${description === undefined ? "" : html` <small>${description}</small>`}</th>
<td>${money(quantity * unitAmount, session.currency)}</td>
</tr>
`,
)}</tbody>
<tfoot><tr><th scope="row">Total</th><td>${total(session)}</td></tr></tfoot>
</table>`;

const emailLine = (email: string) => html`<p>Email: ${email}</p>`;

const payer = ({ customerEmail }: Session) =>
  customerEmail !== null
    ? emailLine(customerEmail)
    : html`<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="email" required>`;

const ways = (session: Session) => html`<form class="stack" method="post" action="${pagePath(session.id)}/pay">
${payer(session)}
<button class="main">Pay ${total(session)}</button>
<button formaction="${pagePath(session.id)}/payLater">Pay by a transfer that arrives later</button>
<button formaction="${pagePath(session.id)}/decline">Try a card that is declined</button>
${
  session.cancelUrl === null
    ? ""
    : html`<button formaction="${pagePath(session.id)}/cancel" formnovalidate>Cancel and go back</button>
`
}<button formaction="${pagePath(session.id)}/expire" formnovalidate>Let it expire</button>
</form>
<p><small>After Pay this page waits until the webhook has answered, at most 10 seconds, and leads back then.</small></p>
<p><small>Open until ${momentOf(session.expiresAt)}.</small></p>`;

/** The buttons that decide whether a delayed payment arrives. */
export const arrivalForm = ({ id }: Session) => html`<form class="row" method="post" action="${pagePath(id)}/arrive">
<button>The money arrives</button>
<button formaction="${pagePath(id)}/fail">The money does not arrive</button>
</form>`;

/** The link back to the club's site: for an expired session, the cancel URL. */
function wayOn(session: Session) {
  if (session.state !== "expired") return html`<p><a href="${returnAddress(session)}">Go on</a></p>`;
  return session.cancelUrl === null ? undefined : html`<p><a href="${session.cancelUrl}">Go back</a></p>`;
}

function ended(session: Session) {
  const email = session.customerEmail ?? session.payerEmail;
  const rest = session.state === "expired" ? "It cannot be paid any more." : "It cannot be paid again.";
  return html`<p role="status"><strong>${inWords(session)}.</strong> ${rest}</p>
${email === undefined ? undefined : emailLine(email)}
${session.state === "underway" ? arrivalForm(session) : undefined}
${wayOn(session)}`;
}

/** What the page says besides the session. */
export interface Remarks {
  readonly status?: number;
  /** Message about the last failed attempt. */
  readonly alert?: string;
  /** What happened after the payment. */
  readonly history?: Html | undefined;
}

export function checkoutPage(session: Session, { status = 200, alert, history }: Remarks): HttpReply {
  return page(
    status,
    `Pay ${total(session)}`,
    html`<h1>${total(session)}</h1>
${alert === undefined ? "" : html`<p class="alert" role="alert">${alert}</p>`}
${purchase(session)}
${session.state === "open" ? ways(session) : ended(session)}
${history}`,
  );
}
