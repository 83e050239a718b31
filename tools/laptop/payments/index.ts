/** The local stage's payment provider: the REST interface that its official client uses, hosted pages, a webhook. */
import { setTimeout } from "node:timers/promises";
import type { Activity } from "../service-kit/activity.ts";
import { type Clock, systemClock } from "../service-kit/clock.ts";
import { startHttpService } from "../service-kit/http-service.ts";
import { Deliveries, type DeliveriesOptions } from "./deliveries.ts";
import { openKeys } from "./keys.ts";
import { type Delivery, Ledger, type PaymentEvent } from "./ledger.ts";
import { pagePath } from "./pages/checkout.ts";
import { pages } from "./pages/index.ts";
import { Provider } from "./provider.ts";
import { type RestOptions, restInterface } from "./rest.ts";
import type { sessionObject } from "./session.ts";

/** A session as the provider's client gets it. */
export type SessionObject = ReturnType<typeof sessionObject>;

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
}

/** All ways in which a payer or time can end a session. @throws SessionClosed when the session has ended */
interface SessionEnds {
  pay(sessionId: string): SessionObject;
  /** Pays with a delayed payment method: the session is complete and unpaid until `arrive` or `fail`. */
  payLater(sessionId: string): SessionObject;
  arrive(sessionId: string): SessionObject;
  fail(sessionId: string): SessionObject;
  expire(sessionId: string): SessionObject;
}

export interface Payments extends SessionEnds, Pick<Deliveries, "duplicate" | "deliverTo" | "settled" | "switches"> {
  /** `http://127.0.0.1:<port>`: sessions under `/v1/checkout/sessions`, a page that lists them at `/`. */
  readonly url: string;
  readonly apiKey: string;
  /** The secret of the webhook's signatures. */
  readonly webhookSecret: string;
  /** Oldest first. */
  sessions(): SessionObject[];
  /** All deliveries to the webhook, oldest first; a duplicate is a delivery of its own. */
  deliveries(): (Delivery & Pick<PaymentEvent, "type" | "sessionId">)[];
  /** Holds all deliveries back until `release`. */
  holdBack(): void;
  /** Delivers held-back events one after the other; resolves when each has been tried once. */
  release: Deliveries["release"];
  /** Whether attempts fail without reaching the webhook. */
  failDeliveries(failing: boolean): void;
  /** Delivers an event once more. */
  sendAgain(eventId: string): void;
  /** Starts no more deliveries; those under way may end. The next start delivers the rest. */
  close(): Promise<void>;
}

/** Bytes. */
const largestBody = 1024 * 1024;
/** Milliseconds. */
const occupied = 5;

/** Delivers no event before `deliverTo` is called. @throws Error when the port is taken */
export async function startPayments(options: PaymentsOptions = {}): Promise<Payments> {
  const { port, directory, retryDelay = 500, activity, clock = systemClock } = options;
  const { occupy = () => setTimeout(occupied) } = options;
  const now = (): number => clock.now();
  const { apiKey, webhookSecret } = await openKeys(directory);
  const ledger = new Ledger(directory, now);
  const deliveries = new Deliveries({ ledger, webhookSecret, clock, activity, retryDelay });
  let url = "";
  const provider = new Provider({ ledger, deliveries, clock, pageOf: (id) => url + pagePath(id) });
  const rest = restInterface({ provider, ledger, now, occupy });
  const show = pages({
    provider,
    deliveries,
    ledger,
    hosts: () => [new URL(url).host, `localhost:${new URL(url).port}`],
  });
  const service = await startHttpService({
    port,
    maximumBody: largestBody,
    answer: (request) => (request.path.startsWith("/v1/") ? rest(request) : show(request)),
  });
  url = service.url;
  provider.expireOverdue();

  const ends = (name: keyof SessionEnds) => (sessionId: string) => provider.object(provider.move(sessionId, name));
  return {
    url,
    apiKey,
    webhookSecret,
    sessions: () => provider.sessions().map((session) => provider.object(session)),
    pay: ends("pay"),
    payLater: ends("payLater"),
    arrive: ends("arrive"),
    fail: ends("fail"),
    expire: ends("expire"),
    deliveries: () =>
      ledger.deliveries().flatMap((delivery) => {
        const event = ledger.event(delivery.eventId);
        return event ? [{ ...delivery, type: event.type, sessionId: event.sessionId }] : [];
      }),
    get switches() {
      return deliveries.switches;
    },
    holdBack: () => deliveries.hold(),
    release: (order) => deliveries.release(order),
    duplicate: (times) => deliveries.duplicate(times),
    failDeliveries: (failing) => deliveries.fail(failing),
    sendAgain: (eventId) => provider.sendAgain(eventId),
    deliverTo: (webhook) => deliveries.deliverTo(webhook),
    settled: () => deliveries.settled(),
    close: async () => {
      await service.close();
      provider.close();
      await deliveries.close();
      ledger.close();
    },
  };
}
