/** How often people came before, and who got a seat after waiting (`docs/contract.md`, "Registrations", "Report"). */
import { expect, test } from "@jest/globals";
import { attendanceOf } from "#domain/registrations/store/attendance.ts";
import { givenGala } from "./gala.ts";

const day = 86_400_000;
const now = 100 * day;

/** A registration for an event that begins so many days before now. */
const registration = (daysAgo: number, status: string, more: object = {}) => ({
  ...{ eventID: `event-${daysAgo}`, year: 2030, generation: "g1", status },
  ...more,
});
const attendance = (rows: readonly object[]) =>
  attendanceOf(
    rows as never,
    ({ eventID }) => ({ generation: "g1", startsAt: now - Number(eventID.slice("event-".length)) * day }),
    now,
  );

test("counts the last ten events that have begun and had a seat for the person", () => {
  const old = Array.from({ length: 9 }, (_, at) => registration(20 + at, "checkedIn"));
  const recent = [registration(1, "registered"), registration(2, "acceptedComplete"), registration(3, "checkedIn")];
  const others = ["cancelled", "waitlist", "rejected", "deleted"].map((status, at) => registration(4 + at, status));
  const application = registration(9, "registered", { applicant: true });
  expect(attendance([...old, ...recent, ...others, application])).toEqual({ events: 10, came: 8 });
  expect(attendance(recent)).toEqual({ events: 3, came: 1 });
  expect(attendance([])).toEqual({ events: 0, came: 0 });
});

test("an event that begins now counts, a later one and one of an earlier generation do not", () => {
  const rows = [registration(0, "checkedIn"), registration(-1, "registered")];
  expect(attendance([...rows, registration(1, "checkedIn", { generation: "g0" })])).toEqual({ events: 1, came: 1 });
});

test.each([
  [59_999, undefined],
  [60_000, 1],
])(
  "a seat after %i milliseconds in line: %p promoted, by the leaver's request and by itself",
  async (wait, promoted) => {
    const gala = givenGala({ capac: 1 });
    for (const name of "abc") await gala.register(name);
    gala.later(wait);
    await gala.become("a", "cancelled");
    expect(gala.registrationOf("b").status).toBe("registered");
    expect(gala.seats().promoted).toBe(promoted);
    gala.change({ capac: 2 });
    await gala.promote();
    expect(gala.registrationOf("c").status).toBe("registered");
    expect(gala.seats().promoted).toBe(promoted && 2);
  },
);
