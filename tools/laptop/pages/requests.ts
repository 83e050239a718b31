/** The last requests as people read them. */
import { type Html, html } from "#kit/text/html.ts";
import { type LoggedRequest, maxRequests } from "../http-api/recent-requests.ts";
import { moment } from "../service-kit/page.ts";
import { page } from "./layout.ts";

const statusOf = ({ status, latency, refusedOrigin }: LoggedRequest): Html =>
  status === undefined
    ? html`<span>under way</span>`
    : refusedOrigin !== undefined
      ? html`<span class="bad">refused</span> <small>${refusedOrigin} is not in ALLOWED_ORIGINS</small>`
      : html`<span class="${status < 400 ? "good" : "bad"}">${status}</span> <small>${latency} ms</small>`;

/** A line as it is, or with its values below each other when it is JSON. */
function readable(line: string): string {
  const [name = "", ...rest] = line.split(": ");
  try {
    return `${name}: ${JSON.stringify(JSON.parse(rest.join(": ")), undefined, 2)}`;
  } catch {
    return line;
  }
}

const logOf = ({ requestId, lines }: LoggedRequest): Html =>
  lines.length === 0
    ? html``
    : html`<details id="${requestId}"><summary>${lines.length} log ${lines.length === 1 ? "line" : "lines"}</summary>
${lines.map((line) => html`<pre>${readable(line)}</pre>`)}</details>`;

/** An item of a list. */
export const requestItem = (request: LoggedRequest): Html => html`<li>
<div class="request"><div><span class="first">${request.method}</span> ${request.path}</div>
<div>${statusOf(request)}</div>
<div><small>${request.who ?? "no token"}</small></div>
<div>${moment(request.at)}</div></div>
${logOf(request)}
</li>
`;

/** All requests that are kept. */
export const requestsPage = (requests: readonly LoggedRequest[]): Html =>
  page(
    "Requests",
    html`<p><a href="/">Start page</a></p>
<h1>Requests</h1>
<p>The last ${maxRequests} since the start of the stage, newest first. Times are UTC.</p>
<ul>${requests.map(requestItem)}</ul>`,
  );
