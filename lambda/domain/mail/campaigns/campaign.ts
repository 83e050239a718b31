/** The record of a campaign, its batches and its progress (`docs/contract.md`, "Emails"). Pure. */

import type { EventRecord } from "#domain/events/event.ts";
import type { RegistrationStatus } from "#domain/registrations/record/statuses.ts";
import { ttlAfter } from "#kit/table/item.ts";
import { chunk } from "#kit/text/chunk.ts";
import type { Values } from "../templates/placeholders.ts";
import type { TemplateContent } from "../templates/template.ts";

/** A person who gets a campaign, with the values that a template may use. */
export interface Recipient {
  /** Canonical. */
  readonly email: string;
  readonly fname?: string;
  readonly lname?: string;
}

/** A recipient without empty names. */
export const named = (email: string, fname: string | undefined, lname: string | undefined): Recipient => ({
  email,
  ...(fname && { fname }),
  ...(lname && { lname }),
});

/** An audience whose people are not fixed yet: they are those of the moment at which the campaign begins. */
export type OpenAudience =
  | {
      readonly kind: "event";
      readonly event: Pick<EventRecord, "id" | "year" | "generation">;
      readonly status?: readonly RegistrationStatus[];
    }
  | { readonly kind: "members" }
  /** The addresses are stored as batches. Who is deleted before it begins is left out. */
  | { readonly kind: "emails" };

/** A campaign as stored. Its content is a copy, so later changes of the template do not affect it. */
export interface CampaignRecord {
  readonly campaignId: string;
  readonly templateName: string;
  /** Number of distinct people; of an open audience, when the campaign was made. */
  readonly recipients: number;
  readonly batches: number;
  /** The audience without addresses: `event <id> <year>`, `members` or `emails`. */
  readonly audience: string;
  /** Email of the admin. */
  readonly createdBy: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Time at which an admin stopped the campaign, epoch milliseconds. */
  readonly stoppedAt?: number;
  /** Why the service stopped it: the event is deleted, or the template of an event's rule. */
  readonly stoppedBecause?: "no event" | "no template";
  /** When it begins, epoch milliseconds. Absent: it began when it was made. */
  readonly sendAt?: number;
  /** When the clock began it, epoch milliseconds. */
  readonly begunAt?: number;
  readonly open?: OpenAudience;
  /** To its admin alone, before it goes to others. */
  readonly isTest?: true;
}

/** The content of a campaign, common to all recipients. */
export interface CampaignContent extends TemplateContent {
  readonly event?: Values["event"];
  /** The address for answers about its event, instead of the stage's. */
  readonly replyTo?: string;
}

/** The people of an event, as a campaign stores its audience. */
export const eventText = ({ id, year }: Pick<EventRecord, "id" | "year">): string => `event ${id} ${year}`;

/** Days for which a campaign and its recipients are kept (`docs/contract.md`, "Emails"). */
export const daysKept = 180;

/** When the items of a campaign expire, in epoch seconds. */
export const clearedAt = ({ createdAt, sendAt = createdAt }: Pick<CampaignRecord, "createdAt" | "sendAt">): number =>
  ttlAfter(sendAt, daysKept);

/** Since when a campaign is sent, epoch milliseconds. */
export const begunAtOf = ({ createdAt, begunAt = createdAt }: CampaignRecord): number => begunAt;

/** Whether a campaign waits for its time. */
export const isAhead = ({ sendAt, begunAt, stoppedAt }: CampaignRecord): boolean =>
  sendAt !== undefined && begunAt === undefined && stoppedAt === undefined;

/** How far a campaign is whose recipients are not known yet; undefined of others. */
const stateAhead = (campaign: CampaignRecord) => {
  if (campaign.open === undefined) return undefined;
  if (campaign.stoppedAt !== undefined) return "stopped";
  return isAhead(campaign) ? "scheduled" : "queued";
};

/** Recipients of one `campaign.batch` message. Even at one mail in four seconds a batch takes less than two minutes. */
const batchSize = 25;

/** The batches of a campaign, in the order of its recipients. */
export const batchesOf = (people: readonly Recipient[]): Recipient[][] => chunk(people, batchSize);

/** Whether the audience gave no name for this recipient. */
export const isNameless = ({ fname, lname }: Recipient): boolean => fname === undefined && lname === undefined;

/** Removes duplicates. The first entry of each person counts. */
export function distinct(people: readonly Recipient[]): Recipient[] {
  const byEmail = new Map<string, Recipient>();
  for (const person of people) if (!byEmail.has(person.email)) byEmail.set(person.email, person);
  return [...byEmail.values()];
}

/**
 * State of the mail to one recipient. `claimed`: a try of send-campaign is sending it; after the lease, the outcome is
 * unknown. `released`: certainly not sent yet. `unconfirmed`: the mail service did not respond.
 */
export type DeliveryState = "claimed" | "released" | "sent" | "failed" | "suppressed" | "unconfirmed";

/** The record of one recipient, created when send-campaign claims the recipient. */
export interface Delivery {
  readonly email: string;
  readonly state: DeliveryState;
  /** Epoch milliseconds. */
  readonly leaseUntil: number;
  /** The reason of a failure. */
  readonly message?: string;
}

/**
 * Whether it is unknown if the mail was sent: SES did not respond, or send-campaign stopped before it stored the result.
 * Such a mail is never sent again.
 */
const isUnconfirmed = ({ state, leaseUntil }: Delivery, now: number): boolean =>
  state === "unconfirmed" || (state === "claimed" && leaseUntil <= now);

/**
 * The progress of a campaign, in numbers of people. `pending`: not sent yet, and never sent when the campaign is stopped.
 * @param deliveries the records of all recipients that send-campaign has claimed
 * @param now epoch milliseconds
 */
export function progressOf(campaign: CampaignRecord, deliveries: readonly Delivery[], now: number) {
  const count = (state: DeliveryState) => deliveries.filter((delivery) => delivery.state === state).length;
  const [sent, failed, suppressed] = [count("sent"), count("failed"), count("suppressed")];
  const unconfirmedRecipients = deliveries.filter((one) => isUnconfirmed(one, now)).map(({ email }) => email);
  const unconfirmed = unconfirmedRecipients.length;
  const pending = campaign.recipients - sent - failed - suppressed - unconfirmed;
  const under = deliveries.length > 0 ? "sending" : "queued";
  return {
    state: stateAhead(campaign) ?? (pending === 0 ? "done" : campaign.stoppedAt === undefined ? under : "stopped"),
    sent,
    failed,
    suppressed,
    unconfirmed,
    pending,
    failures: deliveries
      .filter(({ state }) => state === "failed")
      .map(({ email, message = "" }) => ({ email, message })),
    unconfirmedRecipients,
  };
}

/** The link to unsubscribe from campaigns. An admin reads the mail and suppresses the address. */
export const unsubscribeUrl = (address: string): string => `mailto:${address}?subject=unsubscribe`;
