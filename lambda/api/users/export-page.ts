/** A person's data as a page, with times of the stage's zone (`docs/contract.md`, "A person's data"). */
import { requiredEnv } from "#kit/env.ts";
import { type Html, html } from "#kit/text/html.ts";
import { readable } from "#kit/text/text.ts";
import { momentText } from "#kit/text/time-zone.ts";

const timeZone = requiredEnv("TIME_ZONE");

export interface Exported {
  readonly email: string;
  readonly at: number;
  readonly records: Readonly<Record<string, readonly object[]>>;
  readonly leftOut: Readonly<Record<string, string>>;
}

/** Fields that only the service itself uses. The page leaves them out, the JSON has them. */
const internal = new Set([
  ...["claimedBy", "leaseUntil", "tries", "generation", "version", "queueKey", "scheduleVersion", "termsVersion"],
  ...["eventID;year", "favedEventsID;year", "ticketId", "calendarUid", "again", "favoured", "invites"],
]);
/** What a person looks for first. The other kinds follow by their names. */
const first = ["account", "membership", "profile", "registration", "own payment", "own refund", "payment"];

const isEmpty = (value: unknown): boolean =>
  value === "" || JSON.stringify(value) === "{}" || JSON.stringify(value) === "[]";

/** A value as a reader sees it. Money is stored in cents. */
function shown(name: string, value: unknown): Html | string {
  if (Array.isArray(value)) return html`${value.map((one) => html`<div>${shown(name, one)}</div>`)}`;
  if (typeof value === "object" && value !== null) return list(value);
  if (name === "amount") return `${value} cents`;
  const text = readable(name, value);
  return text === value ? String(value) : momentText(Date.parse(String(text)), timeZone);
}

const list = (fields: object): Html =>
  html`<dl>${Object.entries(fields)
    .filter(([name, value]) => !(internal.has(name) || isEmpty(value)))
    .map(([name, value]) => html`<dt>${name}</dt><dd>${shown(name, value)}</dd>`)}</dl>`;

const inOrder = (records: Exported["records"]): [string, readonly object[]][] => [
  ...first.flatMap((kind): [string, readonly object[]][] => (records[kind] ? [[kind, records[kind]]] : [])),
  ...Object.entries(records).filter(([kind]) => !first.includes(kind)),
];

const sectionOf = ([kind, some]: [string, readonly object[]]): Html => html`
<section><h2>${kind[0]?.toUpperCase()}${kind.slice(1)} (${some.length})</h2>${some.map(list)}</section>`;

/** What is stored as a page to read, save and print. */
export const pageOf = ({ email, at, records, leftOut: missing }: Exported): Html => html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>What is stored about ${email}</title>
<style>
:root { color-scheme: light dark }
body { margin: 0 auto; max-width: 50rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
dl { margin: 1rem 0; padding: .5rem 1rem; border: 1px solid #8888 }
dt { font-weight: 600 }
dd { margin: 0 0 .5rem; white-space: pre-wrap }
</style>
<h1>What is stored about ${email}</h1>
<p>${momentText(at, timeZone)}. Below are the records by kind: what you entered, what you have paid, and what the
service notes so that it does everything once. As JSON the same has also the fields that only the service uses.</p>
${inOrder(records).map(sectionOf)}
<section><h2>Not included</h2>${list(missing)}</section>
</html>
`;
