/** The rules of campaigns: their audience, their batches, their progress. */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { AskedAudience } from "#api/emails/audience.ts";
import { pacer } from "#consumers/pace.ts";
import {
  batchesOf,
  type CampaignRecord,
  type Delivery,
  type DeliveryState,
  distinct,
  progressOf,
} from "#domain/mail/campaigns/campaign.ts";
import { registrationStatuses } from "#domain/registrations/record/statuses.ts";
import { registrationOf } from "./notification-world.ts";

const { audienceFrom, isMeant } = await import("#api/emails/audience.ts");

const email = fc.constantFrom(..."abcdefgh").map((name) => ({ email: `${name}@x.example` }));

test("batches hold each recipient once, in order, and none has more than 25", () => {
  fc.assert(
    fc.property(fc.array(email, { maxLength: 200 }), (all) => {
      const batches = batchesOf(all);
      expect(batches.flat()).toEqual(all);
      for (const batch of batches) expect(batch.length >= 1 && batch.length <= 25).toBe(true);
    }),
  );
});

test("a person who is named several times is one recipient, with the first name given", () => {
  fc.assert(
    fc.property(fc.array(email, { maxLength: 30 }), (people) => {
      const once = distinct(people.map((person, index) => ({ ...person, fname: `${index}` })));
      expect(once.map((one) => one.email)).toEqual([...new Set(people.map((one) => one.email))]);
      for (const one of once) expect(Number(one.fname)).toBe(people.findIndex((person) => person.email === one.email));
    }),
  );
});

describe("an audience", () => {
  test.each<[AskedAudience, object]>([
    [
      { eventID: "e", year: 2030 },
      { kind: "event", event: { id: "e", year: 2030 } },
    ],
    [
      { eventID: "e", year: 2030, status: ["waitlist"] },
      { kind: "event", event: { id: "e", year: 2030 }, status: ["waitlist"] },
    ],
    [{ members: true }, { kind: "members" }],
    [{ emails: ["a@x.example"] }, { kind: "emails", emails: ["a@x.example"] }],
  ])("%j is understood", (asked, audience) => expect(audienceFrom(asked)).toEqual(audience));

  test.each<[AskedAudience, string]>([
    [{}, "/audience"],
    [{ members: true, emails: ["a@x.example"] }, "/audience"],
    [{ eventID: "e" }, "/audience/year"],
    [{ status: ["registered"] }, "/audience/eventID"],
    [{ members: false }, "/audience/members"],
    [{ emails: [] }, "/audience/emails"],
    [{ eventID: "e", year: 2030, status: [] }, "/audience/status"],
  ])("%j is refused", (asked, path) => {
    expect(() => audienceFrom(asked)).toThrow(
      expect.objectContaining({ code: "VALIDATION", details: { issues: [{ path, message: expect.any(String) }] } }),
    );
  });

  test("of an event without status has the people with a confirmed seat", () => {
    const meant = registrationStatuses.filter((status) => isMeant(registrationOf({ status })));
    expect(meant).toEqual(["registered", "checkedIn", "accepted", "acceptedComplete"]);
    expect(isMeant(registrationOf({ applicant: true }))).toBe(false);
    expect(isMeant(registrationOf({ applicant: true }), ["registered"])).toBe(true);
    expect(isMeant(registrationOf({ status: "waitlist" }), ["waitlist"])).toBe(true);
    expect(isMeant(registrationOf({ status: "deleted" }))).toBe(false);
  });
});

const campaign = (recipients: number, changes: Partial<CampaignRecord> = {}): CampaignRecord => ({
  campaignId: "c",
  templateName: "t",
  recipients,
  batches: 1,
  audience: "emails",
  createdBy: "exec@club.example",
  createdAt: 0,
  ...changes,
});
const now = 1_000;
const delivery = (state: DeliveryState, leaseUntil = now): Delivery => ({
  email: `${state}@x.example`,
  state,
  leaseUntil,
});

describe("progress", () => {
  test("names the recipients whose mail failed or is in doubt", () => {
    const rows = [
      delivery("sent"),
      { ...delivery("failed"), message: "refused" },
      delivery("suppressed"),
      delivery("unconfirmed", now + 1),
      delivery("claimed", now),
      { ...delivery("claimed", now + 1), email: "live@x.example" },
      delivery("released"),
    ];
    expect(progressOf(campaign(9), rows, now)).toEqual({
      state: "sending",
      sent: 1,
      failed: 1,
      suppressed: 1,
      unconfirmed: 2,
      pending: 4,
      failures: [{ email: "failed@x.example", message: "refused" }],
      unconfirmedRecipients: ["unconfirmed@x.example", "claimed@x.example"],
    });
  });

  test.each<[string, CampaignRecord, Delivery[]]>([
    ["queued", campaign(1), []],
    ["done", campaign(1), [delivery("sent")]],
    ["stopped", campaign(2, { stoppedAt: 1 }), [delivery("sent")]],
    ["stopped", campaign(1, { stoppedAt: 1 }), [delivery("released")]],
    // The campaign was stopped too late.
    ["done", campaign(1, { stoppedAt: 1 }), [delivery("sent")]],
  ])("a campaign is %s", (state, record, rows) => expect(progressOf(record, rows, now).state).toBe(state));
});

test("sends are an interval apart, however many callers ask at once", async () => {
  const waits: number[] = [];
  const turn = pacer(1_000, async (milliseconds) => waits.push(milliseconds));
  await Promise.all([turn(), turn(), turn()]);
  expect(waits).toHaveLength(2);
  expect(waits[0]).toBeGreaterThan(900);
  expect((waits[1] ?? 0) - (waits[0] ?? 0)).toBeGreaterThan(900);
});
