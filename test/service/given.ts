/** How service tests set up their data, and how they read the result: methods of the stage, see `ServiceStage`. */
import { type DynamoDBDocumentClient, paginateScan } from "@aws-sdk/lib-dynamodb";
import { expect } from "@jest/globals";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import type { LocalStage, LocalStageOptions } from "../../tools/laptop/stage/index.ts";
import type { SynthesisSettings } from "../../tools/laptop/template/synthesis.ts";

/** The seeded accounts of the laptop: an admin, a member, and a user without a membership. */
export const exec = "exec@club.example";
export const member = "member@student.example";
export const user = "user@student.example";

/** The year of every event that the methods below create or name. */
export const year = 2030;

export interface Call {
  /** Email of the caller; the stage makes a token for it. */
  readonly as?: string;
  /** The token to send instead of the caller's own. */
  readonly token?: string;
  /** An object is sent as JSON, a string is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Take the first answer, also a 503 that asks the caller to come again. */
  readonly once?: boolean;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers field by field
  readonly body: any;
  readonly headers: Headers;
}

export interface BareStage extends LocalStage {
  /** Calls the API and parses the answer as JSON, if it is no text. */
  api(method: string, path: string, call?: Call): Promise<Answer>;
  /** A plain request to the API. @param path with its query */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Others use the stage, too. */
  readonly isShared: boolean;
  /** Skips the rest of the test on a stage with things that the test did not make. @param what the test asks of the whole stage */
  usedByOthers(what: string): void;
  /** @returns an ID token with this verified email; the person need not have an account */
  tokenFor(email: string): Promise<string>;
  /** Direct access to the table. */
  readonly table: DynamoDBDocumentClient;
  /**
   * Resolves when the indexes of the table have all writes of before: at once, unless they lag behind. A test calls it
   * between a write and a list that is read from an index. Nothing that has to be right at once may wait for it.
   */
  indexed(): Promise<void>;
  /** @returns the items of a partition key, in the order of the sort key */
  stored(partition: string): Promise<Record<string, unknown>[]>;
}

/** A stage with the methods below. */
export type ServiceStage = BareStage & ReturnType<typeof givenMethods>;

/** What a test wants of its stage. */
export type GivenOptions = Omit<LocalStageOptions, "assembly"> & SynthesisSettings & { readonly hasStrays?: boolean };

type Fields = Readonly<Record<string, unknown>>;
type Item = Record<string, unknown>;

/** A message in the outbox. */
export interface OutboxRow {
  readonly SK: string;
  readonly detailType: string;
  readonly detail: {
    readonly metadata: Readonly<Record<"id" | "occurredAt" | "actor" | "correlationId", string>>;
    // biome-ignore lint/suspicious/noExplicitAny: tests look at the data of messages of any type
    readonly data: any;
  };
}

/** The first name that a person gives in a registration. */
export const ada = { fname: "Ada" };

/** On a stage that is used again and again, a name counts for one run. */
const run = process.env.DEPLOYED_STAGE ? `-${Date.now().toString(36)}` : "";

let events = 0;
/** @returns an event id that no other call in this test file returns */
export function newEventId(): string {
  events += 1;
  return `event${run}-${events}`;
}

let emails = 0;
/** @returns an email that no other call in this test file returns */
export function newEmail(domain = "student.example"): string {
  emails += 1;
  return `person${run}-${emails}@${domain}`;
}

/** @returns the emails of a group: `p0@club.example`, `p1@club.example` and so on for the group `club` */
export const people = (count: number, group: string): string[] => times(count, (n) => `p${n}@${group}.example`);

export const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

/** @returns the methods that `givenStage` adds to a stage */
export function givenMethods(stage: BareStage) {
  const { api, stored } = stage;

  /** An admin asks for an event with only the fields that every event needs, and `fields`. */
  const createEvent = (fields: Fields = {}) => {
    const id = "id" in fields ? fields.id : newEventId();
    return api("POST", "/events", { as: exec, body: { id, year, ename: `Event ${id}`, isPublished: true, ...fields } });
  };

  /** Makes an event of the far future, which anyone can register for. @returns its id */
  async function givenEvent(fields: Fields = {}): Promise<string> {
    const { status, body } = await createEvent({ startDate: `${year}-05-01T18:00:00Z`, ...fields });
    expect({ status, body }).toMatchObject({ status: 201 });
    return body.item.id;
  }

  /** A list that is read from an index, with all writes of before. An admin, or `as`, asks for it. */
  async function list(path: string, as = exec): Promise<Answer> {
    await stage.indexed();
    return api("GET", path, { as });
  }

  /** An admin changes an event. */
  const changeEvent = (id: string, changes: object, as = exec) =>
    api("PATCH", `/events/${id}/${year}`, { as, body: changes });

  /** An admin deletes an event. `query` is `?force=true`, or empty. */
  const deleteEvent = (id: string, query = "") => api("DELETE", `/events/${id}/${year}${query}`, { as: exec });

  /** @returns the counters of an event, as an admin sees them */
  const countsOf = async (id: string) =>
    (await api("GET", `/events/${id}/${year}?count=true`, { as: exec })).body.counts;

  /** A person registers. With `as`, the other person asks for it. */
  const register = (eventID: string, email: string, more: Fields = {}, as = email) =>
    api("POST", "/registrations", { as, body: { eventID, year, email, ...more } });

  /** An admin registers a person. */
  const registerByAdmin = (eventID: string, email: string, more: Fields = {}) => register(eventID, email, more, exec);

  /** Makes an event for which these people register, one after the other. @returns its id */
  async function givenEventWith(registered: readonly string[], fields: Fields = {}): Promise<string> {
    const id = await givenEvent(fields);
    for (const email of registered) expect((await registerByAdmin(id, email)).status).toBe(201);
    return id;
  }

  /** Three past events at which the person had a seat, and another one was checked in. */
  async function givenNoShows(email: string): Promise<void> {
    for (const n of [1, 2, 3]) {
      const other = newEmail();
      const startDate = new Date(Date.now() - (n + 1) * 86_400_000).toISOString();
      const id = await givenEventWith([email, other], { startDate });
      expect((await moveTo(id, other, "checkedIn")).status).toBe(200);
    }
  }

  /** A person deletes their own registration. With `as`, the other person asks for it. */
  const leave = (eventID: string, email: string, as = email) =>
    api("DELETE", `/registrations/${email}`, { as, body: { eventID, year } });

  /** An admin, or `as`, changes fields of a registration. */
  const changeRegistration = (eventID: string, email: string, changes: object, as = exec) =>
    api("PUT", `/registrations/${email}/x`, { as, body: { eventID, year, ...changes } });

  /** An admin, or `as`, moves a registration to another status. */
  const moveTo = (eventID: string, email: string, registrationStatus: string, as = exec) =>
    changeRegistration(eventID, email, { registrationStatus }, as);

  /** @returns the registration as the API shows it to an admin, or to `as`; undefined if there is none */
  const registrationOf = async (eventID: string, email: string, as = exec) =>
    (await api("GET", `/registrations?eventID=${eventID}&year=${year}&email=${email}`, { as })).body.data[0];

  /** @returns the status of a registration as the API shows it to an admin; undefined if there is none */
  const statusOf = async (eventID: string, email: string): Promise<string | undefined> =>
    (await registrationOf(eventID, email))?.registrationStatus;

  /** @returns the registration as the service reads it; undefined if there is none */
  const storedRegistration = async (eventID: string, email: string): Promise<Item | undefined> =>
    (await stored(`USER#${email}`))
      .filter(({ SK }) => SK === `REG#${eventID}#${year}`)
      .map((item) => registrationIn(item as never) as unknown as Item)[0];

  /** @returns the counters of an event as they are in the table */
  const storedSeats = async (id: string) => (await stored(`SEAT#${id}#${year}#00`))[0] as Item;

  /** @returns the email of a new user */
  async function givenUser(fields: Fields = {}): Promise<string> {
    const email = newEmail();
    expect((await api("POST", "/users", { as: exec, body: { email, ...fields } })).status).toBe(201);
    return email;
  }

  /** @returns the user's own record as it is in the table; undefined if there is none */
  const storedUser = async (email: string): Promise<Item | undefined> =>
    (await stored(`USER#${email}`)).find(({ SK }) => SK === "USER");

  /** A person opens a checkout. `form` says for what. @returns the session at the provider */
  async function checkout(email: string, form: object) {
    const { status, body: url } = await api("POST", "/payments", { as: email, body: form });
    expect([status, url]).toEqual([200, expect.stringContaining(stage.outputs.paymentsUrl)]);
    return stage.payments.sessions().find((session) => session.url === url)!;
  }

  /** A person opens a checkout for the seat at an event. @returns the session at the provider */
  const eventCheckout = (eventID: string, email: string) => checkout(email, { paymentType: "Event", eventID, year });

  /** Makes an event with one registration, which its person has paid. @returns its id, the person, and the session */
  async function givenPaid(fields: Fields = {}) {
    const id = await givenEvent({ capac: 5, pricing: { members: 5, nonMembers: 10 }, ...fields });
    const email = newEmail();
    await register(id, email, ada);
    const { id: session } = await eventCheckout(id, email);
    stage.payments.pay(session);
    await stage.settled();
    return { id, email, session };
  }

  /** @returns the mails to a person that were sent so far, oldest first */
  const mailsTo = (email: string) =>
    stage.mailbox.list().filter(({ destination }) => destination.to.some((to) => to.includes(email)));

  /** @returns the secret of the link in the last mail to a person, or in the last one whose link ends so; "" if there is none */
  const secretTo = (email: string, end = ""): string => {
    const link = new RegExp(`registration/#([ELN]1\\.[A-Z2-7]+)${end}`);
    const secrets = mailsTo(email).map(({ body }) => link.exec(body.text ?? "")?.[1] ?? "");
    // Mails about different things may arrive in any order.
    return (end === "" ? secrets.at(-1) : secrets.findLast((secret) => secret !== "")) ?? "";
  };

  /** @returns the subjects of the mails to a person that were sent so far, oldest first */
  const subjectsTo = (email: string) => mailsTo(email).map(({ subject }) => subject);

  /** @returns the texts that were sent to the chat so far */
  async function chatTexts(): Promise<string[]> {
    const messages = (await (await fetch(`${stage.outputs.chatUrl}/messages`)).json()) as { text: string }[];
    return messages.map(({ text }) => text);
  }

  /** @returns the messages of this hour and the hour before, in the order in which they were written */
  async function outboxRows(): Promise<OutboxRow[]> {
    const hours = [Date.now() - 3_600_000, Date.now()].map((at) =>
      new Date(at).toISOString().slice(0, 13).replace(/\D/g, ""),
    );
    const partitions = hours.flatMap((hour) => times(8, (shard) => `OUT#${hour}#${shard}`));
    const rows = (await Promise.all(partitions.map(stored))).flat() as unknown as OutboxRow[];
    return rows.sort((a, b) => (a.SK < b.SK ? -1 : 1));
  }

  async function storedItems(): Promise<Item[]> {
    const pages = paginateScan({ client: stage.table }, { TableName: stage.outputs.tableName, ConsistentRead: true });
    const items: Item[] = [];
    for await (const { Items = [] } of pages) items.push(...Items);
    return items;
  }

  /** @returns the items that mention an email: records and messages */
  const storedItemsWith = async (email: string): Promise<Item[]> =>
    (await storedItems()).filter((item) => JSON.stringify(item).toLowerCase().includes(email));

  return {
    list,
    createEvent,
    givenEvent,
    givenEventWith,
    givenNoShows,
    changeEvent,
    deleteEvent,
    countsOf,
    register,
    registerByAdmin,
    leave,
    changeRegistration,
    moveTo,
    registrationOf,
    statusOf,
    storedRegistration,
    storedSeats,
    givenUser,
    storedUser,
    checkout,
    eventCheckout,
    givenPaid,
    mailsTo,
    secretTo,
    subjectsTo,
    chatTexts,
    outboxRows,
    storedItems,
    storedItemsWith,
  };
}
