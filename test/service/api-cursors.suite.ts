/** Cursors: a list accepts only cursors that it could have given out (`docs/contract.md`, "Lists and pages"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { routes } from "#api/routes.ts";
import { exec, user } from "./given.ts";
import { type ServiceStage, sharedStage, withoutRelay } from "./stage.ts";

const year = 2031;
const questions = { attendeeFeedbackEnabled: true, startDate: new Date(Date.now() - 3_600_000).toISOString() };
const people = ["a@cursor.example", "b+tag@cursor.example", "o'neil&1={x}@cursor.example"];
/** What lists may have at the ends of their sort keys: the edges of the dates, no date, and the oddest ids. */
const oddEvents = [
  { id: "first", year: 1900, startDate: "1900-01-01T00:00:00Z" },
  { id: "last", year: 2200, startDate: "2200-12-31T23:59:59.999Z" },
  { id: "9_-", year },
  { id: "Z".repeat(64), year, startDate: "2031-05-01" },
];

let stage: ServiceStage;
const post = async (path: string, body: object, as = exec) => {
  const { status } = await stage.api("POST", path, { as, body });
  expect({ path, status }).toEqual({ path, status: expect.any(Number) });
  expect(status).toBeLessThan(300);
};
beforeAll(async () => {
  stage = await sharedStage(withoutRelay);
  for (const id of ["one", "two", "three"])
    await post("/events", { id, year, ename: id, isPublished: true, ...questions });
  for (const event of oddEvents) {
    await post("/events", { ename: "Odd", isPublished: true, ...event });
    await post("/registrations", { eventID: event.id, year: event.year, email: "a@cursor.example" });
  }
  for (const email of people) {
    await post("/registrations", { eventID: "one", year, email });
    await post("/registrations", { eventID: "two", year, email });
    await post("/users", { email, fname: "Una" });
    await post("/members", { email, firstName: "Some" });
    await post("/emails/suppressions", { email });
    await post(`/events/one/${year}/feedback/attendee`, { responses: { "overall-rating": 7 } }, email);
  }
  for (const id of ["one", "two"]) {
    await post("/registrations", { eventID: id, year, email: user });
    await post("/prizes", { id, name: id, price: 1 });
    await post("/emails/templates", { templateName: id, subject: id, html: "<p>Hi</p>" });
    await post("/emails/send", { templateName: id, audience: { emails: people } });
  }
  for (const email of stage.isShared ? [] : ["c@cursor.example", "d@cursor.example"]) {
    stage.payments.pay((await stage.checkout(email, { paymentType: "Member", firstName: "Some" })).id);
  }
  for (const email of ["e@cursor.example", "f@cursor.example"]) {
    const cash = { email, membership: { firstName: "Some" }, amount: 1_500, how: "cash", confirm: true };
    expect((await stage.api("POST", "/payments/by-hand", { as: exec, body: cash })).status).toBe(201);
  }
  for (const code of ["FIRST", "SECOND"]) {
    await post(`/events/one/${year}/codes`, { code, kind: "discount", percentOff: 10, uses: 5 });
  }
  const link = await stage.api("POST", `/events/one/${year}/door-links`, { as: exec });
  const device = { secret: link.body.secret, name: "door 1" };
  const { token } = (await stage.api("POST", `/events/one/${year}/door/devices`, { body: device })).body;
  const scans = ["x", "y"].map((code) => ({ code, scannedAt: 0, nonce: `${code}-of-these-cursors` }));
  const headers = { authorization: `Door ${token}` };
  await stage.api("POST", "/registrations/check-in/scans", { headers, body: { sentAt: 0, scans } });
  if (!stage.isShared) await stage.payments.settled();
  await stage.indexed();
});

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

/** Every kind of request to a paged route. */
const lists: readonly (readonly [route: string, path: string, as?: string])[] = [
  ["GET /events", "/events?"],
  ["GET /events/{eventId}/{year}", `/events/one/${year}?users=true&`],
  [
    "GET /events/{eventId}/{year}/feedback/{formType}/submissions",
    `/events/one/${year}/feedback/attendee/submissions?`,
  ],
  ["GET /events/{eventId}/{year}/codes", `/events/one/${year}/codes?`],
  ["GET /registrations", "/registrations?"],
  ["GET /registrations", `/registrations?eventID=one&year=${year}&`],
  ["GET /registrations", "/registrations?eventID=one&"],
  ["GET /registrations", "/registrations?email=a@cursor.example&"],
  ["GET /registrations", `/registrations?eventID=one&year=${year}&isPartner=false&`],
  ["GET /registrations/check-in/scans", `/registrations/check-in/scans?eventID=one&year=${year}&`],
  ["GET /users", "/users?"],
  ["GET /audit", `/audit?from=${new Date(Date.now() - 60_000).toISOString()}&eventID=one&year=${year}&`],
  ["GET /users", "/users?q=u&"],
  ["GET /members", "/members?"],
  ["GET /members", "/members?q=some&"],
  ["GET /members", "/members?state=current&"],
  ["GET /payments", "/payments?purpose=membership&"],
  ["GET /payments/journal", `/payments/journal?from=${inDays(-1)}&to=${inDays(1)}&`],
  ["GET /prizes", "/prizes?"],
  ["GET /emails/templates", "/emails/templates?"],
  ["GET /emails/campaigns", "/emails/campaigns?"],
  ["GET /emails/suppressions", "/emails/suppressions?"],
];

test("every paged route is in the table of this test", () => {
  const paged = routes.filter(({ query }) => query?.properties && "cursor" in query.properties);
  expect([...new Set(lists.map(([route]) => route))].sort()).toEqual(paged.map(({ key }) => key).sort());
});

const encode = (text: string): string => Buffer.from(text).toString("base64url");
const forged = [
  "~",
  "a",
  "EVENT#one#2031",
  "9999#9#z@cursor.example",
  "1#other#2031#a@cursor.example",
  "A@CURSOR.EXAMPLE",
  "2031-05-01T10:00:00.000Z#one#2031#",
  "-1",
  "x".repeat(700),
];

/** The forged cursors that the list could have given out with other data: ids, addresses, another event. */
function couldBeIn(path: string): RegExp {
  if (/status=|changedSince=|isPartner=|q=/.test(path)) return /^$/;
  if (/^.(users|members|emails.suppressions)/.test(path)) return /^200 \d+#[a-z0-9#]+@cursor.example$/;
  if (/^.(prizes|emails.templates)/.test(path)) return /^200 (0|a|x{700}|-1)$/;
  const isOfAnyEvent = /^.registrations\?(year=\d+&|email=.*)?$/.test(path);
  return isOfAnyEvent ? /^200 1#other#2031#a@cursor.example$/ : /^$/;
}

describe.each(lists)("%s as %s", (_, path, as = exec) => {
  const get = async (query: string) => {
    // A checkout makes it, on the provider's page.
    if (path.startsWith("/payments")) stage.usedByOthers("the list of payments");
    const response = await stage.fetch(`${path}${query}`, {
      headers: { authorization: `Bearer ${await stage.tokenFor(as)}` },
    });
    return { status: response.status, next: response.headers.get("x-next-cursor"), text: await response.text() };
  };

  test("every cursor that it hands out leads on, to its end", async () => {
    const cursors = [];
    for (let next = "", more = true; more; cursors.push(next)) {
      const page = await get(`limit=1${next && `&cursor=${next}`}`);
      expect({ cursor: Buffer.from(next, "base64url").toString(), status: page.status }).toMatchObject({ status: 200 });
      more = page.next !== null;
      next = page.next ?? "";
    }
    expect(new Set(cursors).size).toBe(cursors.length);
    expect(cursors.length).toBeGreaterThan(1);
  });

  test("a forged cursor is a 400, unless the list could have given it out", async () => {
    const accepted: string[] = [];
    for (const sortKey of forged) {
      const { status, text } = await get(`cursor=${encode(sortKey)}`);
      if (status === 400) {
        expect(JSON.parse(text)).toMatchObject({ code: "VALIDATION", issues: [{ path: "/cursor" }] });
      } else accepted.push(`${status} ${sortKey}`);
    }
    const possible = couldBeIn(path);
    expect(accepted.filter((answer) => !possible.test(answer))).toEqual([]);
  });
});

const inYear = (id: string) => `eventID=${id}&year=${year}&`;

test.each([
  ["the registrations of another event", `/registrations?${inYear("two")}`, `/registrations?${inYear("one")}`],
  ["another event, for its file", `/registrations?${inYear("two")}`, `/registrations?${inYear("one")}format=csv&`],
  ["the people of another event", `/events/two/${year}?users=true&`, `/events/one/${year}?users=true&`],
  ["another person", "/registrations?email=a@cursor.example&", `/registrations?email=${user}&`],
  ["another status", "/registrations?status=registered&", "/registrations?status=waitlist&"],
  ["another search", "/users?q=u&", "/users?q=una&"],
  ["the events of another year", `/events?year=${year}&`, "/events?year=1900&"],
])("a cursor of %s is a 400", async (_, of, at) => {
  const ask = (path: string) => stage.api("GET", path, { as: exec });
  const cursor = (await ask(`${of}limit=1`)).headers.get("x-next-cursor");
  expect(cursor).toEqual(expect.any(String));
  expect((await ask(`${of}cursor=${cursor}`)).status).toBe(200);
  expect(await ask(`${at}cursor=${cursor}`)).toMatchObject({ status: 400, body: { issues: [{ path: "/cursor" }] } });
});
