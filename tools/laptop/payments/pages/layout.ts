/** The frame of all pages of the provider. */
import { type Html, html } from "#kit/text/html.ts";
import type { HttpReply } from "../../service-kit/http-service.ts";
import { framed, moment, sharedStyle } from "../../service-kit/page.ts";
import type { LineItem, Session } from "../session.ts";
import { totalOf } from "../session.ts";

/** Pages load nothing from other origins, and cannot be framed. */
const headers = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
};

const notice = html`<strong>Local payment provider.</strong> No money moves.`;

export const page = (status: number, title: string, content: Html): HttpReply => ({
  status,
  headers,
  body: framed(title, notice, content, { style: "/style.css" }).source,
});

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
export const momentOf = (seconds: number): Html => html`${moment(seconds * 1_000)} UTC`;

export const style = `${sharedStyle}
main { max-width: 40rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
table { width: 100%; border-collapse: collapse; margin-bottom: 1rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem 0; border-bottom: 1px solid var(--line); font-weight: normal; }
td { text-align: right; white-space: nowrap; padding-left: 1rem; }
tfoot th, tfoot td { font-weight: 600; border-bottom: 0; }
label { display: block; margin-bottom: .25rem; }
input, select { font: inherit; min-height: 2.5rem; padding: .5rem; border: 1px solid var(--line); border-radius: .4rem; }
input { width: 100%; margin-bottom: 1rem; }
form.stack button { display: block; width: 100%; margin-bottom: .6rem; }
form.row { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .5rem; }
.alert { border-left: .3rem solid #c62828; background: var(--soft); padding: .6rem .8rem; }
`;
