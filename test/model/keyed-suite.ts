/**
 * Requests with an `Idempotency-Key`, sent again and again while calls fail, answers get lost and tries die: the work is
 * done once, and all answers to the request are the same.
 */
import { beforeAll, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { gatewayEvent } from "../gateway-event.ts";
import { draw, replayLine } from "../seeds.ts";
import { chance, type Drawn, diceOf } from "./chance.ts";
import type { Item } from "./expression.ts";
import { type Changed, type MemoryTable, partitionOf, type Write, writesOf } from "./table.ts";
import { alone, type Fate, newWorld, openWorld, together, traceOf } from "./world.ts";

jest.unstable_mockModule("#kit/secret.ts", () => ({ readSecret: async () => "key-of-the-model" }));

type Handler = (event: never) => Promise<{ readonly statusCode?: number; readonly body?: string }>;
let handlers: Readonly<Record<"btx" | "registrations" | "events", Handler>>;

/** The product on the model's table. One import after the other: Jest links modules badly in parallel. */
async function openHandlers(): Promise<void> {
  await openWorld();
  const { handler: btx } = await import("#api/btx/index.ts");
  const { handler: registrations } = await import("#api/registrations/index.ts");
  const { handler: events } = await import("#api/events/index.ts");
  handlers = { btx, registrations, events } as never;
}

const admin = "exec@club.example";
const ann = "ann@model.example";
const ben = "ben@model.example";
const event = { eventID: "model", year: 2030 };
const clock = Date.parse("2026-01-01T00:00:00Z");

interface Answered {
  readonly status: number;
  readonly body: { readonly code?: string };
}

/** One run: a situation, and its requests with keys. */
class Run {
  readonly violations = new Set<string>();
  readonly #answers = new Map<string, Set<string>>();
  #now = clock;
  #requests = 0;

  async call(
    capability: keyof typeof handlers,
    email: string,
    routeKey: string,
    body: object,
    { key, params }: { readonly key?: string; readonly params?: object } = {},
  ): Promise<Answered> {
    this.#requests += 1;
    this.#now += 1;
    const headers = key === undefined ? {} : { "idempotency-key": key };
    const asked = { as: email, params, headers, body, requestId: `r${this.#requests}`, at: this.#now };
    const { statusCode = 0, body: text = "" } = await handlers[capability](gatewayEvent(routeKey, asked));
    return { status: statusCode, body: JSON.parse(text) as Answered["body"] };
  }

  /** Sends a request under its key until it gets an answer that is kept. */
  persistently =
    (capability: keyof typeof handlers, email: string, routeKey: string, body: object, dice: () => number) =>
    async (): Promise<void> => {
      const key = `key-of-${email}`;
      for (let tries = 0; tries < 8; tries += 1) {
        const answer = await this.call(capability, email, routeKey, body, { key });
        const comesAgain = answer.status >= 500 || answer.body.code === "REQUEST_IN_PROGRESS";
        if (!comesAgain) {
          const answers = this.#answers.get(key) ?? new Set();
          this.#answers.set(key, answers.add(JSON.stringify(answer)));
          if (answers.size > 1) this.violations.add("two answers");
          if (answer.body.code === "DUPLICATE") this.violations.add("refused for its own work");
          if (dice() < 50) return;
        } else if (answer.status !== 503 && answer.status !== 409) this.violations.add(`answered ${answer.status}`);
        // Some tries come after the lease of a claim.
        this.#now += dice() < 40 ? 31_000 : 400;
      }
    };

  get answered(): number {
    return this.#answers.size;
  }
}

interface Situation {
  readonly before: (run: Run) => Promise<unknown>;
  readonly requests: (run: Run, dice: () => number) => Readonly<Record<string, () => Promise<void>>>;
  /** How often the work of one request was done, by the commits of the run. */
  readonly done: (commits: readonly Item[]) => number[];
}

const countBy = (items: readonly Item[], type: string, of: string) =>
  items.filter(({ detailType, detail }) => {
    const { metadata } = (detail ?? {}) as { metadata?: { actor?: string } };
    return detailType === type && metadata?.actor === of;
  }).length;

const buy = { projectId: "a", shares: 2 };
const trades: Situation = {
  before: (run) =>
    run.call("btx", admin, "POST /btx/admin/project", { projectId: "a", ticker: "a", name: "a", seedAmount: 100 }),
  requests(run, dice) {
    const buys = (email: string) => run.persistently("btx", email, "POST /btx/market/buy", buy, dice);
    return { ann: buys(ann), "ann again": buys(ann), ben: buys(ben) };
  },
  done: (items) => [ann, ben].map((email) => countBy(items, "btx.traded", email)),
};

/** One seat. Ann and Ben want it, while an admin opens and closes the event. */
const seats: Situation = {
  before: (run) =>
    run.call("events", admin, "POST /events", {
      id: event.eventID,
      year: event.year,
      ename: "Model",
      isPublished: true,
      capac: 1,
    }),
  requests(run, dice) {
    const registers = (email: string) =>
      run.persistently("registrations", email, "POST /registrations", { ...event, email }, dice);
    const opensAndCloses = async () => {
      const route = "PATCH /events/{eventId}/{year}";
      const params = { eventId: event.eventID, year: String(event.year) };
      for (const change of [{ capac: 2 }, { isCompleted: true }, { isCompleted: false }]) {
        await run.call("events", admin, route, change, { params });
      }
    };
    return { ann: registers(ann), "ann again": registers(ann), ben: registers(ben), exec: opensAndCloses };
  },
  // A join that was undone is done again, so only the tickets that are left count.
  done: () => [],
};

type Sabotage = (write: Write) => void;

function fateOf(dice: () => number) {
  return (_call: unknown, isWrite: boolean): Fate => {
    const roll = dice();
    if (roll < 8) return "conflict";
    if (roll < 11) return "failed";
    if (roll < 19 && isWrite) return "lost";
    if (roll < 24 && isWrite) return "late";
    return roll >= 97 ? "vanish" : "fine";
  };
}

/** Whether an answer that was told fits the table: a person who was told of a seat or a place has a registration. */
function judgeSeats(run: Run, table: MemoryTable, told: ReadonlySet<string>): void {
  for (const email of told) {
    const record = table.peek({ PK: `USER#${email}`, SK: `REG#${event.eventID}#${event.year}` });
    if (record === undefined || record.status === "deleted") run.violations.add("told of what is not there");
  }
}

interface Found {
  readonly violations: readonly string[];
  readonly answered: number;
  readonly trace: readonly string[];
}

async function runOnce(situation: Situation, drawn: Drawn, sabotage?: Sabotage): Promise<Found> {
  const dice = diceOf(drawn);
  const run = new Run();
  const written: Item[] = [];
  const told = new Set<string>();
  const table = newWorld({
    commit(changes: readonly Changed[]) {
      for (const { after } of changes) if (after) written.push(after);
    },
    answered: () => undefined,
  });
  await alone("before", () => situation.before(run));
  const call = run.call.bind(run);
  run.call = async (...request) => {
    const answer = await call(...request);
    if (situation === seats && answer.status === 201) told.add(request[1]);
    return answer;
  };
  await together(situation.requests(run, dice), drawn.order, {
    fate: fateOf(dice),
    age: () => (dice() < 20 ? 1 : 0),
    pause: () => (dice() < 10 ? 5_000 : 1),
    ...(sabotage && { mutate: ({ command }) => writesOf(command).forEach(sabotage) }),
  });
  if (situation.done(written).some((times) => times > 1)) run.violations.add("done twice");
  judgeSeats(run, table, told);
  return { violations: [...run.violations], answered: run.answered, trace: traceOf() };
}

/** Takes parts out of the conditions of the claims' item. The placeholders stay in use. */
const without =
  (parts: readonly RegExp[]): Sabotage =>
  (write) => {
    const { ConditionExpression: condition } = write;
    if (!partitionOf(write).startsWith("REQ#") || !condition || condition.includes(" OR NOT ")) return;
    write.ConditionExpression = parts.reduce(
      (rest, part) => rest.replace(part, (found) => `((${found}) OR NOT (${found}))`),
      condition,
    );
  };

/**
 * @param runs how many orders are tried for each situation
 * @param patience how many orders may pass until a mutant is caught
 */
export function describeKeyedRequests(runs: number, patience: number): void {
  beforeAll(openHandlers);

  test.each([
    ["trades", trades],
    ["seats", seats],
  ] as const)(
    "requests with a key for %s are done once and answered alike, whatever fails",
    async (_name, situation) => {
      let answered = 0;
      await fc.assert(
        fc.asyncProperty(chance, async (drawn) => {
          const found = await runOnce(situation, drawn);
          answered += found.answered;
          expect(found.violations.length === 0 ? [] : [...found.violations, ...found.trace]).toEqual([]);
        }),
        { numRuns: runs, endOnFailure: true },
      );
      // Runs without answers would prove nothing.
      expect(answered).toBeGreaterThan(runs);
    },
    600_000,
  );

  test.each([
    ["the demand that the claim still stands", [/^claimedBy = :me AND #state = :claimed/]],
    [
      "the demand that there is no answer yet",
      [/(?<=^attribute_not_exists.*)#answer = :answer/, /#state = :claimed(?= AND leaseUntil <= :now)/],
    ],
  ] as const)(
    "without %s a request is done twice",
    async (_name, parts) => {
      for (let round = 0; round < patience; round += 1) {
        const { violations } = await runOnce(trades, draw(chance), without(parts));
        if (violations.includes("done twice")) return;
      }
      throw new Error(`No run noticed in ${patience} rounds. Again: ${replayLine()}`);
    },
    600_000,
  );
}
