/**
 * How long a seat from the line is held, and whether the notice says that a seat came free. It says so only after a
 * minute in line, and in the same way for each way to get the seat.
 */
import { describe, expect, test } from "@jest/globals";
import type { EventRecord } from "#domain/events/event.ts";
import { type Gala, givenGala } from "./gala.ts";

const minutes = 60_000;
const hours = 60 * minutes;
const free = {};
const priced = { pricing: { member: 5, nonMember: 5 } };

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
    ["a priced event", priced, "incomplete", 24 * hours],
  ] as const)("of %s", (_name, event: Partial<EventRecord>, status, hold) => {
    test.each([
      [59_999, false],
      [60_000, true],
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
