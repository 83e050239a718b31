/** The frame of the laptop's own pages. */
import { type Html, html } from "#kit/text/html.ts";
import type { GatewayResponse } from "../http-api/response.ts";
import { framed, sharedStyle } from "../service-kit/page.ts";

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

const notice = html`<strong>Only on the laptop.</strong> No mail leaves it and no money moves. A deployed stage has no such
page.`;

/** A page with the notice that it exists on a laptop only. */
export const page = (title: string, content: Html, { script }: { readonly script?: string } = {}): Html =>
  framed(title, notice, content, { style: "/local/style.css", script });

/** A page that shows an error message only. */
export const sorry = (status: number, sentence: string): GatewayResponse =>
  htmlReply(status, page(sentence, html`<h1>${sentence}</h1>`));

/** The style sheet of all pages. */
export const style = `${sharedStyle}
[hidden] { display: none !important; }
h2 { font-size: 1.1rem; margin: 0 0 .5rem; }
.grid { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); margin-top: 1rem; }
section { border: 1px solid var(--line); border-radius: .6rem; padding: 1rem; min-width: 0; }
@media (min-width: 60rem) { .grid { grid-template-columns: repeat(2, minmax(0, 1fr)); } .wide { grid-column: 1 / -1; } }
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
a.main { display: inline-block; padding: .5rem 1rem; border-radius: .4rem; text-decoration: none; }
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
