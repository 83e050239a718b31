/** The rules of campaigns: their audience, their batches, their progress. */
import { describe, expect, test } from "@jest/globals";
import { pacer } from "#consumers/pace.ts";
import type { AskedAudience } from "#domain/mail/campaigns/audience.ts";
import {
  batchesOf,
  type CampaignRecord,
  type Delivery,
  type DeliveryState,
  distinct,
  progressOf,
  type Recipient,
} from "#domain/mail/campaigns/campaign.ts";
import { registrationStatuses } from "#domain/registrations/record/statuses.ts";
import { registrationOf } from "./notification-world.ts";

const { audienceFrom, isMeant } = await import("#domain/mail/campaigns/audience.ts");

test("batches hold each recipient once, in order, and none has more than 25", () => {
  const all = Array.from({ length: 60 }, (_, n) => ({ email: `${n}@x.example` }));
  expect(batchesOf(all)).toEqual([all.slice(0, 25), all.slice(25, 50), all.slice(50)]);
});

test("a person who is named several times is one recipient, with the first name given", () => {
  const [ada, bob, again] = ["Ada", "Bob", "Augusta"].map((fname) => ({ email: `${fname[0]}@x.example`, fname }));
  expect(distinct([ada, bob, again] as Recipient[])).toEqual([ada, bob]);
});

describe("an audience", () => {
  test.each<[AskedAudience, string]>([
    [{}, "/audience"],
    [{ members: true, emails: ["a@x.example"] }, "/audience"],
    [{ eventID: "e" }, "/audience/year"],
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
  ...{
    campaignId: "c",
    templateName: "t",
    batches: 1,
    audience: "emails",
    createdBy: "exec@club.example",
    createdAt: 0,
  },
  recipients,
  ...changes,
});
const now = 1_000;
const delivery = (state: DeliveryState, leaseUntil = now) => ({ email: `${state}@x.example`, state, leaseUntil });

describe("progress", () => {
  test("names the recipients whose mail failed or is in doubt", () => {
    const rows = [
      ...[delivery("sent"), { ...delivery("failed"), message: "refused" }, delivery("suppressed")],
      ...[delivery("unconfirmed", now + 1), delivery("claimed", now), delivery("released")],
      { ...delivery("claimed", now + 1), email: "live@x.example" },
    ];
    expect(progressOf(campaign(9), rows, now)).toEqual({
      ...{ state: "sending", sent: 1, failed: 1, suppressed: 1, unconfirmed: 2, pending: 4 },
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
