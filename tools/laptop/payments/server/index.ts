/** The local stage's payment provider: the REST interface that its official client uses, hosted pages, a webhook. */
import { setTimeout } from "node:timers/promises";
import type { Activity } from "../../service-kit/activity.ts";
import { type Clock, systemClock } from "../../service-kit/clock.ts";
import { startHttpService } from "../../service-kit/http-service.ts";
import { Deliveries, type DeliveriesOptions } from "../deliveries.ts";
import type { PaymentEvent } from "../event.ts";
import { openKeys } from "../keys.ts";
import { type Delivery, Ledger } from "../ledger.ts";
import { pages } from "../pages/index.ts";
import { type Moves, newProvider } from "../provider.ts";
import type { RestOptions } from "../rest.ts";
import { pagePath } from "../session.ts";
import { Switchboard, type Switches } from "../switches.ts";

export type { SessionObject } from "../provider.ts";

export interface PaymentsOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** Absent: in memory. */
  readonly directory?: string | undefined;
  /** Milliseconds before the first retry; doubled each time. 500 when absent. */
  readonly retryDelay?: DeliveriesOptions["retryDelay"] | undefined;
  /** Counts the work of all services together. */
  readonly activity?: Activity;
  readonly clock?: Clock;
  /** The time for which a request occupies its idempotency key. A few milliseconds when absent. */
  readonly occupy?: RestOptions["occupy"];
  /** The types of the events that the webhook is sent. All when absent. */
  readonly enabledEvents?: readonly string[];
}

export interface Payments extends Moves, Pick<Deliveries, "duplicate" | "deliverTo" | "settled"> {
  /** `http://127.0.0.1:<port>`: the REST interface under `/v1/`, a page that lists all sessions at `/`. */
  readonly url: string;
  readonly apiKey: string;
  /** The secret of the webhook's signatures. */
  readonly webhookSecret: string;
  /** A developer's switches. Every start switches them off. */
  readonly switches: Switches;
  /** All deliveries to the webhook, oldest first; a duplicate is a delivery of its own. */
  deliveries(): (Delivery & Pick<PaymentEvent, "type" | "sessionId">)[];
  /** Holds all deliveries back until `release`. */
  holdBack(): void;
  /** Delivers held-back events one after the other; resolves when each has been tried once. */
  release: Deliveries["release"];
  /** Starts no more deliveries; those under way may end. The next start delivers the rest. */
  close(): Promise<void>;
}

/** Bytes. */
const largestBody = 1024 * 1024;
/** Milliseconds. */
const occupied = 5;

/** Delivers no event before `deliverTo` is called. @throws Error when the port is taken */
export async function startPayments(options: PaymentsOptions = {}): Promise<Payments> {
  const { port, directory, retryDelay = 500, activity, clock = systemClock, enabledEvents } = options;
  const { occupy = () => setTimeout(occupied) } = options;
  const now = (): number => clock.now();
  const { apiKey, webhookSecret } = openKeys(directory);
  const ledger = new Ledger(directory, now);
  const switchboard = new Switchboard();
  const deliveries = new Deliveries({ ledger, switchboard, webhookSecret, clock, activity, retryDelay });
  let url = "";
  const pageOf = (id: string): string => url + pagePath(id);
  const provider = newProvider({ ledger, switchboard, deliveries, clock, pageOf, occupy, enabledEvents });
  const { resources, changes, rest, moves } = provider;
  const show = pages({
    ...resources,
    changes,
    deliveries,
    ledger,
    switchboard,
    hosts: () => [new URL(url).host, `localhost:${new URL(url).port}`],
  });
  const service = await startHttpService({
    port,
    maximumBody: largestBody,
    answer: (request) => (request.path.startsWith("/v1/") ? rest(request) : show(request)),
  });
  url = service.url;
  resources.sessions.expireOverdue();

  return {
    ...moves,
    url,
    apiKey,
    webhookSecret,
    deliveries: () =>
      ledger.all("deliveries").flatMap((delivery) => {
        const event = ledger.get("events", delivery.eventId);
        return event ? [{ ...delivery, type: event.type, sessionId: event.sessionId }] : [];
      }),
    get switches() {
      return switchboard.now;
    },
    holdBack: () => deliveries.hold(),
    release: () => deliveries.release(),
    duplicate: (times) => deliveries.duplicate(times),
    deliverTo: (webhook) => deliveries.deliverTo(webhook),
    settled: () => deliveries.settled(),
    close: async () => {
      await service.close();
      resources.sessions.close();
      await deliveries.close();
      ledger.close();
    },
  };
}
