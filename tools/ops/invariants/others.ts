/** Invariants of events, templates, feedback and the game. Pure. */

import type { Seats } from "#domain/capacity/seats.ts";
import { seatsKey } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { eventItem, eventKeyOf } from "#domain/events/store.ts";
import { putSubmission } from "#domain/feedback/store.ts";
import type { SubmissionRecord } from "#domain/feedback/submission.ts";
import type { StoredAccount } from "#domain/game/account.ts";
import type { Description } from "#domain/game/project.ts";
import { accountKey, listAccount, marketKey, openAccount, putText, textKey } from "#domain/game/store.ts";
import type { TemplateRecord } from "#domain/mail/templates/store.ts";
import { lineKey, templateKey } from "#domain/mail/templates/store.ts";
import { keyIn } from "#kit/table/item.ts";
import type { Key } from "#kit/table/table.ts";
import { valuesIn } from "#outbox/stored-kinds.ts";
import type { Rule } from "./finding.ts";
import { otherTerms } from "./seats.ts";

export const eventRule: Rule = {
  related: (item) => [seatsKey(item as unknown as EventRecord)],
  judge(item, { find }) {
    const event = item as unknown as EventRecord;
    const seats = find(seatsKey(event)) as unknown as Seats | undefined;
    if (!seats) return [{ kind: "no seats", says: "there is no item of seats" }];
    const differences = otherTerms(event, seats);
    return differences.length === 0 ? [] : [{ kind: "other terms", says: `differs in ${differences.join(", ")}` }];
  },
  listed: (item) => eventItem(item as unknown as EventRecord),
};

export function eventOfSeats(key: Key) {
  const { id = "", year } = valuesIn("seats", key);
  return { id, year: Number(year) };
}

export const seatsRule: Rule = {
  related: (item) => [eventKeyOf(eventOfSeats(item))],
  judge(item, { find }) {
    const isGone = find(eventKeyOf(eventOfSeats(item))) === undefined;
    return isGone && item.state !== "DELETED" ? [{ kind: "seats of no event", says: `state ${item.state}` }] : [];
  },
};

export const submissionRule: Rule = {
  related: () => [],
  judge: () => [],
  listed: (item) => putSubmission(item as unknown as SubmissionRecord).Put?.Item,
};

export const templateRule: Rule = {
  related: (item) => [lineKey(String(item.templateName))],
  judge(item, { find }) {
    const { templateName, createdAt, updatedAt } = item as unknown as TemplateRecord;
    const line = find(lineKey(templateName));
    const agrees = line?.createdAt === createdAt && line.updatedAt === updatedAt;
    return agrees ? [] : [{ kind: "template not listed", says: templateName }];
  },
};

export const templateLineRule: Rule = {
  related: (item) => [templateKey(item.SK)],
  judge: (item, { find }) => (find(templateKey(item.SK)) ? [] : [{ kind: "line of no template", says: item.SK }]),
};

const listKeyOf = (account: StoredAccount): Key => listAccount(account).Put?.Item as unknown as Key;

export const gameAccountRule: Rule = {
  related: (item) => [keyIn(listKeyOf(item as unknown as StoredAccount))],
  judge(item, { find }) {
    const account = item as unknown as StoredAccount;
    const says = `${account.email} in ${account.eventId}`;
    return find(listKeyOf(account)) ? [] : [{ kind: "game account not listed", says }];
  },
  listed: (item) => openAccount(item as unknown as StoredAccount).Put?.Item,
};

const gameOf = (key: Key): string => valuesIn("listed game account", key).event ?? "";

export const gameListRule: Rule = {
  related: (item) => [accountKey(item.SK, gameOf(item))],
  judge: (item, { find }) =>
    find(accountKey(item.SK, gameOf(item)))
      ? []
      : [{ kind: "listed without an account", says: `${item.SK} in ${gameOf(item)}` }],
};

const projectOf = (key: Key): string => valuesIn("project, text", key).project ?? "";

/** Text and market of a project. */
export const projectRule: Rule = {
  related: (item) => [item.SK === "META" ? marketKey(projectOf(item)) : textKey(projectOf(item))],
  judge(item, { find }) {
    const isWhole = projectRule.related(item).every((key) => find(key) !== undefined);
    return isWhole ? [] : [{ kind: "project without its half", says: `${projectOf(item)} has only ${item.SK}` }];
  },
  listed: (item) => (item.SK === "META" ? putText(item as unknown as Description).Put?.Item : undefined),
};
