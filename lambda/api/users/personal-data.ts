/** A person's data: all of it, and what becomes of it (`docs/contract.md`, "A person's data"). */
import { profileAnswer } from "#api/records/profile-answer.ts";
import { registrationAnswer } from "#api/records/registration-answer.ts";
import { userAnswer } from "#api/records/user-answer.ts";
import { leftOut, type Shown } from "#domain/catalogue/shown.ts";
import { type StoredKind, valuesOf } from "#domain/catalogue/stored-kinds.ts";
import type { ProfileRecord } from "#domain/people/profiles/profile.ts";
import type { UserRecord } from "#domain/people/users/store.ts";
import { recordsOf } from "#domain/personal-data/find.ts";
import { erasurePlan } from "#domain/personal-data/plan.ts";
import { listedRegistrationIn } from "#domain/registrations/record/stored-form.ts";
import { ticketKey } from "#domain/registrations/tickets/codes.ts";
import { NotFound } from "#kit/errors.ts";
import { type Answer, ok, okText } from "#kit/request/answer.ts";
import type { RequestContext } from "#kit/request/context.ts";
import type { Key } from "#kit/table/table.ts";
import { type Html, html } from "#kit/text/html.ts";
import { isoText, readable } from "#kit/text/text.ts";
import { noteDownload, requestExportLink } from "#outbox/downloads.ts";

export { personOf } from "#domain/personal-data/by-link.ts";

/** Kinds that the API answers about elsewhere, in its words. */
const inWordsOfTheContract: { readonly [K in StoredKind]?: (record: never) => object } = {
  registration: (record: Parameters<typeof listedRegistrationIn>[0]) =>
    registrationAnswer(listedRegistrationIn(record)),
  account: (record: UserRecord) => userAnswer(record),
  profile: ({ PK, SK, ...record }: ProfileRecord & { readonly PK?: string; readonly SK?: string }) =>
    profileAnswer(record),
};

/** What only the key says: of a notice which one, and by mail or chat. */
function inKey(key: Key): object {
  const { email, ulid, ms, ...values } = valuesOf(key);
  return { ...values, ...(ms && { at: Number(ms) }) };
}

function recordOf({ kind, record }: Shown): object {
  const { PK, SK, ...fields } = record as { readonly PK?: string; readonly SK?: string };
  return inWordsOfTheContract[kind as StoredKind]?.(record as never) ?? { ...inKey(record as Key), ...fields };
}

/** The records by kind, in the order of the kinds' names. */
function byKind(shown: readonly Shown[]): Record<string, object[]> {
  const records: Record<string, object[]> = {};
  for (const one of [...shown].sort((a, b) => (a.kind < b.kind ? -1 : 1))) {
    records[one.kind] ??= [];
    records[one.kind]?.push(recordOf(one));
  }
  return records;
}

interface Exported {
  readonly email: string;
  readonly at: number;
  readonly records: Readonly<Record<string, readonly object[]>>;
  readonly leftOut: Readonly<Record<string, string>>;
}

function text(name: string, value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(readable(name, value));
}

const list = (fields: object): Html =>
  html`<dl>${Object.entries(fields).map(([name, value]) => html`<dt>${name}</dt><dd>${text(name, value)}</dd>`)}</dl>`;

/** The same as a page to read, save and print. */
const pageOf = ({ email, at, records, leftOut: missing }: Exported): Html => html`<!doctype html>
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
<p>At ${isoText(at)}.</p>
${Object.entries(records).map(
  ([kind, some]) => html`<section><h2>${kind} (${some.length})</h2>${some.map(list)}</section>
`,
)}
<section><h2>Not included</h2>${list(missing)}</section>
</html>
`;

const messages = "Messages and the audit: an admin reads them with GET /audit, an operator with npm run ops -- who.";

/** Everything that is stored about a person. */
export async function exported(
  email: string,
  format: "json" | "html" | undefined,
  context: RequestContext,
): Promise<Answer> {
  await noteDownload("export", { email }, context);
  const records = byKind(await recordsOf(email, await ticketKey()));
  const data: Exported = { email, at: context.now, records, leftOut: { ...leftOut, messages } };
  if (format !== "html") return ok(data);
  return okText(pageOf(data).source, {
    "content-type": "text/html; charset=utf-8",
    "content-disposition": 'attachment; filename="personal-data.html"',
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  });
}

/** Requests the mail with the link to the export. @throws NotFound nothing is stored, perhaps because the email is mistyped */
export async function mailExportLink(email: string, context: RequestContext): Promise<void> {
  if ((await recordsOf(email, await ticketKey())).length === 0) throw new NotFound("User");
  await requestExportLink(email, context);
}

/** What a deletion of the account removes, and what stays. */
export async function planned(email: string, now: number) {
  const shown = await recordsOf(email, await ticketKey());
  const elsewhere = {
    "archive of the bus": leftOut["archive of the bus"],
    backups: leftOut.backups,
    feedback: leftOut.feedback,
    messages: "Messages about the person stay for 400 days: they show who changed what.",
    payments: leftOut.payments,
    "sign-in account": "It stays in the user pool, with email and names, until an operator removes it.",
  };
  return { email, ...erasurePlan(shown, now), elsewhere };
}
