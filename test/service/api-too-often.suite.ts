/** What leaves something behind has a limit for each person and record (`docs/contract.md`, `TOO_OFTEN`). */
import { PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test } from "@jest/globals";
import pMap from "p-map";
import { type Answer, exec, newEmail, times, year } from "./given.ts";
import { exportLinkOf } from "./link-of.ts";
import { type ServiceStage, sharedStage, withoutRelay } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage(withoutRelay);
});

/** One kind of request, which writes each time. */
interface Kind {
  readonly limit: number;
  /** Seconds. */
  readonly within: number;
  /** @returns the request of a person, the nth time */
  given(): Promise<(email: string, n: number) => Promise<Answer>>;
}

const kinds: Record<string, Kind> = {
  "a payment page": {
    limit: 10,
    within: 3_600,
    // Each has another price than the one before, and so replaces its page.
    given: async () => (as, n) => {
      const education = n % 2 === 0 ? "UBC" : "elsewhere";
      return stage.api("POST", "/payments", { as, body: { paymentType: "Member", first_name: "Ada", education } });
    },
  },
  "changed answers": {
    limit: 20,
    within: 3_600,
    given: async () => {
      const id = await stage.givenEvent();
      const registered = new Map<string, Promise<Answer>>();
      return async (email, n) => {
        registered.set(email, registered.get(email) ?? stage.register(id, email));
        await registered.get(email);
        return stage.changeRegistration(id, email, { basicInformation: { fname: `Ada ${n}` } }, email);
      };
    },
  },
  feedback: {
    limit: 10,
    within: 3_600,
    given: async () => {
      const id = await stage.givenEvent({ attendeeFeedbackEnabled: true, startDate: "2020-01-01" });
      return (as, n) => {
        const body = { responses: { "overall-rating": 1 + (n % 10) } };
        return stage.api("POST", `/events/${id}/${year}/feedback/attendee`, { as, body });
      };
    },
  },
  "a trade": {
    limit: 60,
    within: 300,
    given: async () => {
      const projectId = newEmail().replaceAll(/\W/g, "-");
      const project = { projectId, ticker: "PRJ", name: "Project", eventId: `game-${projectId}` };
      await stage.api("POST", "/btx/admin/project", { as: exec, body: project });
      return (as) => stage.api("POST", "/btx/market/buy", { as, body: { projectId, shares: 1 } });
    },
  },
  "a favourite": {
    limit: 100,
    within: 3_600,
    given: async () => {
      const eventID = await stage.givenEvent();
      const known = new Map<string, Promise<Answer>>();
      return async (as) => {
        known.set(as, known.get(as) ?? stage.api("POST", "/users", { as, body: { fname: "Ada" } }));
        await known.get(as);
        return stage.api("PATCH", "/users/favEvent/self", { as, body: { eventID, year } });
      };
    },
  },
};

/** A record counts in one of these (`lambda/domain/people/once-more.ts`). */
const counters = ["again", "amended", "favoured"];

/** Sets the counts that began in the test, as if the person had sent so many requests. */
async function setCounts(begin: number, count: number): Promise<void> {
  const found = (await stage.storedItems()).flatMap((item) =>
    counters
      .filter((name) => Number((item[name] as { since: number } | undefined)?.since) >= begin)
      .map((name) => ({ item, name })),
  );
  expect(found).toHaveLength(1);
  for (const { item, name } of found) {
    await stage.table.send(
      new UpdateCommand({
        TableName: stage.outputs.tableName,
        Key: { PK: item.PK, SK: item.SK },
        UpdateExpression: "SET #name.#count = :count",
        ExpressionAttributeNames: { "#name": name, "#count": "count" },
        ExpressionAttributeValues: { ":count": count },
      }),
    );
  }
}

const isDone = ({ status }: Answer) => status === 200 || status === 201;

describe.each(Object.entries(kinds))("%s", (_name, { limit, within, given }) => {
  test("has a limit, is refused then without a write, and nobody else is", async () => {
    const [request, email, begin] = [await given(), newEmail(), Date.now()];
    expect(isDone(await request(email, 0))).toBe(true);
    await setCounts(begin, limit - 1);
    expect(isDone(await request(email, 1))).toBe(true);
    // Items with an end may go at any time.
    const lasting = async () => (await stage.storedItems()).filter(({ ttl }) => ttl === undefined);
    const before = await lasting();
    const { status, body, headers } = await request(email, limit);
    expect({ status, body }).toMatchObject({ status: 429, body: { code: "TOO_OFTEN" } });
    const seconds = Number(headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(within - 120);
    expect(seconds).toBeLessThanOrEqual(within);
    expect(await lasting()).toEqual(before);
    expect(isDone(await request(newEmail(), 0))).toBe(true);
  });
});

test.each(["changed answers", "feedback"])("%s: not more often by requests at once", async (name) => {
  const { limit, given } = kinds[name] as Kind;
  const [request, email, begin] = [await given(), newEmail(), Date.now()];
  expect(isDone(await request(email, 0))).toBe(true);
  await setCounts(begin, limit - 4);
  const before = new Set((await stage.outboxRows()).map(({ SK }) => SK));
  const numbers = times(12, (n) => n + 1);
  const answers = await pMap(numbers, (n) => request(email, n), { concurrency: 8 });
  expect(answers.filter((one) => !isDone(one) && one.status !== 429)).toEqual([]);
  const told = (await stage.outboxRows()).filter(
    ({ SK, detailType }) => !before.has(SK) && ["registration.updated", "feedback.submitted"].includes(detailType),
  );
  // One that a later one has overtaken is not stored.
  expect(told.length).toBeGreaterThan(0);
  expect(told.length).toBeLessThanOrEqual(4);
});

test("who has changed answers too often can still cancel, also with other answers, and an admin can change them", async () => {
  const [id, email, begin] = [await stage.givenEvent(), newEmail(), Date.now()];
  await stage.register(id, email);
  const change = (fname: string, as = email) =>
    stage.changeRegistration(id, email, { basicInformation: { fname } }, as);
  expect((await change("Ada 1")).status).toBe(200);
  await setCounts(begin, 20);
  expect((await change("Grace")).status).toBe(429);
  expect((await change("Ada 1")).status).toBe(200);
  expect((await change("Grace", exec)).status).toBe(200);
  const ending = { registrationStatus: "cancelled", basicInformation: { fname: "Eve" } };
  expect((await stage.changeRegistration(id, email, ending, email)).body.registrationStatus).toBe("cancelled");
  expect((await stage.register(id, email)).status).toBe(201);
  expect((await change("Grace")).status).toBe(429);
});

describe("what reads much", () => {
  const counts = async () => (await stage.storedItems()).filter(({ PK }) => String(PK).startsWith("BUDGET#"));
  const plan = (as: string, of = "self") => stage.api("GET", `/users/${of}/erasure`, { as });
  const data = (as: string, of = "self") => stage.api("GET", `/users/${of}/export`, { as });
  const refused = { status: 429, body: { code: "TOO_OFTEN" } };

  test("is counted for each person, also of requests at once; the bearer of a link has a count of its own", async () => {
    const [email, other] = [await stage.givenUser(), newEmail()];
    const answers = await pMap(times(34, String), () => plan(email), { concurrency: 8 });
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
    const late = await data(email);
    expect(late).toMatchObject(refused);
    expect(Number(late.headers.get("retry-after"))).toBeLessThanOrEqual(3_600);
    expect(await stage.api("DELETE", "/users/self", { as: email })).toMatchObject(refused);
    const link = { authorization: `Link ${await exportLinkOf(stage, email)}` };
    expect((await stage.api("GET", "/links/export", { headers: link })).status).toBe(200);
    expect((await data(other)).status).toBe(200);
    expect((await data(exec, email)).status).toBe(200);
  });

  test("costs nobody anything without the right", async () => {
    const [stranger, victim] = [newEmail(), await stage.givenUser()];
    const before = await counts();
    const ways = [
      () => data(stranger, victim),
      () => plan(stranger, victim),
      () => stage.api("DELETE", `/users/${victim}`, { as: stranger }),
      () => stage.api("POST", `/users/${victim}/export-link`, { as: stranger }),
      () => stage.api("GET", "/audit", { as: stranger }),
    ];
    const statuses = await pMap(
      times(40, (n) => n),
      async (n) => (await ways[n % ways.length]?.())?.status,
    );
    expect(new Set(statuses)).toEqual(new Set([403]));
    expect((await stage.api("GET", "/links/export", { headers: { authorization: "Link X1.AAAA" } })).status).toBe(401);
    expect(await counts()).toEqual(before);
    for (const email of [stranger, victim]) expect((await data(email)).status).toBe(200);
  });

  test("has a larger budget for an admin, and none without end", async () => {
    const admin = `${newEmail().split("@")[0]}@club.example`;
    const before = new Set((await counts()).map(({ PK }) => String(PK)));
    expect((await stage.api("GET", "/audit", { as: admin })).status).toBe(200);
    const [own] = (await counts()).filter(({ PK }) => !before.has(String(PK)));
    const spent = async (count: number) => {
      const Item = { ...own, count };
      await stage.table.send(new PutCommand({ TableName: stage.outputs.tableName, Item }));
      return (await stage.api("GET", "/audit", { as: admin })).status;
    };
    expect([await spent(999), await spent(1_000)]).toEqual([200, 429]);
  });
});
