/** The first page of the local stage: accounts, and what has happened in it. */
import { type Html, html } from "#kit/text/html.ts";
import type { ChatMessage } from "../chat/index.ts";
import type { RecentRequests } from "../http-api/recent-requests.ts";
import type { Email } from "../mailbox/index.ts";
import { money } from "../payments/pages/layout.ts";
import type { SessionObject } from "../payments/server/index.ts";
import { pagePath } from "../payments/session.ts";
import type { DeadLetter } from "../queues/index.ts";
import type { SeededAccount } from "../service-kit/outputs.ts";
import { listOf, moment } from "../service-kit/page.ts";
import { page } from "./layout.ts";
import { mailItem } from "./mails.ts";
import { requestItem } from "./requests.ts";

/** What the pages show. Everything is read anew for each page. */
export interface Shown {
  /** Empty on a stage without seed. */
  readonly accounts: readonly SeededAccount[];
  /** Addresses of the services by what they are. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly paymentsUrl: string;
  readonly requests: Pick<RecentRequests, "list">;
  /** Oldest first. */
  mails(): readonly Email[];
  /** Oldest first. */
  chat(): readonly ChatMessage[];
  /** Oldest first. */
  payments(): readonly SessionObject[];
  deadLetters(): readonly DeadLetter[];
}

/** Entries of each list; the newest are shown. */
const maxShown = 5;
const maxRequestsShown = 12;

/** @param id a section with this id is kept up to date by the script of the page */
const section = (id: string, title: string, content: Html, more?: Html): Html => html`<section id="${id}" data-live>
<h2>${title}</h2>
${content}
${more}
</section>
`;

const newest = <T>(all: readonly T[], most = maxShown): T[] => all.slice(-most).reverse();

const accountItem = ({ email, role, password }: SeededAccount): Html => html`<li>
<div class="row"><div><p class="first">${email}</p><p><small>${role} · password ${password}</small></p></div>
<button class="end" type="button" data-token-of="${email}">Copy token</button></div>
</li>
`;

const accountsSection = (accounts: readonly SeededAccount[]): Html => html`<section id="accounts">
<h2>Accounts</h2>
${listOf(accounts.map(accountItem), "This stage has no seed, so there are no accounts yet.")}
<p id="token-said" role="status"></p>
<textarea id="token" rows="4" readonly hidden aria-label="ID token"></textarea>
</section>
`;

/** The state of a session in one word. */
function stateOf({ status, payment_status }: SessionObject): string {
  if (status !== "complete") return status;
  return payment_status === "paid" ? "paid" : "complete, the money has not arrived";
}

const paymentItem = (url: string) => (session: SessionObject) => {
  const { id, amount_total, currency, customer_details, created } = session;
  return html`<li>
<p class="row"><a class="first" href="${url}${pagePath(id)}">${money(amount_total, currency)}</a>
<span>${stateOf(session)}</span></p>
<p class="row"><span>${customer_details?.email ?? ""}</span> <small class="end">${moment(created * 1_000)}</small></p>
</li>
`;
};

const chatItem = ({ text, at }: ChatMessage): Html => html`<li><pre>${text}</pre> <small>${moment(at)}</small></li>
`;

const deadLetterItem = ({ queue, body, attributes }: DeadLetter): Html => html`<li>
<p class="first bad">${queue}</p>
${Object.entries(attributes).map(([name, value]) => html`<p><small>${name}: ${value}</small></p>`)}
<pre>${JSON.stringify(body, undefined, 2)}</pre>
</li>
`;

const addressItem = ([name, address]: readonly [string, string]): Html =>
  html`<li class="row"><span>${name}</span> <a class="end" href="${address}">${address}</a></li>
`;

/** The start page. */
export function startPage(shown: Shown): Html {
  const { accounts, addresses, paymentsUrl } = shown;
  return page(
    "Local stage",
    html`<h1>Club events: the local stage</h1>
<p>The whole backend runs on this machine. Calls to the API need the token of an account.</p>
<p><a class="main" href="/docs">Reference of the API, to try out</a></p>
<p><a href="/club/">The club's pages</a>, and <a href="/desk/">the executives' desk</a></p>
<p><a href="/door/">Check-in at the door</a>, for phones that have the link of an event</p>
<div class="grid">
${accountsSection(accounts)}
${section(
  "mails",
  "Mails",
  listOf(newest(shown.mails()).map(mailItem), "None was sent yet."),
  html`<p><a href="/local/mails">All mails</a></p>`,
)}
<section id="requests" class="wide" data-live>
<h2>Last requests</h2>
${listOf(shown.requests.list().slice(0, maxRequestsShown).map(requestItem), "None yet.")}
<p><a href="/local/requests">All that are kept</a>
<small>Times are UTC. Below a request are the log lines of its function, and of those that its messages reach.</small></p>
</section>
${section(
  "payments",
  "Payments",
  listOf(newest(shown.payments()).map(paymentItem(paymentsUrl)), "None yet."),
  html`<p><a href="${paymentsUrl}/">Payment provider: pay, decline, hold events back</a></p>`,
)}
${section("chat", "Chat", listOf(newest(shown.chat()).map(chatItem), "No message yet."))}
${section(
  "dead-letters",
  "Dead letters",
  listOf(newest(shown.deadLetters()).map(deadLetterItem), "None. Every message was handled."),
)}
<section id="addresses"><h2>Addresses</h2>
<ul>${Object.entries(addresses).map(addressItem)}</ul>
</section>
</div>`,
    { script: "/local/start.js" },
  );
}
