/**
 * How long a seat from the line is held, and whether the notice says that a seat came free. It says so only after a
 * minute in line, and in the same way for each way to get the seat.
 */
import { describe, expect, test } from "@jest/globals";
import type { EventRecord } from "#domain/events/event.ts";
import type { KnownEvent } from "#domain/events/store.ts";
import type { RegistrationMessage } from "#domain/notices/compose.ts";
import { emailOf, type Gala, givenGala } from "./gala.ts";

const { composeNotice } = await import("#domain/notices/compose.ts");
const { chatMessage } = await import("#domain/notices/chat.ts");
const { hasMail } = await import("#domain/notices/notice.ts");
const { noticeTextsOf } = await import("#domain/notices/notice-texts.ts");

const minutes = 60_000;
const hours = 60 * minutes;
const free = {};
const priced = { pricing: { member: 5, nonMember: 5 } };
const workshop = {
  registrationQuestions: [
    { questionId: "w", label: "W", type: "WORKSHOP_SELECTION", required: false, choices: ["a"], participantCap: 9 },
  ],
} as const;

/** An event with one seat, which `first` has. */
async function givenFull(fields: Partial<EventRecord>): Promise<Gala> {
  const gala = givenGala({ capac: 1, ...fields });
  await gala.register("first");
  return gala;
}

async function whileWaiting(gala: Gala, milliseconds: number): Promise<void> {
  expect((await gala.register("waiter")).registration.status).toBe("waitlist");
  gala.later(milliseconds);
}

/** The last message about the waiter. */
const toldOf = (gala: Gala) => gala.messageOf("waiter").at(-1);

/** The ways in which the waiter gets a seat without a request of their own. */
const ways: [string, (gala: Gala) => Promise<unknown>][] = [
  [
    "promotion",
    (gala) => {
      gala.change({ capac: 2 });
      return gala.promote();
    },
  ],
  ["a swap with a person who leaves", (gala) => gala.become("first", "cancelled")],
  [
    "an admin's move",
    (gala) => {
      gala.change({ capac: 2 });
      return gala.become("waiter", gala.seats().mode === "free" ? "registered" : "incomplete", "admin");
    },
  ],
];

describe.each(ways)("a seat by %s", (_, seat) => {
  describe.each([
    ["a free event", free, "registered", undefined],
    ["a free event with workshops", workshop as never, "registered", undefined],
    ["a priced event", priced, "incomplete", 24 * hours],
  ] as const)("of %s", (_name, event: Partial<EventRecord>, status, hold) => {
    test.each([
      [1, false],
      [59_999, false],
      [60_000, true],
      [60_001, true],
      [3 * 24 * hours, true],
    ])("after %i ms in line says that a seat came free: %s", async (waited, movedUp) => {
      const gala = await givenFull(event);
      await whileWaiting(gala, waited);
      await seat(gala);
      const { status: became, holdExpiresAt } = gala.registrationOf("waiter");
      expect({ became, hold: holdExpiresAt && holdExpiresAt - gala.now() }).toEqual({ became: status, hold });
      expect(toldOf(gala)?.detailType).toBe("registration.promoted");
      expect(toldOf(gala)?.detail.data.movedUp ?? false).toBe(movedUp);
    });
  });

  test("is held until the event starts, if that is sooner", async () => {
    const gala = await givenFull({ ...priced, startDate: new Date(1_800_000_000_000 + 5 * hours).toISOString() });
    await whileWaiting(gala, minutes);
    await seat(gala);
    expect(gala.registrationOf("waiter").holdExpiresAt).toBe(1_800_000_000_000 + 5 * hours);
  });
});

test("a seat from the line by the person's own request is held as long as a newcomer's, and no notice says that it came free", async () => {
  const gala = await givenFull(priced);
  gala.later(hours);
  gala.onceInLine(() => gala.change({ capac: 2 }));
  const { registration } = await gala.register("waiter");
  expect(registration).toMatchObject({ status: "incomplete", holdExpiresAt: gala.now() + 30 * minutes });
  expect(toldOf(gala)).toMatchObject({ detailType: "registration.promoted" });
  expect(toldOf(gala)).not.toHaveProperty("detail.data.movedUp");
});

test("seats from the line that another person's request gives are held for a day", async () => {
  const gala = await givenFull(priced);
  await whileWaiting(gala, hours);
  gala.onceInLine(() => gala.change({ capac: 3 }));
  await gala.register("late");
  expect(gala.registrationOf("waiter").holdExpiresAt).toBe(gala.now() + 24 * hours);
  expect(gala.registrationOf("late").holdExpiresAt).toBe(gala.now() + 30 * minutes);
  expect(toldOf(gala)).toMatchObject({ detail: { data: { movedUp: true } } });
  expect(gala.messageOf("late").at(-1)).not.toHaveProperty("detail.data.movedUp");
});

test("an application that is accepted from the waitlist is not moved up", async () => {
  const gala = givenGala({ isApplicationBased: true });
  await gala.register("waiter");
  await gala.become("waiter", "waitlist", "admin");
  gala.later(hours);
  await gala.become("waiter", "accepted", "admin");
  expect(toldOf(gala)?.detail.data).not.toHaveProperty("movedUp");
});

test("a person who leaves the line gets no notice of a seat", async () => {
  const gala = await givenFull(free);
  await whileWaiting(gala, hours);
  await gala.become("waiter", "cancelled");
  expect(toldOf(gala)?.detail.data).not.toHaveProperty("movedUp");
});

describe("mail and chat follow `movedUp` and `movedDown` alone", () => {
  const event = { id: "gala", year: 2030, ename: "Gala", isGone: false } as KnownEvent;
  const settings = {
    sender: { name: "Club Events", address: "events@club.example" },
    webAppUrl: "https://club.example",
    eventPage: "/event/{id}/{year}/register",
    timeZone: "UTC",
  };
  const types = ["registration.promoted", "registration.registered", "registration.incomplete"] as const;
  const came = /came free|moved up|A seat for you/;

  describe.each(types)("in a message %s", (type) => {
    test.each([
      ["registered", undefined, false],
      ["registered", false, false],
      ["registered", true, true],
      ["incomplete", undefined, false],
      ["incomplete", false, false],
      ["incomplete", true, true],
    ] as const)("a notice %s with movedUp %s says that a seat came free: %s", async (kind, movedUp, saysSo) => {
      const who = { eventID: "gala", year: 2030, generation: "i", email: emailOf("ada"), fname: "Ada" };
      const fact = { ...who, registrationStatus: kind, version: 2, isPartner: false, notice: kind };
      const data = { ...fact, ...(movedUp !== undefined && { movedUp }) };
      const message: RegistrationMessage = { type, id: "1", occurredAt: 1, actor: "system", requestId: "r", data };
      const notice = await composeNotice(message, kind, { registration: undefined, event });
      if (!hasMail(notice)) throw new Error("a seat is mailed");
      const { subject, paragraphs } = noticeTextsOf(notice, settings);
      expect(came.test([subject, ...paragraphs].join("\n"))).toBe(saysSo);
      expect(came.test(chatMessage(notice)?.text ?? "")).toBe(saysSo);
    });
  });

  test.each([
    [true, "The organizers gave your seat to the next person in line. You are in line.", "was moved to the waitlist"],
    [undefined, "You do not have a seat yet. You are in line.", "is on the waitlist"],
  ])("a notice waitlist with movedDown %s says %j", async (movedDown, mail, chat) => {
    const who = { eventID: "gala", year: 2030, generation: "i", email: emailOf("ada"), fname: "Ada" };
    const fact = { ...who, registrationStatus: "waitlist", version: 2, isPartner: false, notice: "waitlist" } as const;
    const data = { ...fact, ...(movedDown && { movedDown }) };
    const type = "registration.waitlisted";
    const message: RegistrationMessage = { type, id: "1", occurredAt: 1, actor: "system", requestId: "r", data };
    const notice = await composeNotice(message, "waitlist", { registration: undefined, event });
    if (!hasMail(notice)) throw new Error("a place in line is mailed");
    expect(noticeTextsOf(notice, settings).paragraphs[0]).toBe(mail);
    expect(chatMessage(notice)?.text).toContain(chat);
  });
});
