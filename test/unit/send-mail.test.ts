/** Each mail is sent once, also when messages come twice or out of order, or a function dies. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import type { EventRecord } from "#domain/events/event.ts";
import { supersessionOf } from "#domain/notices/superseded.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import type { RegistrationFact } from "#outbox/catalogue.ts";
import {
  batchOf,
  contextOf,
  failuresOf,
  givenEvent,
  givenRegistration,
  givenWorld,
  markerOf,
  messageOf,
  mutants,
  onTheBus,
  received,
  registrationOf,
  steps,
  world,
} from "./notification-world.ts";

const { handler, mailAbout } = await import("#consumers/send-mail.ts");

type Steps = typeof steps;

beforeEach(givenWorld);

const stateOf = async (outboxId: string) => (await markerOf({ outboxId, channel: "mail" }))?.state;
const deliver = async (...message: ReturnType<typeof messageOf>[]) =>
  failuresOf(await handler(batchOf(...message.map(onTheBus)) as never));
const subjects = async () => (await received()).map(({ subject }) => subject);

const registered = messageOf();
const cancelled = messageOf(
  { version: 2, notice: "cancelled", registrationStatus: "cancelled" },
  { type: "registration.cancelled" },
);
const cancel = () => givenRegistration({ status: "cancelled", version: 2, noticeVersion: 2 });

describe("a mail", () => {
  test("goes to the person alone, with ticket and invite", async () => {
    givenEvent({ scheduleVersion: 3 });
    givenRegistration();
    expect(await deliver(registered)).toEqual([]);
    expect(world.mails[0]).toMatchObject({ Source: "events@club.example", Destinations: ["ada@student.example"] });
    const [mail] = await received();
    expect(mail).toMatchObject({
      subject: "You're registered: Kickstart",
      method: "REQUEST",
      status: "CONFIRMED",
      sequence: 4,
      uid: "cal1@club.example",
    });
    expect(mail?.html).toContain("data:image/png");
    expect(await stateOf("01registered1")).toBe("sent");
    expect((await markerOf({ outboxId: "01registered1", channel: "mail" }))?.ttl).toBe(
      world.now / 1_000 + 400 * 86_400,
    );
  });

  test.each([
    ["confirmed", {}, ["Paid: ", "To pay: 4.00", "Deposit: "]],
    ["cancelled", { status: "cancelled" }, ["Paid: "]],
    ["whose money went back", { refunded: true, owes: undefined }, ["Paid: "]],
  ] as const)("names what is left to pay, and a deposit, of a seat that is there: %s", async (_, fields, lines) => {
    givenEvent();
    const paid = { paidBy: "hand_1", paid: { amount: 600, currency: "CAD" }, deposit: "held", owes: 400 } as const;
    givenRegistration({ ...paid, ...fields });
    const { status = "registered" } = fields as { readonly status?: "cancelled" };
    await deliver(messageOf({ notice: status, registrationStatus: status }));
    const [mail] = await received();
    const named = ["Paid: ", "To pay: 4.00", "Deposit: "].filter((line) => mail?.text.includes(line));
    expect(named).toEqual(lines);
  });

  test("says the place in line", async () => {
    givenEvent();
    world.put(...["0#z", "1#a", "2#b"].map((SK) => ({ PK: "WAIT#kickstart#2026", SK, generation: "i1" })), {
      PK: "WAIT#kickstart#2026",
      SK: "0#y",
      generation: "i0",
    });
    givenRegistration({ status: "waitlist" });
    await deliver(messageOf({ notice: "waitlist" }));
    const [mail] = await received();
    expect(mail?.text).toContain("number 2 in line");
    expect(mail?.status).toBe("TENTATIVE");
  });

  test("of the waitlist waits for its second delivery while the person's own request still waits for a seat", async () => {
    givenEvent();
    givenRegistration({ status: "waitlist" });
    const asking = messageOf({ notice: "waitlist", isAsking: true }, { type: "registration.waitlisted" });
    const delivery = async (times: number) => {
      const { Records } = batchOf(onTheBus(asking));
      const attributes = { ApproximateReceiveCount: `${times}` };
      return failuresOf(await handler({ Records: Records.map((record) => ({ ...record, attributes })) } as never));
    };
    expect(await delivery(1)).toHaveLength(1);
    expect(await received()).toEqual([]);
    expect(await stateOf("01waitlist1")).toBeUndefined();
    // By now the person has the seat, of which another message tells.
    givenRegistration({ version: 2, noticeVersion: 2 });
    expect(await delivery(2)).toEqual([]);
    expect(await stateOf("01waitlist1")).toBe("superseded");
    expect(await received()).toEqual([]);
  });

  test("says until when to pay, and that a seat came free", async () => {
    givenEvent();
    givenRegistration({ status: "incomplete", holdExpiresAt: Date.parse("2026-01-10T20:30:00Z") });
    await deliver(messageOf({ notice: "incomplete", movedUp: true }, { type: "registration.promoted" }));
    const [mail] = await received();
    expect(mail?.text).toContain("January 10, 2026");
    expect(mail?.text).toContain("A seat came free");
  });

  test("of a deleted registration takes the name from the message, cancels the invite and has no ticket", async () => {
    givenEvent();
    givenRegistration();
    await deliver(registered);
    givenRegistration({ status: "deleted", fname: "", version: 2, noticeVersion: 2 });
    await deliver(messageOf({ version: 2, notice: "cancelled" }, { type: "registration.deleted" }));
    const [, mail] = await received();
    expect(mail?.text).toContain("Hi Ada,");
    expect(mail).toMatchObject({ method: "CANCEL", status: "CANCELLED", sequence: 2 });
    expect(mail?.html).not.toContain("data:image/png");
  });

  test("of a deleted event describes the event as it was", async () => {
    const event = givenEvent({ id: "old" });
    world.put({ ...event, PK: "EVENT#kickstart#2026", SK: "GONE#i1", id: "kickstart", ename: "The old one" });
    givenEvent({ generation: "i2", ename: "The new one" });
    cancel();
    await deliver(cancelled);
    expect(await subjects()).toEqual(["Your registration is cancelled: The old one"]);
    const [mail] = await received();
    for (const body of [mail?.text, mail?.html]) {
      expect(body).toContain("The event has been removed");
      // The page of the event is gone, or shows another event.
      expect(body).not.toMatch(/events\/kickstart|event page/);
    }
  });
});

describe("a notice is superseded", () => {
  test("by a later move: no mail, no invite recorded, and it stays superseded", async () => {
    givenEvent();
    cancel();
    expect(await deliver(registered)).toEqual([]);
    expect(await stateOf("01registered1")).toBe("superseded");
    givenRegistration();
    expect(await deliver(registered)).toEqual([]);
    expect(world.mails).toEqual([]);
  });

  const told = messageOf().data;
  const waits = { ...told, notice: "waitlist" } as const;
  const moved = { ...told, notice: "moved", scheduleVersion: 1 } as const;
  const reminder = { ...told, notice: "reminder", hours: 24 } as const;
  const [has, event] = [registrationOf(), { scheduleVersion: 1 } as EventRecord];
  const now = Date.parse("2026-01-10T12:00:00Z");
  const soon = { ...event, startDate: new Date(now + 1).toISOString() } as EventRecord;

  test.each<
    [ReturnType<typeof supersessionOf>, RegistrationFact, RegistrationRecord | undefined, EventRecord | undefined]
  >([
    ["told newer", told, { ...has, noticeVersion: 2 }, event],
    [undefined, told, { ...has, version: 7 }, event],
    ["event long gone", told, has, undefined],
    ["person deleted", told, { ...has, ofDeletedAccount: true }, event],
    [undefined, { ...told, notice: "cancelled" }, { ...has, ofDeletedAccount: true }, event],
    [undefined, { ...told, notice: "rejected" }, { ...has, ofDeletedAccount: true }, event],
    ["no place", waits, has, event],
    ["no seat", moved, { ...has, status: "cancelled" }, event],
    ["no seat", moved, undefined, event],
    ["moved again", moved, has, { ...event, scheduleVersion: 2 }],
    [undefined, moved, { ...has, status: "checkedIn" }, event],
    [undefined, reminder, has, soon],
    [undefined, reminder, has, { ...soon, reminders: [24] }],
    ["stopped", reminder, has, { ...soon, reminders: [] }],
    ["too late", reminder, has, { ...soon, startDate: new Date(now).toISOString() }],
    ["not due yet", reminder, has, { ...soon, startDate: new Date(now + 24 * 3_600_000 + 1).toISOString() }],
    ["too late", reminder, has, { ...soon, reminders: [24, 2] }],
    [undefined, reminder, has, { ...soon, startDate: new Date(now + 3 * 3_600_000).toISOString(), reminders: [24, 2] }],
    ["too late", moved, has, { ...event, endDate: new Date(now).toISOString() }],
    ["no seat", reminder, { ...has, status: "waitlist" }, soon],
    ["event long gone", reminder, has, { ...soon, isGone: true }],
    ["no seat", { ...reminder, notice: "feedback" }, undefined, soon],
  ])("because: %s", (reason, fact, registration, known) => {
    expect(supersessionOf(fact, registration, known, now)).toBe(reason);
  });

  test("not of a moved event for a person who was accepted and is checked in: the entry stays tentative", async () => {
    givenEvent({ scheduleVersion: 1 });
    givenRegistration({ status: "checkedIn", cameFrom: "accepted" });
    await deliver(messageOf(moved, { type: "registration.updated" }));
    expect(await received()).toMatchObject([
      { subject: "New date or place: Kickstart", method: "REQUEST", status: "TENTATIVE", sequence: 2 },
    ]);
  });
});

describe("a message that comes twice", () => {
  /**
   * Handles the same message a second time before the nth call of the first, and once more when every lease has ended.
   */
  async function sendTwiceAtOnce(call: number, changed: Partial<Steps> = {}): Promise<boolean> {
    givenWorld();
    Object.assign(steps, changed);
    givenEvent();
    givenRegistration();
    world.meanwhile = { call, happens: () => mailAbout(registered, contextOf(registered)).catch(() => undefined) };
    await mailAbout(registered, contextOf(registered)).catch(() => undefined);
    const wasReached = world.meanwhile === undefined;
    world.revive();
    await mailAbout(registered, contextOf(registered));
    return wasReached;
  }

  test("at the same time is sent once, wherever the two functions meet; without the marker it is sent twice", async () => {
    let call = 0;
    for (; await sendTwiceAtOnce(call); call += 1) expect([call, world.mails.length]).toEqual([call, 1]);
    // Claim, event, registration, mail and the record that it was sent.
    expect(call).toBe(5);
    await sendTwiceAtOnce(2, mutants.unclaimed);
    expect(world.mails.length).toBeGreaterThan(1);
  });

  test("while the first is at work comes again, and is not dropped", async () => {
    givenEvent();
    givenRegistration();
    const met: string[][] = [];
    world.meanwhile = { call: 2, happens: async () => met.push(await deliver(registered)) };
    expect(await deliver(registered)).toEqual([]);
    expect(met).toEqual([["m0"]]);
  });
});

describe("a function that dies", () => {
  /** Dies at the nth call. The message comes again at once, and again when the lease has ended. */
  async function dieAt(call: number, carriedOut: boolean, changed: Partial<Steps> = {}) {
    givenWorld();
    Object.assign(steps, changed);
    givenEvent();
    givenRegistration();
    world.death = { call, carriedOut };
    const hasDied = await mailAbout(registered, contextOf(registered)).then(
      () => false,
      () => true,
    );
    world.death = undefined;
    const atOnce = await deliver(registered);
    world.revive();
    expect(await deliver(registered)).toEqual([]);
    return { hasDied, atOnce, mails: world.mails.length, state: await stateOf("01registered1") };
  }

  test("at any call leaves a mail that is sent once, or twice only between sending and recording it", async () => {
    const doubles: string[] = [];
    let call = 0;
    for (; ; call += 1) {
      const died = await dieAt(call, false);
      if (!died.hasDied) break;
      const deaf = await dieAt(call, true);
      for (const { state } of [died, deaf]) expect([call, state]).toEqual([call, "sent"]);
      for (const { mails } of [died, deaf]) expect([1, 2]).toContain(mails);
      if (died.mails > 1) doubles.push(`at ${call}`);
      if (deaf.mails > 1) doubles.push(`after ${call}`);
    }
    // The last two calls are the mail and the record that it was sent.
    expect(doubles).toEqual([`after ${call - 2}`, `at ${call - 1}`]);
  });

  test("holds its claim until the lease ends, and no longer", async () => {
    expect(await dieAt(0, true)).toMatchObject({ atOnce: ["m0"], mails: 1 });
  });

  test("leaves a mail that is never sent, if no try may take over its claim", async () => {
    expect(await dieAt(0, true, mutants.neverTakingOver)).toMatchObject({ mails: 0, state: "claimed" });
  });

  test("would be taken for dead in any case, if the end were not noted: the mail is sent again", async () => {
    expect(await dieAt(9, true)).toMatchObject({ hasDied: false, mails: 1 });
    expect((await dieAt(9, true, mutants.unnoted)).mails).toBe(2);
  });
});

describe("a registration that is cancelled while its mail is on the way", () => {
  /** The registration ends, and the mail about that is sent, before the nth call of the first mail. */
  async function cancelAt(call: number, changed: Partial<Steps> = {}) {
    givenWorld();
    Object.assign(steps, changed);
    givenEvent();
    givenRegistration();
    const happens = () => {
      cancel();
      return mailAbout(cancelled, contextOf(cancelled));
    };
    world.meanwhile = { call, happens };
    await mailAbout(registered, contextOf(registered));
    const wasReached = world.meanwhile === undefined;
    return { wasReached, methods: (await received()).map(({ method }) => method) };
  }

  const isTakenBack = (methods: readonly unknown[]) => !methods.includes("REQUEST") || methods.includes("CANCEL");

  test("never leaves an entry in the calendar", async () => {
    const seen = new Set<string>();
    for (let call = 0; ; call += 1) {
      const { wasReached, methods } = await cancelAt(call);
      if (!wasReached) break;
      expect({ call, methods, isTakenBack: isTakenBack(methods) }).toMatchObject({ isTakenBack: true });
      seen.add(methods.join());
    }
    // Both outcomes occurred: superseded before an invite was sent, and an invite that was cancelled.
    expect([...seen].some((methods) => !methods.includes("REQUEST"))).toBe(true);
    expect([...seen].some((methods) => methods.includes("REQUEST"))).toBe(true);
  });

  test("would leave an entry if the claim of the mail did not record its invite", async () => {
    const { claim } = steps;
    const unrecorded: Partial<Steps> = {
      claim: (work, now, deadline) => claim({ ...work, facts: {} }, now, deadline),
    };
    const left: boolean[] = [];
    for (let call = 0; call < 12; call += 1) left.push(!isTakenBack((await cancelAt(call, unrecorded)).methods));
    expect(left).toContain(true);
  });

  test("and whose messages come in reverse order gets only the mail of the end", async () => {
    givenEvent();
    cancel();
    expect(await deliver(cancelled, registered)).toEqual([]);
    expect(await received()).toMatchObject([
      { subject: "Your registration is cancelled: Kickstart", method: undefined },
    ]);
    expect(await stateOf("01registered1")).toBe("superseded");
  });
});
const sesError = (name: string, more: object = { $metadata: { httpStatusCode: 400 } }) =>
  Object.assign(new Error("ada@student.example is not to be quoted"), { name, ...more });

describe("when SES is", () => {
  beforeEach(() => {
    givenEvent();
    givenRegistration();
  });

  test.each([
    ["throttled", sesError("Throttling")],
    ["paused", sesError("AccountSendingPausedException")],
    ["without a verified sender, in its sandbox or paused by AWS", sesError("MessageRejected")],
    ["not there", Object.assign(new Error(), { code: "ECONNREFUSED" })],
  ])("%s, the mail comes again and waits for no lease", async (_, error) => {
    world.sesSays = [error];
    expect(await deliver(registered)).toEqual(["m0"]);
    expect(await stateOf("01registered1")).toBe("released");
    expect(await deliver(registered)).toEqual([]);
    expect(world.mails).toHaveLength(1);
  });

  test.each([
    ["silent", sesError("TimeoutError", {})],
    ["broken", sesError("InternalFailure", { $metadata: { httpStatusCode: 500 } })],
  ])("%s, the mail may have been sent, so the next try waits for the lease", async (_, error) => {
    world.sesSays = [error];
    expect(await deliver(registered)).toEqual(["m0"]);
    expect(await deliver(registered)).toEqual(["m0"]);
    world.revive();
    expect(await deliver(registered)).toEqual([]);
    expect(world.mails).toHaveLength(1);
  });

  test("refusing the address, the mail is not tried again", async () => {
    world.sesSays = [sesError("InvalidParameterValue")];
    expect(await deliver(registered)).toEqual([]);
    expect(await stateOf("01registered1")).toBe("failed");
    expect(await deliver(registered)).toEqual([]);
    expect(world.mails).toEqual([]);
  });

  test("throttling one mail, the others of the batch are sent", async () => {
    world.sesSays = [sesError("Throttling")];
    expect(await deliver(messageOf({}, { id: "01A" }), messageOf({}, { id: "01B" }))).toEqual(["m0"]);
    expect(world.mails).toHaveLength(1);
  });
});

describe("a batch", () => {
  const { detail } = onTheBus(registered);
  const withData = (data: object) => ({
    ...onTheBus(registered),
    detail: { ...detail, data: { ...detail.data, ...data } },
  });

  test.each([
    ["not JSON", "{ada@student.example"],
    ["about something else", { ...onTheBus(registered), "detail-type": "event.created" }],
    ["about a move to nowhere", withData({ notice: "moved" })],
  ])("with a message that is %s reports that message, and handles the others", async (_, body) => {
    givenEvent();
    givenRegistration();
    expect(failuresOf(await handler(batchOf(body, onTheBus(registered)) as never))).toEqual(["m0"]);
    expect(world.mails).toHaveLength(1);
  });
});
