/** What becomes of the addresses of mails that bounced or were complained of. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { batchOf, failuresOf, givenWorld, world } from "./notification-world.ts";

const { suppressionsAfter } = await import("#domain/mail/suppress-after.ts");
const { handler } = await import("#consumers/suppress-address.ts");
const { liftSuppression, putSuppression, suppressionByEvent, suppressionKey } = await import(
  "#domain/mail/suppressions.ts"
);
const { mailEvent, UnknownMessage } = await import("#outbox/messages.ts");
const { systemContext } = await import("#kit/request/context.ts");
const { writeOnce } = await import("#kit/table/execute.ts");
const { getItem } = await import("#kit/table/table.ts");

beforeEach(givenWorld);

const ada = "ada@student.example";
const moment = "2026-01-09T11:00:00.000Z";
const at = Date.parse(moment);

interface Shape {
  readonly destination?: readonly unknown[];
  readonly recipients?: readonly unknown[];
}

/** An event as SES publishes it. */
const eventOf = (type: string, part: object, { destination = [ada] }: Shape = {}) => ({
  version: "0",
  id: "e1",
  "detail-type": type,
  source: "aws.ses",
  time: "2026-01-09T11:00:01Z",
  detail: { eventType: "Bounce", mail: { timestamp: moment, messageId: "m1", destination, tags: {} }, ...part },
});

const bounced = (fields: object = {}, { recipients = [ada], ...shape }: Shape = {}) => {
  const bouncedRecipients = recipients.map((emailAddress) => ({ emailAddress, action: "failed" }));
  const bounce = { timestamp: moment, bounceType: "Permanent", bounceSubType: "NoEmail", bouncedRecipients, ...fields };
  return eventOf("Email Bounced", { bounce }, shape);
};

const complained = (fields: object = {}, { recipients = [ada], ...shape }: Shape = {}) => {
  const complainedRecipients = recipients.map((emailAddress) => ({ emailAddress }));
  const complaint = { timestamp: moment, complainedRecipients, complaintFeedbackType: "abuse", ...fields };
  return eventOf("Email Complaint Received", { complaint }, shape);
};

const after = (event: object) => suppressionsAfter(mailEvent(JSON.stringify(event)));
const stored = (email = ada) => getItem<{ reason?: string; createdAt: number }>(suppressionKey(email), "strong");
const context = () => systemContext("r", world.now);

describe("suppresses its recipient:", () => {
  test.each([
    ["a permanent bounce", bounced(), "bounce: NoEmail"],
    ["a complaint", complained(), "complaint: abuse"],
  ])("%s", (_, event, reason) => {
    expect(after(event)).toEqual([{ email: ada, reason, createdAt: at }]);
  });
});

describe("suppresses no address:", () => {
  test.each([
    ["a transient bounce", bounced({ bounceType: "Transient", bounceSubType: "MailboxFull" })],
    ["a bounce of a type that is not known yet", bounced({ bounceType: "permanent" })],
    ["a report that the mail is no spam", complained({ complaintFeedbackType: "not-spam" })],
  ])("%s", (_, event) => {
    expect(after(event)).toEqual([]);
  });
});

test("behind a forwarding mailbox the address that was mailed is suppressed, in its canonical form", () => {
  const forwarded = bounced({}, { destination: ["Ada@Student.Example"], recipients: ["ada@elsewhere.example"] });
  expect(after(forwarded).map(({ email }) => email)).toEqual([ada]);
});

test("a message that is not understood says where, quotes nothing, and is no suppression", () => {
  const wrong: readonly (readonly [unknown, string])[] = [
    ["", "not JSON"],
    [{ ...bounced(), detail: {} }, "/detail/mail: required"],
    [eventOf("Email Bounced", {}), "/bounce: required"],
    [eventOf("Email Delivered", {}), "not for this consumer"],
    [bounced({ timestamp: "yesterday" }), "/detail/bounce/timestamp must be a date"],
    [bounced({}, { destination: ["not an address"] }), "a recipient is no address"],
    [bounced({}, { destination: [], recipients: [] }), "no recipient"],
  ];
  for (const [message, sentence] of wrong) {
    const body = typeof message === "string" ? message : JSON.stringify(message);
    const attempt = () => suppressionsAfter(mailEvent(body));
    expect(attempt).toThrow(UnknownMessage);
    expect(attempt).toThrow(sentence);
  }
});

test("whatever comes, the reader answers suppressions of canonical addresses or refuses it as unknown", () => {
  const hostile = fc.oneof(fc.string(), fc.jsonValue(), fc.constantFrom("Permanent", ada, "", null));
  const timestamp = fc.oneof(fc.constant(moment), hostile);
  const part = fc.record({ timestamp, bounceType: hostile, bounceSubType: hostile });
  fc.assert(
    fc.property(part, fc.array(hostile, { maxLength: 3 }), (fields, recipients) => {
      for (const event of [bounced(fields, { recipients }), complained(fields, { destination: recipients })]) {
        try {
          for (const { email, reason } of after(event)) {
            expect(email).toMatch(/^[ -~]+@[a-z0-9.-]+$/);
            expect(reason?.length).toBeLessThanOrEqual(120);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(UnknownMessage);
        }
      }
    }),
    { numRuns: 200 },
  );
});

describe("the consumer", () => {
  test("writes reason and time; a message that it does not understand comes again, the others count", async () => {
    const answer = await handler(batchOf("no JSON", bounced(), bounced({ bounceType: "Transient" })) as never);
    expect(failuresOf(answer)).toEqual(["m0"]);
    expect(await stored()).toMatchObject({ email: ada, reason: "bounce: NoEmail", createdAt: at });
  });

  test("keeps the first suppression, also that of an admin, and one event twice changes nothing", async () => {
    await writeOnce({ one: putSuppression({ email: ada, reason: "asked", createdAt: 1 }) }, context());
    expect(failuresOf(await handler(batchOf(bounced(), bounced(), complained()) as never))).toEqual([]);
    expect(await stored()).toMatchObject({ reason: "asked", createdAt: 1 });
  });

  test("an event from before an admin lifted the suppression has no effect; a later one has", async () => {
    await writeOnce(liftSuppression(ada, at + 1), context());
    expect(failuresOf(await handler(batchOf(bounced(), complained()) as never))).toEqual([]);
    expect(await stored()).toBeUndefined();
    const later = new Date(at + 2).toISOString();
    await handler(batchOf(complained({ timestamp: later })) as never);
    expect(await stored()).toMatchObject({ reason: "complaint: abuse", createdAt: at + 2 });
  });

  test("control: without the check, the event from before would suppress the address again", async () => {
    await writeOnce(liftSuppression(ada, at + 1), context());
    const { suppression } = suppressionByEvent({ email: ada, createdAt: at });
    await writeOnce({ suppression }, context());
    expect(await stored()).toMatchObject({ createdAt: at });
  });
});
