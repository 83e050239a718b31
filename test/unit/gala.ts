/** One event on a table in memory, with the product's own operations on its registrations. */
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { jest } from "@jest/globals";
import type { Seats } from "#domain/capacity/seats.ts";
import { changeEvent, type EventRecord } from "#domain/events/event.ts";
import type { EventChanges } from "#domain/events/event-input.ts";
import { seatSettings } from "#domain/events/seat-settings.ts";
import type { Amendment } from "#domain/registrations/amend/amend.ts";
import type { AnswerOrigin } from "#domain/registrations/record/acts.ts";
import type { NewRegistration } from "#domain/registrations/record/new-registration.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import type { RequestContext } from "#kit/request/context.ts";
import type { OutboxMessage } from "#outbox/catalogue.ts";
import { MemoryTable } from "../model/table.ts";
import "./environment.ts";
import "./ticket-secret.ts";
import { eventItem, eventRecord, seatsItem } from "./given.ts";

const { client } = await import("#kit/table/table.ts");
const { register } = await import("#domain/registrations/register/register.ts");
const { changeRegistration } = await import("#domain/registrations/amend/change-registration.ts");
const { promote } = await import("#domain/registrations/promote.ts");

/** The start of every test, in epoch milliseconds. */
export const start = 1_800_000_000_000;
const key = { id: "gala", year: 2030 };
const seatsKey = { PK: "SEAT#gala#2030#00", SK: "POOL" };
const eventKey = { PK: "EVENT#gala#2030", SK: "META" };

export interface Message {
  readonly detailType: OutboxMessage["type"];
  readonly detail: {
    readonly data: {
      readonly email: string;
      readonly movedUp?: boolean;
      readonly movedDown?: boolean;
      readonly notice?: string;
      readonly registrationStatus: string;
    };
  };
}

export const emailOf = (name: string): string => `${name}@unit.example`;

/** An event without registrations, free for all unless the fields say otherwise. */
export function givenGala(fields: Partial<EventRecord> = {}) {
  const table = new MemoryTable();
  const outbox: Message[] = [];
  /** The names of the commands that were sent to the table. */
  const calls: string[] = [];
  let onceInLine: (() => void) | undefined;
  let beforeWrite: ((command: TransactWriteCommand) => Promise<unknown>) | undefined;
  table.onCommit = (changes) => {
    for (const { after } of changes) if (String(after?.PK).startsWith("OUT#")) outbox.push(after as never);
    if (!changes.some(({ before, after }) => !before && String(after?.PK).startsWith("WAIT#"))) return;
    const happens = onceInLine;
    onceInLine = undefined;
    happens?.();
  };
  jest.spyOn(client, "send").mockImplementation((async (command: object) => {
    calls.push(command.constructor.name);
    if (command instanceof TransactWriteCommand) {
      const happens = beforeWrite;
      beforeWrite = undefined;
      await happens?.(command);
    }
    return table.execute(command, () => 0);
  }) as never);

  let event = eventRecord(fields);
  table.seed(eventItem(event));
  table.seed(seatsItem(event));

  let time = start;
  let requests = 0;
  /** The context of a request at the present time. */
  const contextOf = (actor: string): RequestContext => {
    requests += 1;
    const id = `${requests}`.padStart(26, "0");
    return {
      now: time,
      actor,
      requestId: `r${requests}`,
      queueKey: `${time}#${id}`,
      deadline: performance.now() + 15_000,
      newId: () => `${id}-new`,
    };
  };
  const registrationKey = (name: string) => ({ PK: `USER#${emailOf(name)}`, SK: "REG#gala#2030" });

  /** Changes a registration. */
  const amend = (name: string, amendment: Amendment, origin: AnswerOrigin = "admin/desk") =>
    changeRegistration(
      { email: emailOf(name), event: key, origin, amendment },
      contextOf(origin.startsWith("admin") ? "exec@club.example" : emailOf(name)),
    );

  return {
    calls,
    table,
    /** The messages about a person, oldest first. */
    messageOf: (name: string) => outbox.filter(({ detail }) => detail.data.email === emailOf(name)),
    later: (milliseconds: number) => {
      time += milliseconds;
    },
    now: () => time,
    /** Called once, right after a person has joined the line and before the person's request looks at the seats. */
    onceInLine: (happens: () => void) => {
      onceInLine = happens;
    },
    /** Called once, right before the next transaction, which it may change. */
    beforeWrite: (happens: (command: TransactWriteCommand) => Promise<unknown>) => {
      beforeWrite = happens;
    },
    /** Changes the event and its seats as an admin's PATCH does. */
    change: (changes: EventChanges) => {
      ({ event } = changeEvent(event, changes, { now: time, timeZone: "UTC", currency: "CAD" }));
      table.seed({ ...eventKey, ...event });
      table.seed({ ...(table.peek(seatsKey) as never as Seats), ...seatsKey, ...seatSettings(event) });
    },
    event: () => event,
    seats: () => table.peek(seatsKey) as never as Seats,
    givenMember: (name: string, isMember = true) =>
      table.seed({ PK: `USER#${emailOf(name)}`, SK: "USER", email: emailOf(name), isMember }),
    register: (name: string, { byAdmin = false, ...form }: { byAdmin?: boolean } & Partial<NewRegistration> = {}) =>
      register(
        {
          form: { eventID: key.id, year: key.year, email: emailOf(name), ...form },
          origin: byAdmin ? "admin/desk" : "self/account",
        },
        contextOf(byAdmin ? "exec@club.example" : emailOf(name)),
      ),
    become: (name: string, registrationStatus: string, by: "self" | "admin" = "self") =>
      amend(name, { registrationStatus }, by === "admin" ? "admin/desk" : "self/account"),
    amend,
    promote: () => promote(key, contextOf("exec@club.example")),
    registrationOf: (name: string) => registrationIn(table.peek(registrationKey(name)) as never) as RegistrationRecord,
    /** Sets fields of a stored registration. */
    remember: (name: string, fields: Partial<RegistrationRecord>) =>
      table.seed({ ...(table.peek(registrationKey(name)) as object), ...fields } as never),
  };
}

export type Gala = ReturnType<typeof givenGala>;
