/** What a campaign is, whom it is cut into batches of, and how far it is. Pure. */
import { createHash } from "node:crypto";
import type { Values } from "../templates/placeholders.ts";
import type { TemplateContent } from "../templates/template.ts";

/** Somebody a campaign is for, with what the template may say of them. */
export interface Recipient {
  /** Canonical. */
  readonly email: string;
  readonly fname?: string;
  readonly lname?: string;
}

/** A mail to many, as stored. What it says is frozen: later changes of the template do not reach it. */
export interface CampaignRecord {
  readonly campaignId: string;
  readonly templateName: string;
  /** How many people it is for, each counted once. */
  readonly recipients: number;
  readonly batches: number;
  /** Whom it is for, without addresses: `event <id> <year>`, `members` or `emails`. */
  readonly audience: string;
  /** Email of the admin. */
  readonly createdBy: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Since when nobody else gets it. */
  readonly stoppedAt?: number;
}

/** What a campaign says, the same to everybody but for the person's own values. */
export interface CampaignContent extends TemplateContent {
  readonly event?: Values["event"];
}

/** How long a campaign, and whom it went to, is kept. */
export const daysKept = 180;

/** For time to live, in epoch seconds: so many days after this moment, in epoch milliseconds. */
export const clearedAfter = (days: number, now: number): number => Math.floor(now / 1_000) + days * 86_400;

/** Recipients of one message to the worker: at one mail in two seconds, less than a minute. */
const batchSize = 25;

/** Cuts a list into pieces of this size, the last one smaller. */
export const batchesOf = <T>(all: readonly T[], size = batchSize): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));

/** Everybody once, in the order and with the name in which they come first. */
export function distinct(people: readonly Recipient[]): Recipient[] {
  const byEmail = new Map<string, Recipient>();
  for (const person of people) if (!byEmail.has(person.email)) byEmail.set(person.email, person);
  return [...byEmail.values()];
}

/** Names what a request asks for, so that the same key with something else is noticed. */
export const fingerprintOf = (asked: unknown): string =>
  createHash("sha256").update(JSON.stringify(asked)).digest("base64url");

/**
 * How it stands with one recipient. `sending`: somebody is at it until the lease ends, and nobody knows more afterwards.
 * `released`: certainly not sent yet. `unconfirmed`: the mail service did not answer.
 */
export type DeliveryState = "sending" | "released" | "sent" | "failed" | "suppressed" | "unconfirmed";

/** What is noted of a recipient from the moment on in which the worker comes to them. */
export interface Delivery {
  readonly email: string;
  readonly state: DeliveryState;
  /** Epoch milliseconds. */
  readonly leaseUntil: number;
  /** Why it failed. */
  readonly message?: string;
}

/** How far a campaign is, in people. */
export interface Progress {
  readonly state: "queued" | "sending" | "done" | "stopped";
  readonly sent: number;
  readonly failed: number;
  readonly suppressed: number;
  /** May have got it, or may not: the worker died between sending and noting it. Never sent again by itself. */
  readonly unconfirmed: number;
  /** Not sent yet; of a stopped campaign: never. */
  readonly pending: number;
  readonly failures: readonly { readonly email: string; readonly message: string }[];
  readonly unconfirmedRecipients: readonly string[];
}

const isUnconfirmed = ({ state, leaseUntil }: Delivery, now: number): boolean =>
  state === "unconfirmed" || (state === "sending" && leaseUntil <= now);

/** @param deliveries of all recipients that the worker has come to */
export function progressOf(campaign: CampaignRecord, deliveries: readonly Delivery[], now: number): Progress {
  const count = (state: DeliveryState) => deliveries.filter((delivery) => delivery.state === state).length;
  const [sent, failed, suppressed] = [count("sent"), count("failed"), count("suppressed")];
  const unconfirmedRecipients = deliveries.filter((one) => isUnconfirmed(one, now)).map(({ email }) => email);
  const unconfirmed = unconfirmedRecipients.length;
  const pending = campaign.recipients - sent - failed - suppressed - unconfirmed;
  const under = deliveries.length > 0 ? "sending" : "queued";
  return {
    state: pending === 0 ? "done" : campaign.stoppedAt === undefined ? under : "stopped",
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
