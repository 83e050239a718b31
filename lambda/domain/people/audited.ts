/** What the audit has of a change of a person's records by another caller (`docs/contract.md`, "Audit"). */

import type { TransactItem } from "#kit/table/table.ts";
import { type Audited, auditRow, changesOf } from "#outbox/audit.ts";
import type { MessageContext } from "#outbox/store.ts";
import { personalFieldsOf } from "#outbox/stored-kinds.ts";

type PersonalRecord = "account" | "membership" | "profile";

/** A change of a record. */
interface PersonChange {
  readonly email: string;
  readonly before?: object | undefined;
  readonly after?: object | undefined;
}

/** The changed fields of a record, those about the person by name. */
const changesIn = (kind: PersonalRecord, { before, after }: PersonChange): Audited => ({
  changes: changesOf(before, after, [...personalFieldsOf(kind), "email", "profileID"]),
});

/** Beside the message of a change. Undefined when it is the person's own. */
export const messageAudit = (
  kind: PersonalRecord,
  change: PersonChange,
  { actor }: MessageContext,
): Audited | undefined => (actor === change.email ? undefined : changesIn(kind, change));

/**
 * The row of a change that has no message. Undefined when it is the person's own.
 * @param done such as `updated`
 */
export const personAudit = (
  [kind, done]: readonly [PersonalRecord, "created" | "updated" | "deleted"],
  change: PersonChange,
  context: MessageContext,
): TransactItem | undefined =>
  context.actor === change.email
    ? undefined
    : auditRow({ action: `${kind}.${done}`, email: change.email, ...changesIn(kind, change) }, context);
