/** A person registers again for one event: a few times within an hour (`docs/contract.md`, "Registrations"). */
import { expect, test } from "@jest/globals";
import { limits, onceMore } from "#domain/people/once-more.ts";
import { type Gala, givenGala } from "./gala.ts";

const hour = 3_600_000;
const { times: maxPerHour } = limits.registerAgain;

/** A person who has registered, and registered again as often as that is allowed. They have left each time. */
async function givenChanging(): Promise<Gala> {
  const gala = givenGala({ capac: 9 });
  await gala.register("ada");
  await gala.become("ada", "cancelled");
  for (let time = 0; time < maxPerHour; time += 1) {
    // A POST and a PUT count alike.
    await (time % 2 === 0 ? gala.register("ada") : gala.become("ada", "registered"));
    await gala.become("ada", "cancelled");
  }
  return gala;
}

const tooOften = (seconds: number) => ({ code: "TOO_OFTEN", headers: { "retry-after": String(seconds) } });

test("once more within the hour is refused, writes nothing, and is allowed after it", async () => {
  const gala = await givenChanging();
  gala.later(hour - 90_500);
  const messages = gala.messageOf("ada").length;
  await expect(gala.register("ada")).rejects.toMatchObject(tooOften(91));
  await expect(gala.become("ada", "registered")).rejects.toMatchObject(tooOften(91));
  expect(gala.messageOf("ada")).toHaveLength(messages);
  gala.later(90_500);
  expect((await gala.register("ada")).registration).toMatchObject({ status: "registered", again: { count: 1 } });
});

test("cancelling is never refused, and an admin registers the person all the same", async () => {
  const gala = await givenChanging();
  expect((await gala.register("ada", { byAdmin: true })).registration.status).toBe("registered");
  expect((await gala.become("ada", "cancelled")).registration.status).toBe("cancelled");
  expect((await gala.become("ada", "registered", "admin")).registration.status).toBe("registered");
  await gala.become("ada", "cancelled");
  await expect(gala.register("ada")).rejects.toMatchObject({ code: "TOO_OFTEN" });
});

test("each hour begins a new count", () => {
  expect(onceMore("registerAgain", undefined, 5)).toEqual({ since: 5, count: 1 });
  expect(onceMore("registerAgain", { since: 5, count: 1 }, 6)).toEqual({ since: 5, count: 2 });
  expect(onceMore("registerAgain", { since: 5, count: maxPerHour }, 5 + hour)).toEqual({ since: 5 + hour, count: 1 });
});

test("a clock that was set back neither ends the count nor makes anybody wait longer than the period", () => {
  const full = { since: 9 * hour, count: maxPerHour };
  expect(onceMore("registerAgain", { since: 9 * hour, count: 1 }, 5)).toEqual({ since: 5, count: 2 });
  expect(() => onceMore("registerAgain", full, 5)).toThrow(expect.objectContaining(tooOften(3_600)));
  expect(onceMore("registerAgain", full, 10 * hour)).toEqual({ since: 10 * hour, count: 1 });
});
