/** The frame of the laptop's own pages. */
import { type Html, html } from "#kit/text/html.ts";
import type { GatewayResponse } from "../http-api/response.ts";

/** Loads nothing from other origins, and cannot be framed. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Headers of every answer of these pages. */
const ownHeaders = {
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
};

/** An answer with the headers of these pages. */
export const reply = (
  status: number,
  contentType: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): GatewayResponse => ({
  status,
  headers: { ...ownHeaders, "content-type": contentType, ...headers },
  body: typeof body === "string" ? Buffer.from(body) : body,
});

/** A JSON answer. */
export const jsonReply = (status: number, value: object): GatewayResponse =>
  reply(status, "application/json", JSON.stringify(value));

/** @param policy content security policy, when the page needs another one */
export const htmlReply = (status: number, document: Html, policy: string = pagePolicy): GatewayResponse =>
  reply(status, "text/html; charset=utf-8", document.source, { "content-security-policy": policy });

/** A page with the notice that it exists on a laptop only. */
export function page(title: string, content: Html, { script }: { readonly script?: string } = {}): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/local/style.css">
${script === undefined ? "" : html`<script type="module" src="${script}"></script>`}
</head>
<body>
<header><p><strong>Only on the laptop.</strong> No mail leaves it and no money moves. A deployed stage has no such
page.</p></header>
<main>
${content}
</main>
</body>
</html>
`;
}

/** A page that shows an error message only. */
export const sorry = (status: number, sentence: string): GatewayResponse =>
  htmlReply(status, page(sentence, html`<h1>${sentence}</h1>`));

/** A moment in UTC. @param milliseconds since 1970 */
export function moment(milliseconds: number): Html {
  const at = new Date(milliseconds).toISOString();
  return html`<time datetime="${at}"><span class="day">${at.slice(0, 10)}</span> ${at.slice(11, 19)}</time>`;
}

/** A list, or the text when it is empty. */
export const listOf = (items: readonly Html[], none: string): Html =>
  items.length === 0 ? html`<p class="none">${none}</p>` : html`<ul>${items}</ul>`;

/** The style sheet of all pages. */
export const style = `
:root { color-scheme: light dark; --line: #8886; --accent: #2a5bd7; --soft: #8881; --good: #1b7f3b; --bad: #c62828; }
@media (prefers-color-scheme: dark) { :root { --accent: #8fb0ff; --good: #6fd08c; --bad: #ff8a80; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
header { background: #ffd65c; color: #222; padding: 0 1rem; }
header p { margin: 0 auto; padding: .5rem 0; max-width: 72rem; font-size: .9rem; }
main { max-width: 74rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: .5rem 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 0 0 .5rem; }
p, li, td, th, dd, summary { overflow-wrap: anywhere; }
p { margin: 0 0 .5rem; }
a { color: var(--accent); }
small, time, .none { opacity: .75; font-size: .875rem; }
time { white-space: nowrap; font-variant-numeric: tabular-nums; }
.grid { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); margin-top: 1rem; }
section { border: 1px solid var(--line); border-radius: .6rem; padding: 1rem; min-width: 0; }
@media (min-width: 60rem) { .grid { grid-template-columns: repeat(2, minmax(0, 1fr)); } .wide { grid-column: 1 / -1; } }
ul { list-style: none; margin: 0; padding: 0; }
li { border-top: 1px solid var(--line); padding: .5rem 0; }
li:first-child { border-top: 0; }
li p { margin: 0; }
.row { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; }
.row .end { margin-left: auto; }
.first { font-weight: 600; }
.request { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 .5rem; align-items: baseline; }
.request > :nth-child(even) { text-align: right; }
@media (max-width: 59.99rem) { .request .day { display: none; } }
@media (min-width: 60rem) {
  .request { grid-template-columns: minmax(0, 1fr) 7rem 16rem 11rem; }
  .request > :nth-child(2) { text-align: left; }
}
button { font: inherit; min-height: 2.5rem; padding: .3rem .9rem; border: 1px solid var(--line); border-radius: .4rem;
  background: var(--soft); color: inherit; cursor: pointer; }
button.main, a.main { background: #2a5bd7; border-color: #2a5bd7; color: #fff; font-weight: 600; }
a.main { display: inline-block; padding: .5rem 1rem; border-radius: .4rem; text-decoration: none; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
textarea { display: block; width: 100%; margin-top: .5rem; font: .8rem/1.4 ui-monospace, monospace; }
pre, code { font: .8rem/1.45 ui-monospace, monospace; }
pre { margin: .25rem 0 0; padding: .6rem; background: var(--soft); border-radius: .4rem; white-space: pre-wrap;
  overflow-wrap: anywhere; }
summary { cursor: pointer; }
.good { color: var(--good); font-weight: 600; }
.bad { color: var(--bad); font-weight: 600; }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .25rem 1rem; margin: 0 0 1rem; }
dt { opacity: .75; }
dd { margin: 0; }
/* As high as a mail with a ticket is on a phone, so that its code is not cut. */
iframe { width: 100%; height: max(75vh, 70rem); border: 1px solid var(--line); border-radius: .4rem; background: #fff; }
`;
