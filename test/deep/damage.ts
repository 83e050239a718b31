/** A stage with every kind of record, and what can be damaged in it. */

import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { expect } from "@jest/globals";
import { ulid } from "ulid";
import type { KeyTexts } from "#kit/table/item.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import type { Kind } from "../../tools/ops/invariants/kinds.ts";
import { exec, newEmail, year } from "../service/given.ts";
import type { ServiceStage } from "../service/stage.ts";

type Item = KeyTexts & Record<string, unknown>;

/** Writes to the table past all functions. */
export function vandal({ table, outputs: { tableName: TableName } }: ServiceStage) {
  const read = async (Key: KeyTexts) =>
    (await table.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item as Item;
  return {
    read,
    remove: (Key: KeyTexts) => table.send(new DeleteCommand({ TableName, Key })),
    put: (item: Item) => table.send(new PutCommand({ TableName, Item: item })),
    set: ({ PK, SK }: KeyTexts, fields: Readonly<Record<string, unknown>>) =>
      table.send(
        new UpdateCommand({
          TableName,
          Key: { PK, SK },
          UpdateExpression: `SET ${Object.keys(fields)
            .map((_, index) => `#n${index} = :v${index}`)
            .join(", ")}`,
          ExpressionAttributeNames: Object.fromEntries(Object.keys(fields).map((name, index) => [`#n${index}`, name])),
          ExpressionAttributeValues: Object.fromEntries(
            Object.values(fields).map((value, index) => [`:v${index}`, value]),
          ),
        }),
      ),
    unset: (Key: KeyTexts, name: string) =>
      table.send(
        new UpdateCommand({ TableName, Key, UpdateExpression: "REMOVE #n", ExpressionAttributeNames: { "#n": name } }),
      ),
  };
}

export const registrationKey = (email: string, id: string) => keyOf("registration", { email, id, year });
export const seatsKey = (id: string) => keyOf("seats", { id, year });

const hour = 3_600_000;
const longAgo = "2020-01-01T00:00:00.000Z";

/** How a person resolves a finding: requests to the API, or the words of a command of `npm run ops`. */
type Resolution = (() => Promise<unknown>) | string;

/** One damage: the kind that has to be found, and how it is done. Each has records of its own. */
export interface Damage {
  readonly kind: Kind;
  readonly by: string;
  /** No repair, route or command makes the finding go away. */
  readonly stays?: true;
  /** It stops the provider's messages, so it comes after all others. */
  readonly isLast?: true;
  /** Does it. @returns what its advice says, done; anything else for a damage that is repaired, or that stays */
  readonly run: () => Promise<Resolution | unknown>;
}

const workshop = {
  questionId: "w",
  label: "Workshop",
  type: "WORKSHOP_SELECTION",
  required: false,
  choices: ["A", "B"],
  participantCap: 5,
};

/** Damages of every kind that a stage can have; records are made while they run. */
export function damages(stage: ServiceStage): Damage[] {
  const { set, unset, put, remove, read } = vandal(stage);
  const registered = async (fields: object = {}) => {
    const email = newEmail();
    const id = await stage.givenEventWith([email], { capac: 5, ...fields });
    return { email, id, key: registrationKey(email, id), registration: await read(registrationKey(email, id)) };
  };
  /** Writes a registration of a free event, as the stores do. No function runs, and no mail is sent. */
  const stored = async (id: string, status: "registered" | "waitlist") => {
    const email = newEmail();
    const { generation } = await read({ PK: `EVENT#${id}#${year}`, SK: "META" });
    const now = Date.now();
    const registration = {
      ...registrationKey(email, id),
      ...{ GSI1PK: `REG#${id}`, GSI1SK: `${year}#${now}#${email}`, email, eventID: id, year, status, fname: "Ada" },
      ...{ basicInformation: {}, dynamicResponses: {}, choices: {}, isPartner: false, points: 0, generation },
      ...{
        queueKey: `${now}#${ulid(now)}`,
        version: 1,
        noticeVersion: 1,
        ticketId: `ticket-${email}`,
        calendarUid: email,
      },
      ...{ createdAt: now, updatedAt: now },
    };
    await put(registration);
    return { email, id, key: registrationKey(email, id), registration };
  };
  const seated = async () => {
    const id = await stage.givenEvent({ capac: 5 });
    await set(seatsKey(id), { seats: 1, registered: 1 });
    return stored(id, "registered");
  };
  const waiting = async () => {
    const id = await stage.givenEvent({ capac: 1 });
    await set(seatsKey(id), { seats: 1, registered: 1, gate: "queued" });
    const { email: first } = await stored(id, "registered");
    const { email, registration } = await stored(id, "waitlist");
    const { queueKey, choices, isPartner, fname, generation, version } = registration;
    const place = { PK: `WAIT#${id}#${year}`, SK: queueKey };
    await put({ ...place, email, queueKey, choices, isPartner, fname, generation, version });
    return { id, email, first, registration, place };
  };
  /** A person who is registered for an event that was deleted. */
  const gone = async () => {
    const { id, key, registration } = await seated();
    expect((await stage.deleteEvent(id, "?force=true")).status).toBe(200);
    await stage.settled();
    const now = await read(key);
    await put({ ...registration, version: Number(now.version) + 1 } as Item);
  };
  const unpaid = async () => {
    const made = await registered({ pricing: { member: 5, nonMember: 10 } });
    const hold = Number(made.registration.holdExpiresAt);
    return { ...made, hold: { PK: "HOLD", SK: `${hold}#${made.id}#${year}#${made.email}` } };
  };
  const member = async () => {
    const email = newEmail();
    const body = { email, firstName: "Mo", lastName: "Member" };
    expect((await stage.api("POST", "/members/grant", { as: exec, body })).status).toBeLessThan(300);
    const profileID = String((await read({ PK: `USER#${email}`, SK: "PROFILE" })).profileID);
    return { email, profileID };
  };
  const accepted = async (answer: ReturnType<ServiceStage["api"]>) => {
    const { status, body } = await answer;
    expect({ isAccepted: status < 300, status, body }).toMatchObject({ isAccepted: true });
  };
  const admin = (method: string, path: string, body?: object) =>
    accepted(stage.api(method, path, { as: exec, ...(body && { body }) }));
  const granted = (email: string) => () =>
    admin("POST", "/members/grant", { email, firstName: "Mo", lastName: "Member" });
  const withNewProfile = (email: string) => async () => {
    await accepted(stage.api("DELETE", `/users/${email}`, { as: email }));
    await granted(email)();
  };
  const paying = async () => {
    const made = await unpaid();
    const session = await stage.eventCheckout(made.id, made.email);
    return { ...made, session, latest: { PK: `USER#${made.email}`, SK: `CHECKOUT#EVENT#${made.id}#${year}` } };
  };
  const notice = async (minutesAgo: number) => {
    const { id, email } = await registered();
    await stage.settled();
    // Other damages of the same moment leave rows without data.
    const row = (await stage.outboxRows()).find(
      ({ detailType, detail }) => detailType === "registration.registered" && detail.data?.email === email,
    ) as unknown as Item & { detail: { metadata: object } };
    const occurredAt = new Date(Date.now() - minutesAgo * 60_000).toISOString();
    await set(row, { detail: { ...row.detail, metadata: { ...row.detail.metadata, occurredAt } } });
    const marker = (channel: "mail" | "chat") => ({ PK: `SENT#${channel}#${email}`, SK: `${id}#${year}#${row.SK}` });
    return { row, marker };
  };
  /** A campaign that began five days ago, as its request writes it, and one recipient whose delivery is lost. */
  const unsentBatch = async () => {
    const email = newEmail();
    const template = { templateName: "Unsent", subject: "Unsent", html: "<p>Hi</p>", text: "Hi" };
    await admin("POST", "/emails/templates", template);
    const send = { templateName: "Unsent", audience: { emails: [email] } };
    const { status, body } = await stage.api("POST", "/emails/send", { as: exec, body: send });
    expect(status).toBe(202);
    await stage.settled();
    const { campaignId } = body as { readonly campaignId: string };
    const now = Date.now() - 5 * 24 * hour;
    await set({ PK: "CMP", SK: campaignId }, { createdAt: now });
    const { nameOf, outboxRow } = await import("#outbox/store.ts");
    const message = { type: "campaign.batch", data: { campaignId, batch: 0 } } as const;
    const name = nameOf(now, ["campaign.batch", campaignId, 0]);
    await put(outboxRow(message, { now, actor: exec, requestId: "damage" }, name).Put?.Item as Item);
    await stage.settled();
    await remove({ PK: `CMPR#${campaignId}`, SK: email });
  };

  return [
    {
      kind: "no seats",
      by: "the seats are lost",
      stays: true,
      run: async () => remove(seatsKey((await seated()).id)),
    },
    {
      kind: "other counts",
      by: "a lost seat",
      run: async () => set(seatsKey((await seated()).id), { seats: 0, registered: 0 }),
    },
    {
      kind: "other counts",
      by: "a code with more and one with fewer uses than registrations have",
      run: async () => {
        const id = await stage.givenEvent({ capac: 5 });
        const partition = `CODE#${id}#${year}#${(await read({ PK: `EVENT#${id}#${year}`, SK: "META" })).generation}`;
        for (const [code, used] of [
          ["MORE", 4],
          ["FEWER", 0],
        ] as const) {
          const body = { code, kind: "discount", uses: 3, percentOff: 10 };
          const answer = await stage.api("POST", `/events/${id}/${year}/codes`, { as: exec, body });
          expect((await stage.register(id, newEmail(), { code })).status).toBe(201);
          await set({ PK: partition, SK: answer.body.item.id }, { used });
        }
      },
    },
    {
      kind: "other counts",
      by: "a lost seat of the allotment",
      run: async () => {
        const id = await stage.givenEvent({ capac: 5, allotment: 2 });
        const body = { code: "GUESTS", kind: "access", uses: 3 };
        await admin("POST", `/events/${id}/${year}/codes`, body);
        expect((await stage.register(id, newEmail(), { code: "GUESTS" })).status).toBe(201);
        await set(seatsKey(id), { allotmentSeats: 0, registered: 0 });
      },
    },
    {
      kind: "other choice",
      by: "a workshop of which counter and choice agree, and the answer does not",
      run: async () => {
        const email = newEmail();
        const id = await stage.givenEvent({ capac: 5, registrationQuestions: [workshop] });
        expect((await stage.register(id, email, { dynamicResponses: { w: "A" } })).status).toBe(201);
        await set(registrationKey(email, id), { choices: { w: "B" } });
        await set(seatsKey(id), { choiceHolders: { w: { B: 1 } } });
        return () => accepted(stage.changeRegistration(id, email, { dynamicResponses: { w: "A" } }));
      },
    },
    {
      kind: "lost registration",
      by: "a registration that is lost, of which the person was told",
      run: async () => {
        const { id, email, key } = await registered();
        await stage.settled();
        await remove(key);
        return () => accepted(stage.registerByAdmin(id, email));
      },
    },
    {
      kind: "other terms",
      by: "another capacity",
      run: async () => {
        const { id } = await seated();
        await set(seatsKey(id), { capacity: 500, termsVersion: 77 });
        return async () => {
          for (const capac of [4, 5]) await accepted(stage.changeEvent(id, { capac }));
        };
      },
    },
    {
      kind: "direct gate",
      by: "an open gate",
      run: async () => set(seatsKey((await waiting()).id), { gate: "direct" }),
    },
    {
      kind: "free seat",
      by: "a seat that no person was given",
      run: async () => {
        const { id, first } = await waiting();
        await remove(registrationKey(first, id));
        await set(seatsKey(id), { seats: 0, registered: 0 });
      },
    },
    {
      kind: "in a gone event",
      by: "a registration that the deletion missed",
      run: async () => {
        await gone();
        return "replay --from 1h --type event.deleted --apply";
      },
    },
    { kind: "not in line", by: "a missing place", run: async () => remove((await waiting()).place) },
    { kind: "other place", by: "an old place", run: async () => set((await waiting()).place, { version: 7 }) },
    {
      kind: "same place",
      by: "two registrations with one queueKey",
      run: async () => {
        const id = await stage.givenEvent({ capac: 5 });
        await set(seatsKey(id), { seats: 2, registered: 2 });
        const [one, two] = [await stored(id, "registered"), await stored(id, "registered")];
        await set(two.key, { queueKey: one.registration.queueKey });
        return async () => {
          await accepted(stage.leave(id, two.email, exec));
          await accepted(stage.registerByAdmin(id, two.email));
        };
      },
    },
    {
      kind: "place of no person",
      by: "a place without a person",
      run: async () => {
        const { place, id } = await waiting();
        const item = await read(place);
        const SK = `1#01ARZ3NDEKTSV4RRFFQ69G5FAV`;
        await put({ ...item, SK, queueKey: SK, email: `ghost@${id}.example` });
      },
    },
    { kind: "no hold", by: "a missing hold", run: async () => remove((await unpaid()).hold) },
    {
      kind: "hold on a paid seat",
      by: "a free seat with an end",
      run: async () => set((await seated()).key, { holdExpiresAt: Date.now() + hour }),
    },
    {
      kind: "hold of no person",
      by: "a hold without a seat",
      run: async () => {
        const { hold } = await unpaid();
        const item = await read(hold);
        const expiresAt = Number(item.expiresAt) + 1;
        await put({ ...item, expiresAt, SK: hold.SK.replace(/^\d+/, String(expiresAt)) });
      },
    },
    {
      kind: "hold over",
      by: "a hold that was moved to its next try long after its end",
      run: async () => {
        const { key, hold, id, email } = await unpaid();
        const item = await read(hold);
        const [expiresAt, nextTry] = [Date.now() - 2 * 24 * hour, Date.now() + hour];
        await remove(hold);
        await put({ ...item, SK: `${nextTry}#${id}#${year}#${email}`, expiresAt, failures: 1 });
        await set(key, { holdExpiresAt: expiresAt });
      },
    },
    {
      kind: "other points",
      by: "a wrong sum of points",
      run: async () => {
        const { id, email } = await seated();
        expect((await stage.changeRegistration(id, email, { points: 5 })).status).toBe(200);
        await set({ PK: `USER#${email}`, SK: "POINTS" }, { points: 9 });
      },
    },
    {
      kind: "not listed",
      by: "an event that no list has",
      run: async () => {
        const id = await stage.givenEvent();
        await unset({ PK: `EVENT#${id}#${year}`, SK: "META" }, "GSI1PK");
        return () => accepted(stage.changeEvent(id, { elocation: "Hall" }));
      },
    },
    {
      kind: "not listed",
      by: "a user under another email in the list",
      stays: true,
      run: async () => set({ PK: `USER#${await stage.givenUser()}`, SK: "USER" }, { GSI1SK: "zzz@zzz.example" }),
    },
    {
      kind: "no account",
      by: "a member without an account",
      run: async () => {
        const { email } = await member();
        await remove({ PK: `USER#${email}`, SK: "USER" });
        return granted(email);
      },
    },
    {
      kind: "no membership",
      by: "a lost membership beside a granted profile",
      run: async () => {
        const { email } = await member();
        await remove({ PK: `USER#${email}`, SK: "MEMBER" });
        return granted(email);
      },
    },
    {
      kind: "other profile id",
      by: "a membership with another profile id",
      run: async () => {
        const { email } = await member();
        await set({ PK: `USER#${email}`, SK: "MEMBER" }, { profileID: "OtherGeckosJam" });
        return granted(email);
      },
    },
    {
      kind: "no profile id",
      by: "a lost profile id",
      run: async () => {
        const { email, profileID } = await member();
        await remove({ PK: `PID#${profileID}`, SK: "PID" });
        return withNewProfile(email);
      },
    },
    {
      kind: "profile id of no person",
      by: "a profile id without a profile",
      stays: true,
      run: async () => put({ PK: "PID#StrayGeckosJam", SK: "PID", email: (await member()).email }),
    },
    {
      kind: "payment not noted",
      by: "a paid seat without its settlement",
      stays: true,
      run: async () => {
        const { session } = await paying();
        stage.payments.pay(session.id);
        await stage.settled();
        await remove({ PK: `PAY#${session.id}`, SK: "SETTLED" });
      },
    },
    {
      kind: "other waiting payment",
      by: "a payment that waits and is not listed",
      run: async () => {
        const { session, id, email } = await paying();
        stage.payments.pay(session.id);
        await stage.settled();
        await stage.moveTo(id, email, "cancelled");
        await stage.settled();
        await stage.indexed();
        const [{ settledAt }] = (await stage.api("GET", `/payments?eventID=${id}&year=${year}`, { as: exec })).body;
        await remove({ PK: "PAYMENTS#WAITING", SK: `${settledAt}#${session.id}` });
        const decision = { decision: "keep", reason: "Agreed." };
        return () => accepted(stage.api("POST", `/payments/${session.id}/decisions`, { as: exec, body: decision }));
      },
    },
    {
      kind: "paid but not confirmed",
      by: "a settlement whose seat is still unpaid",
      run: async () => {
        const { session, id, email, key } = await paying();
        const unconfirmed = await read(key);
        const hold = { PK: "HOLD", SK: `${unconfirmed.holdExpiresAt}#${id}#${year}#${email}` };
        const held = await read(hold);
        stage.payments.pay(session.id);
        await stage.settled();
        await put({ ...unconfirmed, version: Number((await read(key)).version) + 1 });
        await put(held);
        await set(seatsKey(id), { registered: 0, incomplete: 1 });
        return () => accepted(stage.moveTo(id, email, "registered"));
      },
    },
    {
      kind: "checkout still open",
      by: "an open checkout that is settled",
      run: async () => {
        const { session, latest } = await paying();
        stage.payments.pay(session.id);
        await stage.settled();
        await unset(latest, "closed");
      },
    },
    {
      kind: "unsettled payment",
      by: "a payment of which no message came",
      isLast: true,
      run: async () => {
        const { session, latest } = await paying();
        await stage.settled();
        stage.payments.holdBack();
        stage.payments.pay(session.id);
        await set(latest, { expiresAt: Date.now() - 2 * hour });
      },
    },
    {
      kind: "message not heard",
      by: "an outbox row that no consumer got",
      run: async () => {
        const { marker } = await notice(60);
        for (const channel of ["mail", "chat"] as const) await remove(marker(channel));
      },
    },
    {
      kind: "mail not finished",
      by: "a mail that stays claimed",
      run: async () => {
        const { marker } = await notice(5);
        const leaseUntil = Date.now() - 5 * 24 * hour;
        await set(marker("mail"), { state: "claimed", leaseUntil });
      },
    },
    {
      kind: "unsendable message",
      by: "a row that is no message",
      stays: true,
      // A new row would stop the relay.
      run: async () => set((await notice(1)).row, { detail: { metadata: { occurredAt: longAgo } } }),
    },
    {
      kind: "template not listed",
      by: "a template without its line",
      run: async () => {
        const template = { templateName: "lost", subject: "Lost", html: "<p>Hi</p>", text: "Hi" };
        await admin("POST", "/emails/templates", template);
        await remove({ PK: "TPL", SK: "lost" });
        return () => admin("PATCH", "/emails/templates/lost", { subject: "Found" });
      },
    },
    {
      kind: "line of no template",
      by: "a line without its template",
      run: async () => {
        await put({ PK: "TPL", SK: "stray", templateName: "stray", createdAt: 1, updatedAt: 1 });
        return async () => {
          await admin("POST", "/emails/templates", { templateName: "stray", subject: "Stray", html: "<p>Hi</p>" });
          await admin("DELETE", "/emails/templates/stray");
        };
      },
    },
    {
      kind: "game account not listed",
      by: "an account of the game without its line",
      stays: true,
      run: () => {
        const email = newEmail();
        const listed = { GSI1PK: "BTXA#game", GSI1SK: email };
        return put({
          PK: `USER#${email}`,
          SK: "BTX#game",
          ...listed,
          email,
          eventId: "game",
          version: 1,
          holdings: {},
        });
      },
    },
    {
      kind: "listed without an account",
      by: "a line without its account",
      stays: true,
      run: () => put({ PK: "BTXA#game", SK: "ghost@x.example", email: "ghost@x.example" }),
    },
    {
      kind: "project without its half",
      by: "a project without a text",
      stays: true,
      run: () => put({ PK: "BTXP#half", SK: "MARKET", projectId: "half" }),
    },
    {
      kind: "wrong key",
      by: "a record under the key of another",
      run: async () => {
        await put({ PK: "USER#a@x.example", SK: "USER", email: "b@x.example" });
        return () => admin("DELETE", "/users/a@x.example");
      },
    },
    {
      kind: "unknown item",
      by: "an item of no part of the service",
      stays: true,
      run: () => put({ PK: "STRAY", SK: "STRAY" }),
    },
    {
      kind: "unreadable record",
      by: "a batch without recipients",
      stays: true,
      run: () => put({ PK: "CMP#x", SK: "BATCH#00000" }),
    },
    {
      kind: "campaign without its parts",
      by: "a campaign without its content",
      stays: true,
      run: () => put({ PK: "CMP", SK: "lost", campaignId: "lost", batches: 1 }),
    },
    {
      kind: "profile id of another",
      by: "a profile id that leads to another person",
      run: async () => {
        const [mine, theirs] = [await member(), await member()];
        await set({ PK: `PID#${mine.profileID}`, SK: "PID" }, { email: theirs.email });
        return withNewProfile(mine.email);
      },
    },
    { kind: "batch not sent", by: "a campaign of last week that one person has not got", run: unsentBatch },
    {
      kind: "no event",
      by: "a registration whose event and seats are lost",
      run: async () => {
        const { id, email } = await seated();
        await remove({ PK: `EVENT#${id}#${year}`, SK: "META" });
        await remove(seatsKey(id));
        return () => accepted(stage.leave(id, email, exec));
      },
    },
    {
      kind: "seats of no event",
      by: "an event that is lost",
      stays: true,
      run: async () => remove({ PK: `EVENT#${(await seated()).id}#${year}`, SK: "META" }),
    },
  ];
}
