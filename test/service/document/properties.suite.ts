/**
 * Properties of every operation of the reference (`docs/openapi.json`) beside those that schemathesis judges (`npm run
 * judge`): no answer of several callers who use each other's records shows the inside or may be cached, large requests take
 * time in proportion to their size, and the records of the stage agree at the end. `test/deep/document-properties.test.ts`
 * runs them.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { replayLine } from "../../seeds.ts";
import { committed, documentedBy } from "../documented.ts";
import { allItems, problemsAtRest, seatDifferences } from "./at-rest.ts";
import { answerTo } from "./calls.ts";
import { operationsOf } from "./operations.ts";
import { isReached, run, sendNearMisses } from "./run.ts";
import { exampleOf, growsInProportion, sendLarge, sendLongParameters } from "./sizes.ts";
import { givenWorld, type World } from "./world.ts";

const longest = 1_800_000;

const operations = operationsOf(committed());
const check = documentedBy();

/** Expects that there are no reports of wrong answers. They come with the command that repeats them. */
const expectNone = (reports: readonly string[]): void => {
  if (reports.length > 0) throw new Error(`${reports.length}:\n${reports.join("\n")}\n\nAgain: ${replayLine()}`);
};

describe("a stage with a bit of everything", () => {
  let world: World;
  beforeAll(async () => {
    world = await givenWorld();
  });
  afterAll(() => world.stage.close());
  afterEach(async () => expectNone(await problemsAtRest(world.stage)), 60_000);

  test("refuses no example of the reference as malformed", async () => {
    const refused: string[] = [];
    for (const operation of operations) {
      const { status, text } = await answerTo(exampleOf(operation, world), world);
      if (status === 400) refused.push(`${operation.operationId}: ${text}`);
    }
    expectNone(refused);
  });

  test(
    "gives only answers of the reference, and every operation is reached",
    async () => {
      const options = { world, operations, check, sound: 40, hostile: 15 };
      const { coverage, faults } = await run(options);
      expectNone(faults);
      const unreached = operations.filter(({ operationId }) => !coverage.has(operationId, isReached));
      expect(unreached.map(({ operationId }) => operationId)).toEqual([]);
      console.log(`${coverage}`);
      // A sound request has a valid token and a valid form, or nearly so.
      expect(coverage.share(/^2/)).toBeGreaterThan(0.4);
      expect(coverage.share(isReached)).toBeGreaterThan(0.7);
    },
    longest,
  );

  test("knows no path and no method beside those of the reference", async () => {
    expectNone(await sendNearMisses({ world, operations, check }));
  });

  test(
    "reads large bodies in time that grows with their size only",
    async () => {
      const { faults, slow } = await sendLarge({ world, operations, check });
      expectNone(faults);
      expect(slow).toEqual([]);
    },
    longest,
  );

  test(
    "answers soundly to parameters as long as the gateway takes them",
    async () => expectNone(await sendLongParameters({ world, operations, check })),
    longest,
  );

  test("has seats and lines that agree with the registrations, and the check finds one that does not", async () => {
    const items = await allItems(world.stage);
    expect(seatDifferences(items)).toEqual([]);
    const isOf = (prefix: string) => (item: (typeof items)[number]) => item.PK.startsWith(prefix);
    expect(items.filter(isOf("SEAT#")).length).toBeGreaterThan(2);
    const changed = items.map((item) => (isOf("SEAT#")(item) ? { ...item, seats: Number(item.seats) + 1 } : item));
    expect(seatDifferences(changed)).toContainEqual(expect.stringContaining(": seats: "));
    const [{ PK = "" } = {}] = items.filter(isOf("SEAT#"));
    const stranger = { PK: PK.replace(/^SEAT(#.*)#00$/, "WAIT$1"), SK: "x", email: "x@student.example" };
    expect(seatDifferences([...items, stranger])).toContainEqual(expect.stringContaining("in line are"));
  });
});

describe("these checks", () => {
  const prize = { id: "mug", name: "Mug", price: 5, createdAt: 1, updatedAt: 1 };
  const created = { message: "Prize created.", item: prize };
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  const refusal = { message: "name must be text.", code: "VALIDATION", requestId: "x" };
  const createPrize = operations.find(
    ({ operationId }) => operationId === "createPrize",
  ) as (typeof operations)[number];

  /** Lets a service that is not ours answer the requests for prizes. @returns what the checks say about its answers */
  async function saidAbout(
    answer: (body: string) => { readonly status: number; readonly body: unknown; readonly headers?: object },
  ): Promise<string> {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { status, body, headers: more } = answer(Buffer.concat(chunks).toString());
      const etag = status === 201 ? { etag: '"1.1"' } : {};
      response.writeHead(status, { ...headers, ...etag, ...more }).end(JSON.stringify(body));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const world = {
      stage: { outputs: { apiUrl }, tokenFor: async () => "token" },
      knownOf: () => () => undefined,
      cursorsOf: () => [],
      cursorsOfOthers: () => [],
      learn: () => undefined,
    } as unknown as World;
    const { faults } = await run({ world, operations: [createPrize], check, sound: 30, hostile: 30 });
    server.closeAllConnections();
    server.close();
    return faults.map((fault) => fault.split("\n")[0]).join("\n");
  }

  const fits = (body: string): boolean => {
    try {
      return createPrize.allows(JSON.parse(body));
    } catch {
      return false;
    }
  };
  const issues = [{ path: "/name", message: "must be text" }];
  const sound = (body: string) =>
    fits(body) ? { status: 201, body: created } : { status: 400, body: { ...refusal, issues } };

  test("find nothing in a service that answers as the reference says", async () => {
    expect(await saidAbout(sound)).toBe("");
  });

  test.each<[string, Parameters<typeof saidAbout>[0], RegExp]>([
    [
      "an error of the service",
      () => ({ status: 500, body: { message: "Internal Server Error" } }),
      /^createPrize: 500: /m,
    ],
    [
      "an answer that may be cached",
      () => ({ ...sound('{"name":"a","price":1}'), headers: { "cache-control": "public" } }),
      /cache/,
    ],
    [
      "a refusal that shows the inside",
      () => ({ status: 400, body: { ...refusal, message: "TypeError: x is undefined", issues } }),
      /it shows the inside/,
    ],
  ])("find %s", async (_, answer, said) => {
    expect(await saidAbout(answer)).toMatch(said);
  });

  test("find work that grows with the square of the size, and none that grows with the size", async () => {
    let sum = 0;
    const work = (steps: number) => {
      for (let step = 0; step < steps; step += 1) sum += step % 7;
    };
    expect(await growsInProportion(async (n) => work(n * n * 0.0004), 0)).toBe(false);
    expect(await growsInProportion(async (n) => work(n * 20), 0)).toBe(true);
    expect(sum).toBeGreaterThan(0);
  });
});
