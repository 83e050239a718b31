/** The local stage's EventBridge: PutEvents, the template's rules, and deliveries that survive a kill. */
import { Activity, closingTime } from "../service-kit/activity.ts";
import type { Authorize } from "../service-kit/authorize.ts";
import { type Clock, systemClock } from "../service-kit/clock.ts";
import type { Disorder } from "../service-kit/disorder.ts";
import { accessDenied, startJsonService } from "../service-kit/json-service.ts";
import { Pauses } from "../service-kit/pauses.ts";
import { type DeliveryOptions, deliverTo } from "./delivery.ts";
import { type BusPlace, completeEvent, type SentEvent } from "./event.ts";
import { readPutEvents } from "./put-events.ts";
import { RuleStates } from "./rule-states.ts";
import { type Addressee, addressOf, type RuleDefinition, Rules } from "./rules.ts";
import { UndeliveredEvents } from "./undelivered.ts";

export { DeliveryRefused } from "./delivery.ts";
export type { BusEvent, SentEvent } from "./event.ts";
export { RuleStates } from "./rule-states.ts";
export type { RuleDefinition, RuleProperties, RuleTarget } from "./rules.ts";

export interface BusOptions extends BusPlace, Pick<DeliveryOptions, "deliver" | "deadLetter"> {
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** Where undelivered events are kept. Absent: in memory. */
  readonly directory?: string;
  /** Names of the buses besides `default`. */
  readonly buses: readonly string[];
  readonly rules: readonly RuleDefinition[];
  /** Which of them, and of the schedules, are on. Absent: as the template says. */
  readonly states?: RuleStates;
  /** Milliseconds before the first retry; doubled each time. 500 when absent. */
  readonly retryDelay?: number;
  /** Counts the work of all services together. */
  readonly activity?: Activity;
  readonly clock?: Clock;
  /** Authorizes every request. Absent: every caller may do everything. */
  readonly authorize?: Authorize;
  /** Some events come to a target twice. Absent: once. */
  readonly disorder?: Disorder | undefined;
}

export interface Bus {
  /** `http://127.0.0.1:<port>`: the endpoint of EventBridge's client. */
  readonly url: string;
  /** Sends an event of one of AWS's services, which PutEvents would refuse. @returns its id */
  send(event: SentEvent, busName?: string): string;
  /** Resolves when every event is delivered or given up, or waits for its next attempt. */
  settled(): Promise<void>;
  /** Starts no more deliveries; those under way may end. The next start delivers the rest. */
  close(): Promise<void>;
}

/** @throws Error for rules that the local stage does not know, or when the port is taken */
export async function startBus(options: BusOptions): Promise<Bus> {
  const { clock = systemClock, retryDelay = 500, deliver, deadLetter, port } = options;
  const { states = new RuleStates(options.rules) } = options;
  const rules = new Rules(options.rules, states);
  const buses = new Set(["default", ...options.buses]);
  const undelivered = new UndeliveredEvents(options.directory);
  const activity = new Activity(options.activity);
  const pauses = new Pauses(clock, activity);
  let closed = false;
  const delivery: DeliveryOptions = { deliver, deadLetter, retryDelay, clock, pauses, isClosed: () => closed };

  const begin = (addressee: Addressee, event: Parameters<typeof deliverTo>[1], at: number): void => {
    void activity.during(async () => {
      if (await deliverTo(addressee, event, at, delivery)) undelivered.done(event.id, addressOf(addressee));
    });
  };
  const repeat = (disorder: Disorder, ...again: Parameters<typeof begin>): void => {
    void activity.during(async () => {
      await disorder.pause();
      begin(...again);
    });
  };
  const send = (sent: SentEvent, busName = "default"): string => {
    const at = clock.now();
    const event = completeEvent(sent, options, at);
    // AWS accepts an event for an unknown bus too, and drops it silently.
    if (!buses.has(busName)) console.error(`There is no event bus ${busName}: the event ${event.id} is lost.`);
    const addressees = rules.addresseesOf(busName, event);
    if (addressees.length > 0) undelivered.add({ event, at, to: addressees.map(addressOf) });
    for (const addressee of addressees) {
      begin(addressee, event, at);
      if (options.disorder?.repeats()) repeat(options.disorder, addressee, event, at);
    }
    return event.id;
  };

  const service = await startJsonService({
    port,
    target: "AWSEvents",
    operations: {
      ...states.operations,
      PutEvents: (fields, accessKeyId) => {
        const entries = readPutEvents(fields);
        for (const busName of new Set(entries.flatMap((entry) => ("event" in entry ? [entry.busName] : [])))) {
          const arn = `arn:aws:events:${options.region}:${options.accountId}:event-bus/${busName}`;
          const refusal = options.authorize?.(accessKeyId, "events:PutEvents", arn);
          if (refusal) throw accessDenied(refusal);
        }
        const Entries = entries.map((entry) =>
          "event" in entry ? { EventId: send(entry.event, entry.busName) } : entry,
        );
        return { FailedEntryCount: entries.filter((entry) => !("event" in entry)).length, Entries };
      },
    },
  });
  for (const { event, at, to } of undelivered.all()) {
    for (const address of to) {
      const addressee = rules.addressee(address);
      if (addressee) begin(addressee, event, at);
      else undelivered.done(event.id, address);
    }
  }
  return {
    url: service.url,
    send,
    settled: () => activity.settled(),
    close: async () => {
      await service.close();
      closed = true;
      pauses.close();
      await activity.settledWithin(closingTime);
      undelivered.close();
    },
  };
}
