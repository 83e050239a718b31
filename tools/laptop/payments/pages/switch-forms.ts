/** The forms of a developer's switches. A restart switches everything back. */
import { type Html, html } from "#kit/text/html.ts";
import { permissions, type Switches } from "../switches.ts";
import { select, words } from "./layout.ts";

const form = (action: string, words: string): Html =>
  html`<form class="row" method="post" action="/switches/${action}"><button>${words}</button></form>`;

export const eventSwitch = ({ holding }: Switches): Html =>
  holding ? form("release", "Deliver what is held back") : form("hold", "Hold events back");

export const refundSwitch = ({ refundsWait, neverNegative }: Switches): Html => html`
${refundsWait ? form("direct", "Let refunds go through at once") : form("wait", "Let refunds wait")}
${neverNegative ? form("rich", "Let refunds go below the balance") : form("poor", "Let refunds wait for the balance")}`;

/** How requests of the club's service are refused. */
export const requestSwitch = ({ limited, withheld }: Switches): Html => html`
${limited > 0 ? html`<p>The next ${limited} requests are refused.</p>` : form("limit", "Refuse the next requests as too many")}
${
  withheld.length > 0
    ? html`<p>The key has no ${withheld.map(words).join(", ")}.</p>${form("withhold", "Give all permissions back")}`
    : html`<form class="row" method="post" action="/switches/withhold">
${select("permission", "Permission", permissions)}
<button>Take the permission away</button>
</form>`
}`;
