/**
 * The surroundings of the consumers of notices: a table in memory that checks every condition, a mail service, a chat
 * secret and a clock. At each call a function can die, or another event can happen first.
 */

import { QueryCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { jest } from "@jest/globals";
import { simpleParser } from "mailparser";
import type { EventRecord } from "#domain/events/event.ts";
import type { Marker } from "#domain/notices/store.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import type { StoredRegistration } from "#domain/registrations/record/stored-form.ts";
import type { Work } from "#kit/table/claims.ts";
import type { Deadline } from "#kit/table/retry.ts";
import type { Message } from "#outbox/messages.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import { MemoryTable } from "../model/table.ts";
import "./environment.ts";
import { eventItem, eventRecord, registrationItem, registrationRecord } from "./given.ts";

// A real QR code takes a second to draw under Jest.
jest.unstable_mockModule("#domain/notices/qr.ts", () => ({
  qrPng: async (code: string) => Buffer.from(code),
}));
jest.unstable_mockModule("#kit/secret.ts", () => ({
  readSecret: async (name: string) => world.secret(name),
}));

const claims = await import("#kit/table/claims.ts");
const registrations = await import("#domain/registrations/store/store.ts");
const ownSteps = {
  claim: claims.claim<object>,
  recordEnd: claims.recordEnd,
  readRegistration: registrations.readRegistration,
};
/** Steps of the consumers. A test replaces a step to show that it is needed. */
export const steps = { ...ownSteps };
jest.unstable_mockModule("#kit/table/claims.ts", () => ({
  ...claims,
  claim: (...args: Parameters<typeof steps.claim>) => steps.claim(...args),
  recordEnd: (...args: Parameters<typeof steps.recordEnd>) => steps.recordEnd(...args),
}));
jest.unstable_mockModule("#domain/registrations/store/store.ts", () => ({
  ...registrations,
  readRegistration: (...args: Parameters<typeof registrations.readRegistration>) => steps.readRegistration(...args),
}));

/** Steps that go wrong: mutants of what a consumer says of its claims. */
export const mutants = {
  /** Every try believes that it has the claim. */
  unclaimed: { claim: async ({ key }: Work) => ({ outcome: "claimed", claim: { key, claimedBy: "" } }) as const },
  takingOver: {
    claim: (work: Work, now: number, deadline: Deadline) => ownSteps.claim({ ...work, takesOver: true }, now, deadline),
  },
  neverTakingOver: {
    claim: (work: Work, now: number, deadline: Deadline) =>
      ownSteps.claim({ ...work, takesOver: false }, now, deadline),
  },
  unnoted: { recordEnd: async () => undefined },
};

const { systemContext } = await import("#kit/request/context.ts");
const { client: tableClient } = await import("#kit/table/table.ts");
const { client: sesClient } = await import("#domain/mail/ses.ts");

/** A function died in the middle of its work. */
export class Death extends Error {}

interface RawMail {
  readonly Source: string;
  readonly Destinations: string[];
  readonly RawMessage: { readonly Data: Buffer };
}

const noon = Date.parse("2026-01-09T12:00:00Z");

class World {
  memory = new MemoryTable();
  mails: RawMail[] = [];
  /** Epoch milliseconds. */
  now = noon;
  calls = 0;
  /**
   * The call, from 0, at which a function dies. With `carriedOut` the call is made first, and only its answer is lost.
   */
  death: { readonly call: number; readonly carriedOut: boolean } | undefined;
  /** An event that happens right before a call. */
  meanwhile: { readonly call: number; readonly happens: () => Promise<unknown> } | undefined;
  /** The call, from 0, that is carried out without an answer; the function goes on. */
  unanswered: number | undefined;
  /** Pages of the index, one for each query. The test decides how old they are. */
  indexPages: object[][] = [];
  /** The errors with which SES answers the next mails; `undefined` accepts the mail. */
  sesSays: unknown[] = [];
  secret: (name: string) => Promise<string> = async () => "http://127.0.0.1:1/hook";

  reset(): void {
    Object.assign(this, new World());
  }

  async #call<T>(carryOut: () => T): Promise<T> {
    const call = this.calls;
    this.calls += 1;
    if (this.meanwhile?.call === call) {
      const { happens } = this.meanwhile;
      this.meanwhile = undefined;
      await happens();
    }
    if (this.death && call > this.death.call) throw new Death();
    const isLast = this.death?.call === call;
    if (isLast && !this.death?.carriedOut) throw new Death();
    const answer = carryOut();
    if (isLast) throw new Death();
    if (this.unanswered === call) throw Object.assign(new Error(), { name: "TimeoutError" });
    return answer;
  }

  /** Starts anew after a death, when all leases have ended. */
  revive(): void {
    this.death = undefined;
    this.now += 61_000;
  }

  table(command: unknown): Promise<object> {
    return this.#call(() =>
      command instanceof QueryCommand && command.input.IndexName
        ? this.#indexPage(Number(command.input.ExclusiveStartKey?.page ?? 0))
        : this.memory.execute(command, () => 0),
    );
  }

  #indexPage(page: number): object {
    const Items = this.indexPages[page] ?? [];
    return { Items, ...(page + 1 < this.indexPages.length && { LastEvaluatedKey: { page: page + 1 } }) };
  }

  ses({ input }: { readonly input: RawMail }): Promise<object> {
    return this.#call(() => {
      const refusal = this.sesSays.shift();
      if (refusal) throw refusal;
      this.mails.push(input);
      return {};
    });
  }

  /** Puts items into the table, without counting a call. */
  put(...items: object[]): void {
    const TransactItems = items.map((Item) => ({ Put: { TableName: "Unit", Item: Item as Record<string, unknown> } }));
    this.memory.execute(new TransactWriteCommand({ TransactItems }), () => 0);
  }
}

export const world = new World();

/** Replaces the services. Call it before each test. */
export function givenWorld(): void {
  world.reset();
  Object.assign(steps, ownSteps);
  jest.restoreAllMocks();
  jest.spyOn(tableClient, "send").mockImplementation(((command: unknown) => world.table(command)) as never);
  jest.spyOn(sesClient, "send").mockImplementation(((command: never) => world.ses(command)) as never);
  jest.spyOn(Date, "now").mockImplementation(() => world.now);
}

const event = { id: "kickstart", year: 2026 };
const email = "ada@student.example";

export function givenEvent(changes: Partial<EventRecord> = {}): EventRecord {
  const record = eventRecord({
    ...event,
    ename: "Kickstart",
    startDate: "2026-01-16T02:00:00.000Z",
    generation: "i1",
    createdAt: noon,
    updatedAt: noon,
    ...changes,
  });
  world.put(eventItem(record));
  return record;
}

export const registrationOf = (changes: Partial<RegistrationRecord> = {}): RegistrationRecord =>
  registrationRecord({
    email,
    eventID: event.id,
    year: event.year,
    queueKey: "1#a",
    generation: "i1",
    ticketId: "AAAAAAAAAAAAAAAAAAAAAA",
    calendarUid: "cal1",
    createdAt: noon,
    updatedAt: noon,
    ...changes,
  });

export function givenRegistration(changes: Partial<RegistrationRecord> = {}): StoredRegistration {
  const registration = registrationOf(changes);
  const item = registrationItem(registration);
  world.put(item);
  return { ...registration, PK: item.PK, SK: item.SK };
}

type RegistrationMessage = Message<"registration.registered">;

/** The message of a registration's move, with the notice that follows from it. */
export function messageOf(
  data: Partial<RegistrationMessage["data"]> = {},
  { id = `01${data.notice ?? "registered"}${data.version ?? 1}`, type = "registration.registered" } = {},
): RegistrationMessage {
  const { eventID, year, generation, fname, isPartner, version, status } = registrationOf();
  const fact = { eventID, year, generation, email, fname, registrationStatus: status, version, isPartner };
  return {
    type: type as RegistrationMessage["type"],
    id,
    occurredAt: noon,
    actor: email,
    requestId: "r1",
    data: { ...fact, notice: "registered", ...data },
  };
}

/** The context in which a consumer gets a message. */
export const contextOf = ({ requestId }: Message) => systemContext(requestId, world.now);

/** A batch as the queue delivers it. Each message is named by its place. */
export const batchOf = (...bodies: readonly (object | string)[]) => ({
  Records: bodies.map((body, index) => ({
    messageId: `m${index}`,
    body: typeof body === "string" ? body : JSON.stringify(body),
  })),
});

/** A message as the bus wraps it. */
export const onTheBus = ({ type, data, occurredAt, requestId, ...metadata }: Message) => ({
  source: "club.events",
  "detail-type": type,
  detail: {
    metadata: { ...metadata, version: 1, occurredAt: new Date(occurredAt).toISOString(), correlationId: requestId },
    data,
  },
});

/** The names of the messages in a batch that have to come again. */
export const failuresOf = ({ batchItemFailures }: { batchItemFailures: readonly { itemIdentifier: string }[] }) =>
  batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);

export interface Received {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The method of the calendar entry, if the mail has one. */
  readonly method: string | undefined;
  readonly status: string | undefined;
  readonly sequence: number | undefined;
  readonly uid: string | undefined;
}

/** The sent mails, as a mail program reads them. */
export const received = (): Promise<Received[]> =>
  Promise.all(
    world.mails.map(async ({ RawMessage }) => {
      const mail = await simpleParser(RawMessage.Data);
      const calendar = mail.attachments
        .find(({ contentType }) => contentType === "application/ics")
        ?.content.toString();
      const line = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(calendar ?? "")?.[1];
      const sequence = line("SEQUENCE");
      return {
        subject: mail.subject ?? "",
        text: mail.text ?? "",
        html: mail.html || "",
        method: line("METHOD"),
        status: line("STATUS"),
        sequence: sequence === undefined ? undefined : Number(sequence),
        uid: line("UID"),
      };
    }),
  );

/** The stored marker, or `undefined`. */
export async function markerOf({ outboxId, channel, email: to = email }: Omit<Marker, "email"> & Partial<Marker>) {
  const { getItem } = await import("#kit/table/table.ts");
  const find = (notice: string) =>
    getItem<{ state: string; ttl: number }>(keyOf("marker of a notice", { channel, email: to, notice }), "strong");
  return (await find(`${event.id}#${event.year}#${outboxId}`)) ?? (await find(outboxId));
}
