/**
 * Calendars to subscribe to (`docs/contract.md`, "Calendar"). The function runs in this process, with a clock that the test
 * moves, because it keeps events for a minute; all other requests go to a stage.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import ICAL from "ical.js";
import pMap from "p-map";
import { keyOf } from "#outbox/stored-kinds.ts";
import { gatewayEvent } from "../gateway-event.ts";
import { patience } from "../patience.ts";
import { givenSettings } from "../settings.ts";
import { exec, newEmail, times, year } from "./given.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

const accessKeyId = "LOCALCalendar";
let stage: ServiceStage;
let handler: (event: unknown) => Promise<APIGatewayProxyStructuredResultV2>;
let readUnits = 0;
beforeAll(async () => {
  stage = await givenStage({
    conflicts: false,
    onTableCall: (call) => {
      if (call.accessKeyId === accessKeyId) readUnits += call.readUnits;
    },
  });
  givenSettings({
    ...(stage.environmentOf("Calendar") as object),
    TABLE_NAME: stage.outputs.tableName,
    AWS_REGION: stage.outputs.region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_ENDPOINT_URL_DYNAMODB: stage.outputs.dynamodbUrl,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: stage.endpoint("SECRETS_MANAGER"),
    POWERTOOLS_LOG_LEVEL: "WARN",
  });
  ({ handler } = (await import("#api/calendar/index.ts")) as never);
});
afterAll(() => stage.close());

/** When the gateway gets the next request, epoch milliseconds: a minute after the test before. */
let now = Date.now();
const later = (): void => {
  now += 60_000;
};
beforeEach(later);

interface Entry {
  readonly uid: string;
  readonly summary: string;
  readonly status: string;
  readonly sequence: number;
  readonly start: string;
}

async function ask(routeKey: string, feed?: string, headers: Record<string, string> = {}) {
  await stage.indexed();
  const asked = { headers, at: now, ...(feed ? { params: { feed } } : { as: exec }) };
  const answer = await handler(gatewayEvent(routeKey, asked));
  return { status: answer.statusCode, body: answer.body ?? "", etag: String(answer.headers?.etag) };
}

function entriesIn(body: string): Entry[] {
  return new ICAL.Component(ICAL.parse(body)).getAllSubcomponents("vevent").map((entry) => {
    const text = (name: string) => String(entry.getFirstPropertyValue(name));
    const [uid, summary, status] = [text("uid"), text("summary"), text("status")];
    return { uid, summary, status, sequence: Number(text("sequence")), start: text("dtstart") };
  });
}

const publicFeed = (headers?: Record<string, string>) => ask("GET /calendar.ics", undefined, headers);
const ownFeed = (feed: string, headers?: Record<string, string>) => ask("GET /calendar/{feed}", feed, headers);
const entryOf = async (ename: string, feed?: string) =>
  entriesIn((await (feed ? ownFeed(feed) : publicFeed())).body).find(({ summary }) => summary === ename);

/** @returns the end of the address of a new feed: of this person, or the club's */
async function renewed(email?: string, as = email): Promise<string> {
  const path = email === undefined ? "/calendar" : `/users/calendar/${email}`;
  const { status, body } = await stage.api("POST", path, as === undefined ? {} : { as });
  expect(status).toBe(201);
  return String(body.address).replace(`${stage.outputs.apiUrl}/calendar/`, "");
}

describe("the calendar of events", () => {
  test("has published events, and no drafts, for admins either; a scheduled one from its time on", async () => {
    const publishAt = new Date(now + 90_000).toISOString();
    await stage.givenEvent({ ename: "Shown" });
    await stage.givenEvent({ ename: "Draft", isPublished: false });
    await stage.givenEvent({ ename: "Scheduled", isPublished: false, publishAt });
    await stage.givenEvent({ ename: "Undated", startDate: null });
    const names = async () => entriesIn((await publicFeed()).body).map(({ summary }) => summary);
    expect(await names()).toEqual(["Shown"]);
    later();
    expect(await names()).toEqual(["Shown"]);
    later();
    expect((await names()).sort()).toEqual(["Scheduled", "Shown"]);
  });

  test("has events of 90 days back", async () => {
    const ago = (days: number) => new Date(now - days * 86_400_000).toISOString();
    await stage.givenEvent({ ename: "Old", startDate: ago(89) });
    await stage.givenEvent({ ename: "Older", startDate: ago(91) });
    expect(await entryOf("Old")).toBeDefined();
    expect(await entryOf("Older")).toBeUndefined();
  });

  test("moves an event under its UID with a higher SEQUENCE, and drops a hidden or deleted one", async () => {
    const id = await stage.givenEvent({ ename: "Moving" });
    const before = await entryOf("Moving");
    await stage.changeEvent(id, { startDate: `${year}-06-01T18:00:00Z` });
    later();
    const moved = await entryOf("Moving");
    expect(moved).toMatchObject({ uid: before?.uid, start: `${year}-06-01T18:00:00Z`, status: "CONFIRMED" });
    expect(moved?.sequence).toBeGreaterThan(before?.sequence ?? 0);
    await stage.changeEvent(id, { isPublished: false });
    later();
    expect(await entryOf("Moving")).toBeUndefined();
    await stage.changeEvent(id, { isPublished: true });
    await stage.deleteEvent(id);
    later();
    expect(await entryOf("Moving")).toBeUndefined();
  });

  test("answers 304 to its ETag until an event changes", async () => {
    const id = await stage.givenEvent({ ename: "Tagged" });
    const { etag } = await publicFeed();
    later();
    expect(await publicFeed({ "if-none-match": etag })).toEqual({ status: 304, body: "", etag });
    await stage.changeEvent(id, { elocation: "Elsewhere" });
    later();
    const changed = await publicFeed({ "if-none-match": etag });
    expect([changed.status, changed.etag === etag]).toEqual([200, false]);
  });
});

describe("the club's address of it", () => {
  test("shows it to programs without a token, until an admin makes another one", async () => {
    await stage.givenEvent({ ename: "Of all" });
    await stage.givenEvent({ ename: "Of nobody yet", isPublished: false });
    expect((await stage.api("POST", "/calendar", { as: newEmail() })).status).toBe(403);
    const feed = await renewed(undefined, exec);
    expect((await ownFeed(feed)).body).toBe((await publicFeed()).body);
    expect(await entryOf("Of nobody yet", feed)).toBeUndefined();
    const next = await renewed(undefined, exec);
    expect([(await ownFeed(feed)).status, (await ownFeed(next)).status]).toEqual([404, 200]);
  });

  test("is absolute: a program gets the calendar there, and to HEAD its headers", async () => {
    const { body } = await stage.api("POST", "/calendar", { as: exec });
    const got = await fetch(body.address);
    const head = await fetch(body.address, { method: "HEAD" });
    expect([got.status, head.status, await head.text()]).toEqual([200, 200, ""]);
    for (const name of ["content-type", "etag"]) expect(head.headers.get(name)).toBe(got.headers.get(name));
    expect(await got.text()).toMatch(/^BEGIN:VCALENDAR\r\n/);
    expect((await fetch(`${stage.outputs.apiUrl}/calendar/x.ics`, { method: "HEAD" })).status).toBe(404);
    expect((await fetch(`${stage.outputs.apiUrl}/calendar.ics`, { method: "HEAD" })).status).toBe(401);
  });
});

describe("a person's own calendar", () => {
  test("follows the registration with the UID of the invitations, and never a lower SEQUENCE", async () => {
    const [email, first] = [await stage.givenUser(), newEmail()];
    const id = await stage.givenEventWith([first, email], { ename: "Own", capac: 1 });
    await stage.givenEvent({ ename: "Of others" });
    const feed = await renewed(email);
    const waiting = await entryOf("Own", feed);
    expect(waiting).toMatchObject({ status: "TENTATIVE" });
    // Otherwise the next mail may supersede this one.
    await stage.settled();
    await stage.leave(id, first);
    await stage.settled();
    const seated = await entryOf("Own", feed);
    expect(seated).toMatchObject({ status: "CONFIRMED", uid: waiting?.uid });
    const invitations = stage.mailsTo(email).map(({ attachments }) => {
      const file = attachments.find(({ contentType }) => contentType.startsWith("text/calendar"));
      return entriesIn(Buffer.from(file?.content ?? "", "base64").toString("utf8"))[0];
    });
    expect(invitations.map((entry) => [entry?.uid, entry?.status])).toEqual([
      [seated?.uid, "TENTATIVE"],
      [seated?.uid, "CONFIRMED"],
    ]);
    expect(seated?.sequence).toBe(invitations.at(-1)?.sequence);
    expect(entriesIn((await ownFeed(feed)).body)).toHaveLength(1);
    await stage.moveTo(id, email, "checkedIn");
    expect(await entryOf("Own", feed)).toMatchObject({ status: "CONFIRMED", uid: seated?.uid });
    await stage.moveTo(id, email, "registered");
    await stage.changeEvent(id, { isPublished: false });
    later();
    expect(await entryOf("Own", feed)).toBeUndefined();
    await stage.changeEvent(id, { isPublished: true });
    await stage.leave(id, email);
    later();
    expect(await entryOf("Own", feed)).toBeUndefined();
  });

  test("is at its last address only, and wrong ones are one and the same 404, without a read", async () => {
    const [email, other] = [await stage.givenUser(), await stage.givenUser()];
    const [former, of] = [await renewed(email), await renewed(other)];
    expect((await ownFeed(former)).status).toBe(200);
    const feed = await renewed(email);
    expect((await ownFeed(feed)).status).toBe(200);
    const flipped = `${feed.slice(0, 9)}${feed[9] === "A" ? "B" : "A"}${feed.slice(10)}`;
    const wrong = [
      flipped,
      feed.slice(0, 40),
      "x",
      ".ics",
      email,
      "A".repeat(400),
      `${of.slice(0, 60)}${feed.slice(60)}`,
    ];
    readUnits = 0;
    const answers = await Promise.all(wrong.map((one) => ownFeed(one)));
    expect(readUnits).toBe(0);
    answers.push(await ownFeed(former));
    await stage.api("DELETE", `/users/${other}`, { as: other });
    await stage.api("POST", "/users", { as: other, body: {} });
    answers.push(await ownFeed(of));
    for (const { status, body } of answers) {
      const { message, code } = JSON.parse(body);
      expect({ status, message, code }).toEqual({ status: 404, message: "Calendar not found.", code: "NOT_FOUND" });
    }
  });

  test("needs a registration or an account, is asked for by the person or an admin, and its id is in no answer", async () => {
    const [email, other] = [newEmail(), await stage.givenUser()];
    const ask = (as: string) => stage.api("POST", `/users/calendar/${email}`, { as });
    expect([(await ask(other)).status, (await ask(email)).status]).toEqual([403, 404]);
    const id = await stage.givenEventWith([email], { ename: "Without an account" });
    const feed = await renewed(email, exec);
    expect(await entryOf("Without an account", feed)).toMatchObject({ status: "CONFIRMED" });
    const stored = await stage.stored(`USER#${email}`);
    const { calendarId } = stored.find(({ SK }) => SK === "CALENDAR") as unknown as { calendarId: string };
    expect([calendarId.length, feed.includes(calendarId)]).toEqual([22, false]);
    expect(JSON.stringify((await stage.api("GET", `/users/${email}/export`, { as: email })).body)).not.toContain(
      calendarId,
    );
    // A deletion ends it, also that of a person without an account.
    expect((await stage.api("DELETE", `/users/${email}`, { as: email })).status).toBe(200);
    expect((await ownFeed(feed)).status).toBe(404);
    await stage.settled();
    expect([(await ask(email)).status, await stage.statusOf(id, email)]).toEqual([404, "cancelled"]);
  });

  test("whose id an account has stays at its address, until there is another one", async () => {
    const email = await stage.givenUser();
    const former = await renewed(email);
    const { writeOnce } = await import("#kit/table/execute.ts");
    const { drop, updateIf } = await import("#kit/table/table.ts");
    const [item] = (await stage.stored(`USER#${email}`)).filter(({ SK }) => SK === "CALENDAR");
    const user = updateIf(keyOf("account", { email }), {
      UpdateExpression: "SET calendarId = :id",
      ExpressionAttributeValues: { ":id": item?.calendarId },
    });
    const deadline = { now: Date.now(), deadline: Date.now() + patience };
    await writeOnce(
      { user, item: drop(keyOf("address of a calendar", { email }), "beside a condition") },
      deadline as never,
    );
    expect((await ownFeed(former)).status).toBe(200);
    const next = await renewed(email);
    expect([(await ownFeed(former)).status, (await ownFeed(next)).status]).toEqual([404, 200]);
  });
});

test("a cold feed of 40 listed events and 25 registrations costs at most 15 read units", async () => {
  const email = await stage.givenUser();
  const feed = await renewed(email);
  const description = "An evening with good people. ".repeat(20);
  const made = (n: number) => stage.givenEvent({ ename: `Costly ${n}`, description });
  const events = await pMap(times(40, Number), made, { concurrency: 4 });
  for (const id of events.slice(0, 25)) await stage.registerByAdmin(id, email);
  later();
  readUnits = 0;
  const { body } = await ownFeed(feed);
  const cold = readUnits;
  expect(entriesIn(body)).toHaveLength(25);
  expect(cold).toBeGreaterThan(3);
  expect(cold).toBeLessThanOrEqual(15);
  later();
  readUnits = 0;
  expect(entriesIn((await publicFeed()).body).length).toBeGreaterThanOrEqual(40);
  expect(readUnits).toBeLessThanOrEqual(15);
  readUnits = 0;
  await publicFeed();
  expect(readUnits).toBe(0);
});
