/** The forms of a developer's switches. A restart switches everything back. */
import { type Html, html } from "#kit/text/html.ts";
import type { Switches } from "../switches.ts";

const form = (action: string, words: string): Html =>
  html`<form class="row" method="post" action="/switches/${action}"><button>${words}</button></form>`;

export const eventSwitch = ({ holding }: Switches): Html =>
  holding ? form("release", "Deliver what is held back") : form("hold", "Hold events back");

export const refundSwitch = ({ refundsWait }: Switches): Html =>
  refundsWait ? form("direct", "Let refunds go through at once") : form("wait", "Let refunds wait");
