/**
 * A round of the investment game: the product's own requests, all at the same time, with lost calls, conflicts and
 * deaths.
 */
import type fc from "fast-check";
import { gatewayEvent } from "../gateway-event.ts";
import { Judge } from "./btx-judge.ts";
import type { Write } from "./table.ts";
import { partitionOf, writesOf } from "./table.ts";
import { alone, type Call, type Fate, type Interference, newWorld, openWorld, together, traceOf } from "./world.ts";

export type Handler = (event: object) => Promise<{ readonly statusCode?: number; readonly body?: string }>;

/** The product's handler, and the step of its executor that a test may replace. */
export interface Game {
  readonly handler: Handler;
  readonly seam: { tokenOf: (token: string) => string };
}

export async function openGame(): Promise<Game> {
  await openWorld();
  const { handler } = await import("#api/btx/index.ts");
  const { seam } = await import("#kit/seam.ts");
  return { handler: handler as unknown as Handler, seam };
}

/**
 * What a mutant takes out of the product. It changes a write before the write is carried out, however often it is sent.
 */
export type Sabotage = (write: Write) => void;

/** Takes a condition, or a part of one, out of the writes of a partition. The placeholders stay in use. */
export const without =
  (partition: string, condition: RegExp): Sabotage =>
  (write) => {
    if (!partitionOf(write).startsWith(partition)) return;
    const { ConditionExpression = "" } = write;
    if (ConditionExpression.includes(" OR NOT ")) return;
    const loose = ConditionExpression.replace(condition, (part) => `(${part} OR NOT ${part})`);
    if (loose !== ConditionExpression) write.ConditionExpression = loose;
  };

const admin = "exec@club.example";
const clock = Date.parse("2026-01-01T00:00:00Z");
/** With this seed a share costs 201.00, so the starting cash runs out. */
const seedAmount = 2_000;
const projects = ["a", "b", "c"];

const allWhims = ["bump", "seed", "reset", "remove", "restore", "create"] as const;
/** The kinds of requests that an admin makes while people trade. */
export type Whim = (typeof allWhims)[number];

class Round {
  readonly judge = new Judge();
  readonly #handler: Handler;
  readonly #dice: () => number;
  #requests = 0;
  /** The status of each request, by the request's name. */
  readonly answers = new Map<string, number | undefined>();

  constructor(handler: Handler, dice: () => number) {
    this.#handler = handler;
    this.#dice = dice;
  }

  async call(email: string, routeKey: string, body: object, params?: object): Promise<void> {
    this.#requests += 1;
    const requestId = `r${this.#requests}`;
    this.answers.set(requestId, undefined);
    const asked = { as: email, params, body, requestId, at: clock + this.#requests };
    const { statusCode } = await this.#handler(gatewayEvent(routeKey, asked));
    this.answers.set(requestId, statusCode);
  }

  create(projectId: string, eventId?: string): Promise<void> {
    const body = { projectId, ticker: projectId, name: projectId, eventId, seedAmount };
    return this.call(admin, "POST /btx/admin/project", body);
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#dice() % from.length] as T;
  }

  /** Trades at random, mostly what the person can pay for or owns. */
  trader(email: string, trades: number) {
    return async (): Promise<void> => {
      for (let n = 0; n < trades; n += 1) {
        const side = this.#dice() < 60 ? "buy" : "sell";
        const shares = 1 + (this.#dice() % 6);
        await this.call(email, `POST /btx/market/${side}`, { projectId: this.#pick(projects), shares });
      }
    };
  }

  readonly #whims: Readonly<Record<Whim, () => Promise<void>>> = {
    bump: () => this.call(admin, "POST /btx/admin/phase-bump", { projectId: "a", bumpType: "ADD", delta: 5 }),
    seed: () => this.call(admin, "POST /btx/admin/seed", { projectId: "a", seedDelta: 1 }),
    reset: () => this.call(admin, "POST /btx/admin/reset", { eventId: "kickstart", userId: "ann@model.example" }),
    remove: () => this.call(admin, "DELETE /btx/admin/project/{projectId}", {}, { projectId: "b" }),
    restore: () => this.create("b"),
    // Two admins may create this project at once, each in another event.
    create: () => this.create("new", this.#pick(["kickstart", "other"])),
  };

  /** Makes random requests of an admin, only of these kinds. */
  admin(whims: readonly Whim[]) {
    return async (): Promise<void> => {
      for (let n = 0; n < 3; n += 1) await this.#whims[this.#pick(whims)]();
    };
  }

  async run(order: fc.Scheduler, interference: Interference, whims: readonly Whim[]): Promise<void> {
    await alone("admin", async () => {
      for (const id of projects) await this.create(id);
    });
    const people = {
      ann: this.trader("ann@model.example", 4),
      // The same person in another window.
      "ann too": this.trader("ann@model.example", 4),
      ben: this.trader("ben@model.example", 3),
      eva: this.trader("eva@model.example", 3),
      exec: this.admin(whims),
      "exec too": this.admin(whims),
    };
    await together(people, order, interference);
    this.#judgeAnswers();
  }

  #judgeAnswers(): void {
    for (const [request, status] of this.answers) {
      const trades = this.judge.traded.get(request) ?? 0;
      if (trades > 0 && status !== 200 && status !== undefined) this.judge.violations.add("a trade is never denied");
      if (status !== undefined && ![200, 404, 409].includes(status)) this.judge.violations.add(`answered ${status}`);
    }
  }
}

/** The fate of a call, from a roll of 0 to 99. */
function fateOf(dice: () => number) {
  return (_call: Call, isWrite: boolean): Fate => {
    const roll = dice();
    if (roll < 8) return "conflict";
    if (roll < 11) return "failed";
    if (roll < 16 && isWrite) return "lost";
    if (roll < 19 && isWrite) return "late";
    return roll === 19 ? "vanish" : "fine";
  };
}

export interface Found {
  readonly violations: readonly string[];
  readonly trades: number;
  readonly trace: readonly string[];
}

export async function playRound(
  handler: Handler,
  { order, dice }: { readonly order: fc.Scheduler; readonly dice: () => number },
  { sabotage, whims = allWhims }: { readonly sabotage?: Sabotage; readonly whims?: readonly Whim[] } = {},
): Promise<Found> {
  const round = new Round(handler, dice);
  newWorld(round.judge);
  const interference: Interference = {
    fate: fateOf(dice),
    age: () => (dice() < 20 ? 1 + (dice() % 3) : 0),
    pause: () => 1,
    ...(sabotage && { mutate: ({ command }) => writesOf(command).forEach(sabotage) }),
  };
  await round.run(order, interference, whims);
  return { violations: [...round.judge.violations], trades: round.judge.trades, trace: traceOf() };
}
