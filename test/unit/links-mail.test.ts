/** People who have lost their mails get their links (`docs/contract.md`, "Links"). */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { openedExportLink } from "#domain/registrations/links/export-link.ts";
import { openedLink } from "#domain/registrations/links/link.ts";
import { ticketHashOf } from "#domain/registrations/links/ticket-code.ts";
import type { Message } from "#outbox/messages.ts";
import {
  batchOf,
  failuresOf,
  givenEvent,
  givenRegistration,
  givenWorld,
  markerOf,
  onTheBus,
  received,
  registrationOf,
  world,
} from "./notification-world.ts";

const { handler } = await import("#consumers/send-mail.ts");

beforeEach(givenWorld);

const key = "http://127.0.0.1:1/hook";
const email = "ada@student.example";
const asked: Message<"links.requested"> = {
  type: "links.requested",
  id: "01links",
  occurredAt: Date.parse("2026-01-09T12:00:00Z"),
  actor: "anonymous",
  requestId: "r1",
  data: { email },
};
const deliver = async () => failuresOf(await handler(batchOf(onTheBus(asked)) as never));
/** The mail, and the secrets of its links in their order. */
async function mailOf() {
  expect(await deliver()).toEqual([]);
  const [mail] = await received();
  const secrets = [...(mail?.text.matchAll(/#([EL]1\.[A-Z2-7]+)/g) ?? [])].map(([, secret = ""]) => secret);
  return { mail, secrets, data: openedExportLink(secrets.at(-1) ?? "", key) };
}
const ofTheData = { email, until: asked.occurredAt + 72 * 3_600_000 };

test("the mail has a link to each registration, the next one first, and one to the data, and no name", async () => {
  for (const [id, startDate] of [
    ["later", "2026-03-01T18:00:00Z"],
    ["sooner", "2026-02-01T18:00:00Z"],
  ] as const) {
    givenEvent({ id, ename: `The <b>${id}</b> one`, startDate });
    givenRegistration({ eventID: id, ticketId: id, fname: "Augusta" });
  }
  const { mail, secrets, data } = await mailOf();
  expect(mail).toMatchObject({ subject: "Your links at Club Events", method: undefined });
  expect(mail?.text).toMatch(/^Hi,\n\nHERE ARE YOUR LINKS\n/);
  expect(secrets.slice(0, -1).map((secret) => openedLink(secret, key))).toMatchObject(
    ["sooner", "later"].map((id) => ({ purpose: "registration", email, eventID: id, ticketHash: ticketHashOf(id) })),
  );
  expect(data).toEqual(ofTheData);
  expect(mail?.html).toContain("The &lt;b&gt;later&lt;/b&gt; one");
  expect(mail?.html).not.toContain("<b>later</b>");
  expect(`${mail?.text}${mail?.html}`).not.toContain("Augusta");
});

test("a cancelled registration has its link, because its person may come back", async () => {
  givenEvent();
  givenRegistration({ status: "cancelled" });
  const { secrets } = await mailOf();
  expect(openedLink(secrets[0] ?? "", key)).toMatchObject({ ticketHash: ticketHashOf(registrationOf().ticketId) });
});

describe("only the link to the data", () => {
  test.each<[string, () => unknown]>([
    [
      "of a past event's participant",
      () => {
        givenEvent({ startDate: "2026-01-01T18:00:00Z" });
        givenRegistration({ status: "checkedIn" });
      },
    ],
    ["of a participant of an event that was deleted", () => givenRegistration()],
    [
      "of a participant of an earlier event with that id",
      () => {
        givenEvent({ generation: "i2" });
        givenRegistration();
      },
    ],
    ["of an account", () => world.put({ PK: `USER#${email}`, SK: "USER", email, fname: "Augusta" })],
    ["of a membership", () => world.put({ PK: `USER#${email}`, SK: "MEMBER", email, firstName: "Augusta" })],
  ])("is mailed %s", async (_, given) => {
    given();
    const { mail, secrets, data } = await mailOf();
    expect([secrets.length, data]).toEqual([1, ofTheData]);
    expect(mail?.text).toContain("You have no registration for an event to come.");
  });
});

describe("no mail", () => {
  test.each<[string, () => unknown]>([
    ["to an address that is not known", () => undefined],
    ["after a deleted registration", () => givenRegistration({ status: "deleted" })],
    ["after the person's deletion", () => givenRegistration({ status: "cancelled", ofDeletedAccount: true })],
  ])("%s", async (_, given) => {
    givenEvent();
    given();
    expect(await deliver()).toEqual([]);
    expect([await received(), (await markerOf({ outboxId: "01links", channel: "mail" }))?.state]).toEqual([
      [],
      "superseded",
    ]);
  });
});
