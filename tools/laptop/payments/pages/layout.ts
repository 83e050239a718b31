/** The frame of all pages of the provider. */
import { type Html, html } from "#kit/text/html.ts";
import type { HttpReply } from "../../service-kit/http-service.ts";
import type { LineItem, Session } from "../session.ts";
import { totalOf } from "../session.ts";

/** Pages load nothing from other origins, and cannot be framed. */
const headers = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
};

export function page(status: number, title: string, content: Html): HttpReply {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header><p><strong>Local payment provider.</strong> No money moves.</p></header>
<main>
${content}
</main>
</body>
</html>
`;
  return { status, headers, body: document.source };
}

/** Sends the browser to another page, by GET. */
export const seeOther = (location: string): HttpReply => ({
  status: 303,
  headers: { location, "cache-control": "no-store" },
  body: "",
});

const formatOf = (currency: string): Intl.NumberFormat =>
  new Intl.NumberFormat("en-CA", { style: "currency", currency, currencyDisplay: "code" });

const digitsOf = (currency: string): number => formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2;

/** `CAD 15.00` */
export const money = (amount: number, currency: string): string =>
  formatOf(currency).format(amount / 10 ** digitsOf(currency));

/** `15.00` */
export const decimal = (amount: number, currency: string): string =>
  (amount / 10 ** digitsOf(currency)).toFixed(digitsOf(currency));

/** The amount that a person has entered, in the smallest unit; undefined when it is none. */
export function enteredAmount(text: string, currency: string): number | undefined {
  const digits = digitsOf(currency);
  const [, whole, fraction = ""] = /^(\d{1,12})(?:\.(\d+))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || fraction.length > digits) return undefined;
  return Number(whole + fraction.padEnd(digits, "0"));
}

/** `warning_needs_response` as `warning needs response` */
export const words = (name: string): string => name.replaceAll("_", " ");

/** A field with which one of the names is chosen. Its label is for programs that read aloud. */
export const select = (name: string, label: string, names: readonly string[]): Html =>
  html`<select name="${name}" aria-label="${label}">${names.map((one) => html`<option value="${one}">${words(one)}</option>`)}</select>`;

export const total = ({ lineItems, currency }: Session): string => money(totalOf(lineItems), currency);

/** The names of the bought items, in one line. */
export const bought = (lineItems: readonly LineItem[]): string => lineItems.map(({ name }) => name).join(", ");

const stateWords: Readonly<Record<Session["state"], string>> = {
  open: "Open",
  paid: "Paid",
  underway: "Done, the money is on its way",
  failed: "Done, but the money never came",
  expired: "Expired",
};

export const inWords = ({ state }: Session): string => stateWords[state];

/** Epoch seconds. */
export const moment = (seconds: number): Html => {
  const at = new Date(seconds * 1000).toISOString();
  return html`<time datetime="${at}">${at.slice(0, 16).replace("T", " ")} UTC</time>`;
};

export const style = `
:root { color-scheme: light dark; --line: #8886; --accent: #2a5bd7; --soft: #8881; }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
header { background: #ffd65c; color: #222; padding: 0 1rem; }
header p { margin: 0 auto; padding: .5rem 0; max-width: 38rem; font-size: .9rem; }
main { max-width: 40rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: .5rem 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p, li, td, th, dd { overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; margin-bottom: 1rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem 0; border-bottom: 1px solid var(--line); font-weight: normal; }
td { text-align: right; white-space: nowrap; padding-left: 1rem; }
tfoot th, tfoot td { font-weight: 600; border-bottom: 0; }
small { display: block; opacity: .75; }
ul { list-style: none; margin: 0; padding: 0; }
li { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; margin-bottom: .75rem; }
li p { margin: 0; }
form { margin: 0; }
label { display: block; margin-bottom: .25rem; }
input { width: 100%; font: inherit; padding: .6rem; border: 1px solid var(--line); border-radius: .4rem; margin-bottom: 1rem; }
select { font: inherit; min-height: 2.75rem; padding: .5rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--soft); color: inherit; }
button { font: inherit; min-height: 2.75rem; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--soft); color: inherit; cursor: pointer; }
button.main { background: var(--accent); border-color: var(--accent); color: #fff; font-weight: 600; }
form.stack button { display: block; width: 100%; margin-bottom: .6rem; }
form.row { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .5rem; }
form + ul { margin-top: .75rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.alert { border-left: .3rem solid #c62828; background: var(--soft); padding: .6rem .8rem; }
`;
