/** A person's data: all of it, and what becomes of it (`docs/contract.md`, "A person's data"). */
import { profileAnswer } from "#api/records/profile-answer.ts";
import { registrationAnswer } from "#api/records/registration-answer.ts";
import { userAnswer } from "#api/records/user-answer.ts";
import { type Spender, spend as spendOn } from "#domain/people/budget.ts";
import type { ProfileRecord } from "#domain/people/profiles/profile.ts";
import type { Erasure } from "#domain/people/users/erasures.ts";
import type { UserRecord } from "#domain/people/users/store.ts";
import { isBack } from "#domain/personal-data/after-deletion.ts";
import { itemsAbout, recordsOf } from "#domain/personal-data/find.ts";
import { erasurePlan } from "#domain/personal-data/plan.ts";
import { leftOut, type Shown, shownOf } from "#domain/personal-data/shown.ts";
import { linkNotValid, sentLink } from "#domain/registrations/links/link.ts";
import { type NewEmailLink, openedNewEmail } from "#domain/registrations/links/new-email-link.ts";
import { ticketKey } from "#domain/registrations/links/ticket-key.ts";
import { listedRegistrationIn } from "#domain/registrations/record/stored-form.ts";
import { NotFound } from "#kit/errors.ts";
import { type Answer, ok, okText } from "#kit/request/answer.ts";
import type { RequestContext } from "#kit/request/context.ts";
import type { Item, Key } from "#kit/table/table.ts";
import { noteDownload, requestExportLink } from "#outbox/downloads.ts";
import { type StoredKind, storedKindOf, valuesIn } from "#outbox/stored-kinds.ts";
import { type Exported, pageOf } from "./export-page.ts";

export { personOf } from "#domain/registrations/links/by-link.ts";

/** Counts a request that reads much. @throws TooOften */
export const spend = async (spender: Spender, context: RequestContext): Promise<void> =>
  spendOn(spender, await ticketKey(), context);

/** Reads the `Authorization` header of the route that confirms a new email. @throws Unauthenticated */
export async function confirmationOf(header: string | undefined): Promise<NewEmailLink> {
  const link = openedNewEmail(sentLink(header), await ticketKey());
  if (!link) throw linkNotValid();
  return link;
}

/** Kinds that the API answers about elsewhere, in its words. */
const inWordsOfTheContract: { readonly [K in StoredKind]?: (record: never, now: number) => object } = {
  registration(record: Parameters<typeof listedRegistrationIn>[0]) {
    const row = listedRegistrationIn(record);
    return registrationAnswer(row, { code: row.code });
  },
  account: (record: UserRecord, now) => userAnswer(record, now),
  // The id is a part of a secret.
  "address of a calendar": ({ createdAt }: { readonly createdAt: number }) => ({ createdAt }),
  profile: ({ PK, SK, ...record }: ProfileRecord & { readonly PK?: string; readonly SK?: string }) =>
    profileAnswer(record),
};

/** What only the key says: of a notice which one, and by mail or chat. */
function inKey(key: Key): object {
  const kind = storedKindOf(key);
  const { email, ulid, ms, ...values } = kind ? valuesIn(kind, key) : {};
  return { ...values, ...(ms && { at: Number.parseInt(ms.replace(/^~/, ""), 10) }) };
}

function recordOf({ kind, record }: Shown, now: number): object {
  const { PK, SK, ...fields } = record as { readonly PK?: string; readonly SK?: string };
  return inWordsOfTheContract[kind as StoredKind]?.(record as never, now) ?? { ...inKey(record as Key), ...fields };
}

/** The records by kind, in the order of the kinds' names. */
function byKind(shown: readonly Shown[], now: number): Record<string, object[]> {
  const records: Record<string, object[]> = {};
  for (const one of [...shown].sort((a, b) => (a.kind < b.kind ? -1 : 1))) {
    records[one.kind] ??= [];
    records[one.kind]?.push(recordOf(one, now));
  }
  return records;
}

const messages = "Messages and the audit: an admin reads them with GET /audit, an operator with npm run ops -- who.";

/** Everything that is stored about a person. */
export async function exported(
  email: string,
  format: "json" | "html" | undefined,
  context: RequestContext,
): Promise<Answer> {
  await noteDownload("export", { email }, context);
  const records = byKind(await recordsOf(email, context.now), context.now);
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
  if ((await recordsOf(email, context.now)).length === 0) throw new NotFound("User");
  await requestExportLink(email, context);
}

/** What a deletion of the account removes, and what stays. */
export async function planned(email: string, now: number) {
  const items = await itemsAbout(email, now);
  const notes = items.filter((item) => storedKindOf(item) === "erasure to come") as (Erasure & Item)[];
  const underWay = notes.find((note) => !isBack(items, note));
  const shown = items.flatMap((item) => shownOf(item, email) ?? []);
  const elsewhere = {
    ...{ "archive of the bus": leftOut["archive of the bus"], backups: leftOut.backups, chat: leftOut.chat },
    feedback: "A submission without a name or an email stays. Nobody can see who wrote it.",
    messages:
      "Messages and rows of the audit about the person have the email, and some the first name, for 400 days: they show who changed what. An operator may remove them before (npm run ops -- erase). What the person changed for others keeps it.",
    payments: leftOut.payments,
    "sign-in account":
      "If there is one, it stays in the user pool, with email and names, until an operator removes it.",
  };
  return { email, ...erasurePlan(shown, underWay, now), elsewhere };
}
