/** What a campaign's template shows of an event (`docs/contract.md`, "Emails"). */
import "./environment.ts";
import { expect, test } from "@jest/globals";
import { eventRecord } from "./given.ts";

const { eventValues } = await import("#domain/mail/campaigns/event-values.ts");
const club = { timeZone: "America/Vancouver", webAppUrl: "https://club.example", eventPage: "/event/{id}" };

test("dates are written with the zone, and a date alone as a day", () => {
  const timed = eventRecord({ startDate: "2026-01-16T02:00:00.000Z" });
  expect(eventValues(timed, club).startDate).toBe("Thursday, January 15, 2026 at 6:00 PM PST");
  const days = eventRecord({
    ...{ startDate: "2026-01-15T08:00:00.000Z", endDate: "2026-01-17T07:59:59.999Z" },
    wholeDays: { startDate: "2026-01-15", endDate: "2026-01-16" },
  });
  expect(eventValues(days, club)).toMatchObject({
    startDate: "Thursday, January 15, 2026",
    endDate: "Friday, January 16, 2026",
  });
});
