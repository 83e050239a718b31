/** Invariants of outbox rows, the markers of their notices, and campaigns. Pure. */
import {
  begunAtOf,
  type CampaignRecord,
  type Delivery,
  isAhead,
  type Recipient,
} from "#domain/mail/campaigns/campaign.ts";
import { deliveryKey } from "#domain/mail/campaigns/deliveries.ts";
import { batchKey, campaignKey, contentKey, timeKey } from "#domain/mail/campaigns/store.ts";
import { type Marker, markerKey, personIn } from "#domain/notices/store.ts";
import { isPseudonym } from "#domain/people/users/erasures.ts";
import { registrationKey } from "#domain/registrations/store/store.ts";
import type { Item, Key } from "#kit/table/table.ts";
import { entryOf, Unsendable } from "#outbox/bus-entry.ts";
import { type OutboxMessage, treasurersTypes } from "#outbox/catalogue.ts";
import { channelsOf } from "#outbox/notice-kinds.ts";
import { valuesIn } from "#outbox/stored-kinds.ts";
import type { Finding, Rule } from "./finding.ts";
import { iso } from "./registrations.ts";

const minute = 60_000;
const day = 86_400_000;

/** Maximum milliseconds from a message to the first try of a consumer. */
const wayToConsumer = 15 * minute;
/** Milliseconds for which a marker certainly exists: it is kept for 30 days. */
export const markerKept = 29 * day;
/** Milliseconds after which a mail is no longer tried: later tries last three days. */
const allTries = 4 * day;

/** The fields of an outbox row, possibly damaged. */
interface Row {
  readonly detailType?: unknown;
  readonly detail?: { readonly metadata?: Readonly<Record<string, unknown>>; readonly data?: unknown };
}

/** The markers that the consumers of a message must have created. */
export function markersOf({ type, data }: OutboxMessage, outboxId: string): Marker[] {
  if (treasurersTypes.some((one) => one === type)) {
    return [{ outboxId, channel: "chat", email: personIn(data) }];
  }
  // Of the other messages about refunds only some are mailed.
  if (type === "payment.refundStarted") return [{ outboxId, channel: "mail", email: data.email }];
  if (type === "member.granted") return [{ outboxId, channel: "mail", email: data.email }];
  if (!("notice" in data) || data.notice === undefined || !Object.hasOwn(channelsOf, data.notice)) return [];
  const { mail, chat } = channelsOf[data.notice];
  const { email, eventID: id, year } = data;
  const about = { outboxId, email, event: { id, year } };
  return [
    ...(mail ? [{ ...about, channel: "mail" as const }] : []),
    ...(chat && type !== "registration.updated" ? [{ ...about, channel: "chat" as const }] : []),
  ];
}

function problemOf(item: Item): string | undefined {
  try {
    const { outboxId } = entryOf(item as Row, "bus");
    return outboxId === item.SK ? undefined : "its id is not that of its key";
  } catch (error) {
    if (!(error instanceof Unsendable)) throw error;
    return error.message;
  }
}

const occurredAt = ({ detail }: Row): number => Date.parse(String(detail?.metadata?.occurredAt));

const messageIn = (item: Item): OutboxMessage => {
  const { detailType, detail } = item as Row;
  return { type: detailType, data: detail?.data ?? {} } as OutboxMessage;
};

/** @param hasChat whether the stage has a chat */
export const rowRule = (hasChat: boolean): Rule => {
  // Nothing is sent about a person who is erased, and the markers are gone.
  const expected = (item: Item) =>
    problemOf(item) === undefined
      ? markersOf(messageIn(item), item.SK).filter(
          ({ channel, email }) => (hasChat || channel === "mail") && !isPseudonym(email),
        )
      : [];
  return {
    related: (item) => expected(item).map(markerKey),
    judge(item, { find, now }) {
      const problem = problemOf(item);
      if (problem !== undefined)
        return [{ kind: "unsendable message", says: `${String(item.detailType)}: ${problem}` }];
      const age = now - occurredAt(item as Row);
      if (age < wayToConsumer || age > markerKept) return [];
      const missing = expected(item).filter((marker) => find(markerKey(marker)) === undefined);
      return missing.map(({ channel, email }) => ({
        kind: "message not heard",
        says: `${String(item.detailType)} for ${email}, ${channel}, of ${iso(now - age)}`,
      }));
    },
  };
};

/** Parses a marker's key: `SENT#<channel>#<email>` and the row, after the event if it is about a registration. */
export function markerIn({ PK, SK }: Key): Marker {
  const [, channel = "mail", ...email] = PK.split("#");
  const [outboxId = "", year, id] = SK.split("#").reverse();
  const about = { outboxId, channel: channel as Marker["channel"], email: email.join("#") };
  return id === undefined ? about : { ...about, event: { id, year: Number(year) } };
}

/** The registration that a mail was about. It always exists: deleted ones remain as tombstones. */
const toldOf = (item: Key): Key | undefined => {
  const { channel, email, event } = markerIn(item);
  return channel === "mail" && event ? registrationKey({ email, event }) : undefined;
};

export const markerRule: Rule = {
  related: (item) => [toldOf(item) ?? []].flat(),
  judge(item, { find, now }) {
    const { channel, email, event } = markerIn(item);
    const registration = toldOf(item);
    if (event && registration && !find(registration)) {
      return [{ kind: "lost registration", says: `${email} for ${event.id};${event.year}` }];
    }
    const { state, leaseUntil } = item as unknown as { readonly state: string; readonly leaseUntil: number };
    // Chat messages are sent at most once, so a claim without a known result remains.
    if (channel !== "mail" || (state !== "claimed" && state !== "released")) return [];
    if (leaseUntil > now - allTries || leaseUntil < now - markerKept) return [];
    return [{ kind: "mail not finished", says: `for ${email}, since ${iso(leaseUntil)}` }];
  },
};

export const campaignRule: Rule = {
  related(item) {
    const campaign = item as unknown as CampaignRecord;
    const { campaignId: id, batches, stoppedBecause, sendAt = 0 } = campaign;
    if (stoppedBecause === "no template") return [];
    const time = isAhead(campaign) ? [timeKey(campaign, sendAt)] : [];
    return [contentKey(id), ...time, ...(batches > 0 ? [batchKey(id, 0), batchKey(id, batches - 1)] : [])];
  },
  judge(item, { find }) {
    const missing = campaignRule.related(item).filter((key) => find(key) === undefined);
    const names = missing.map(({ SK }) => SK).join(", ");
    return missing.length === 0 ? [] : [{ kind: "campaign without its parts", says: `${item.SK}: ${names}` }];
  },
};

/** The campaign and the number in a batch's key. */
export function batchIn(key: Key) {
  const { id = "", number } = valuesIn("batch of a campaign", key);
  return { campaignId: id, batch: Number(number) };
}

const recipientsOf = (item: Item): readonly Recipient[] =>
  (item as unknown as { readonly recipients: readonly Recipient[] }).recipients;

export const batchRule: Rule = {
  related(item) {
    const { campaignId } = batchIn(item);
    return [campaignKey(campaignId), ...recipientsOf(item).map(({ email }) => deliveryKey(campaignId, email))];
  },
  judge(item, { find, now }): Finding[] {
    const { campaignId, batch } = batchIn(item);
    const campaign = find(campaignKey(campaignId)) as unknown as CampaignRecord | undefined;
    // Batches of a campaign that was never started belong to no campaign, and expire.
    if (!campaign || campaign.stoppedAt !== undefined || isAhead(campaign)) return [];
    if (begunAtOf(campaign) > now - allTries) return [];
    const left = recipientsOf(item).filter(({ email }) => {
      const delivery = find(deliveryKey(campaignId, email)) as unknown as Pick<Delivery, "state"> | undefined;
      return delivery === undefined || delivery.state === "released";
    });
    if (left.length === 0) return [];
    return [{ kind: "batch not sent", says: `campaign ${campaignId}, batch ${batch}: ${left.length} people` }];
  },
};
