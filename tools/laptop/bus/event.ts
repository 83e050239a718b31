/** Events on a bus. */
import { randomUUID } from "node:crypto";

/** An event as rules and targets see it. */
export interface BusEvent {
  readonly version: "0";
  readonly id: string;
  readonly "detail-type": string;
  readonly source: string;
  readonly account: string;
  /** ISO 8601, to the second. */
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: object;
}

/** An event from a service of this process. The bus adds the missing fields. */
export type SentEvent = Pick<BusEvent, "source" | "detail-type" | "detail"> & Partial<BusEvent>;

/** Region and account of the events. */
export interface BusPlace {
  readonly region: string;
  readonly accountId: string;
}

/** Time in the format of events. @param now epoch milliseconds */
export const eventTime = (now: number): string => new Date(now).toISOString().replace(/\.\d+Z$/, "Z");

export const completeEvent = (sent: SentEvent, { region, accountId }: BusPlace, now: number): BusEvent => ({
  version: "0",
  id: sent.id ?? randomUUID(),
  "detail-type": sent["detail-type"],
  source: sent.source,
  account: sent.account ?? accountId,
  time: sent.time ?? eventTime(now),
  region: sent.region ?? region,
  resources: sent.resources ?? [],
  detail: sent.detail,
});
