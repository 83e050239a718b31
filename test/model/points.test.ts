/**
 * The points of a person over all events, in random histories of registrations, points, decisions and deleted accounts:
 * the total is the sum of the registrations that count since the account was last deleted, or there is none.
 */
import { beforeAll, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { registeredAtOf } from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { gatewayEvent } from "../gateway-event.ts";
import { draw, runs } from "../seeds.ts";
import { chance, type Drawn, diceOf } from "./chance.ts";
import type { Item } from "./expression.ts";
import { type MemoryTable, writesOf } from "./table.ts";
import { alone, type Call, contextOf, type Fate, newWorld, openWorld, together } from "./world.ts";

const email = "ada@model.example";
const events = ["a", "b", "c"];
const year = 2030;
const start = Date.parse("2026-01-01T00:00:00Z");

// A person's deletions are counted under a name that the key of tickets gives.
jest.unstable_mockModule("#kit/secret.ts", () => ({ readSecret: async () => "key-of-the-model" }));

let product: Awaited<ReturnType<typeof openProduct>>;
beforeAll(async () => {
  product = await openProduct();
});

/** One import after the other: Jest links modules badly in parallel. */
async function openProduct() {
  await openWorld();
  const { handler: events } = await import("#api/events/index.ts");
  const { handler: users } = await import("#api/users/index.ts");
  const { register } = await import("#domain/registrations/register/register.ts");
  const { changeRegistration } = await import("#domain/registrations/amend/change-registration.ts");
  const { forgetPerson } = await import("#domain/registrations/reactions/forget-person.ts");
  const { pointsMissing } = await import("../../tools/ops/invariants/people.ts");
  return { events, users, register, changeRegistration, forgetPerson, pointsMissing };
}

type At<Do extends string> = { [D in Do]: { readonly do: D; readonly event: string } }[Do];
type Of<Do extends string> = { [D in Do]: { readonly do: D } }[Do];
type Act =
  | At<"register" | "cancel" | "checkIn" | "undo">
  | (At<"points"> & { readonly points: number })
  | Of<"account" | "delete" | "forget">;

const event = fc.constantFrom(...events);
/** Points, and registrations that a deletion leaves, are more frequent than all else. */
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("register", "checkIn"), event }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("points" as const), event, points: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("cancel", "undo"), event }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("account", "delete", "forget") }) },
);

type Mutation = (call: Call) => void;

/** A person, three events, and a clock that goes on by a second with each act. */
class History {
  readonly table: MemoryTable;
  readonly #deletions: { readonly type: "user.deleted"; readonly occurredAt: number }[] = [];
  #delivered = 0;
  /** What the person should have: the points of each event since the last deletion, and whether they count. */
  readonly #expected = new Map<string, { points: number; counts: boolean }>();
  #now = start;
  #requests = 0;

  constructor() {
    this.table = newWorld({
      commit: (changes) => {
        for (const { after } of changes) {
          if (after?.detailType !== "user.deleted") continue;
          const { occurredAt } = (after.detail as { metadata: { occurredAt: string } }).metadata;
          this.#deletions.push({ type: "user.deleted", occurredAt: Date.parse(occurredAt) });
        }
      },
      answered: () => undefined,
    });
  }

  #context() {
    this.#requests += 1;
    this.#now += 1_000;
    return contextOf(this.#requests, this.#now, email);
  }

  async #ask(which: "events" | "users", routeKey: string, as: string, more: object): Promise<number> {
    const { now, requestId } = this.#context();
    const answer = await product[which](gatewayEvent(routeKey, { as, ...more, requestId, at: now }));
    return answer.statusCode ?? 0;
  }

  async givenEvents(): Promise<void> {
    for (const id of events) {
      const body = { id, year, ename: id, startDate: "2030-05-01", isPublished: true };
      const made = () => this.#ask("events", "POST /events", "exec@club.example", { body });
      expect(await alone("event", made)).toBe(201);
    }
  }

  /** Refusals are answers: many acts of a random history are refused. @returns whether it was done */
  async #tried(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof Error) || !("code" in error)) throw error;
      return false;
    }
  }

  #change(id: string, amendment: object): Promise<boolean> {
    const request = { email, event: { id, year }, amendment, origin: "admin/desk" } as const;
    return this.#tried(() => product.changeRegistration(request, this.#context()));
  }

  /** Runs all messages of deletions, also those that have come before: the bus may bring a message twice. */
  async forget(from = 0): Promise<void> {
    const messages = this.#deletions.slice(from);
    this.#delivered = this.#deletions.length;
    for (const { type, occurredAt } of messages) {
      const message = {
        type,
        id: "m",
        occurredAt,
        actor: email,
        requestId: "model",
        // As before messages had an origin: one of those may still come.
        data: { email },
      };
      await product.forgetPerson(message, this.#context());
    }
  }

  /** Runs the messages that have not come yet. */
  forgetTheRest = (): Promise<void> => this.forget(this.#delivered);

  async run(one: Act): Promise<void> {
    if (one.do === "forget") return this.forget();
    if (one.do === "account") {
      await this.#ask("users", "POST /users", email, { body: {} });
      return;
    }
    if (one.do === "delete") {
      const status = await this.#ask("users", "DELETE /users/{email}", email, { params: { email } });
      if (status === 200) this.#expected.clear();
      return;
    }
    const known = this.#expected.get(one.event);
    if (one.do === "register") {
      const form = { eventID: one.event, year, email, fname: "Ada" };
      const isNew = await this.#tried(() => product.register({ form, origin: "self/account" }, this.#context()));
      if (isNew) this.#expected.set(one.event, { points: 0, counts: true });
    } else if (one.do === "points") {
      if ((await this.#change(one.event, { points: one.points })) && known) known.points = one.points;
    } else {
      const to = { cancel: "cancelled", checkIn: "checkedIn", undo: "registered" }[one.do];
      const isDone = await this.#change(one.event, { registrationStatus: to });
      if (!isDone) return;
      if (one.do === "cancel") {
        if (known) known.counts = false;
      } else if (this.#isNew(one.event)) {
        // A cancelled registration that an admin makes `registered` again begins anew.
        this.#expected.set(one.event, { points: 0, counts: true });
      }
    }
  }

  /** Whether the person registered with the present request. */
  #isNew(id: string): boolean {
    const registration = this.registration(id);
    return registration !== undefined && registeredAtOf(registration) === this.#now;
  }

  registration(id: string) {
    const item = this.table.peek({ PK: `USER#${email}`, SK: `REG#${id}#${year}` });
    return item && registrationIn(item as never);
  }

  get total(): Item | undefined {
    return this.table.peek({ PK: `USER#${email}`, SK: "POINTS" });
  }

  /** What `ops check` would say: by how much the total differs from the registrations. */
  get missing(): number {
    const registrations = events.flatMap((id) => this.registration(id) ?? []);
    return product.pointsMissing({ points: this.total?.points as number | undefined, registrations });
  }

  get expected(): number {
    return [...this.#expected.values()].reduce((sum, { points, counts }) => sum + (counts ? points : 0), 0);
  }
}

async function afterwards(acts: readonly Act[]): Promise<History> {
  const history = new History();
  await history.givenEvents();
  for (const one of acts) {
    await alone(one.do, () => history.run(one));
    expect([one, history.missing]).toEqual([one, 0]);
  }
  await alone("forget", () => history.forgetTheRest());
  return history;
}

test("the total is the sum of what counts since the account was deleted", () =>
  fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 40, size: "max" }), async (acts) => {
      const history = await afterwards(acts);
      expect([history.missing, history.total?.points ?? 0]).toEqual([0, history.expected]);
    }),
    { numRuns: runs({ few: 25, many: 200 }) },
  ));

const kept: readonly Act[] = [
  { do: "account" },
  ...(["register", "checkIn"] as const).map((what) => ({ do: what, event: "a" })),
  { do: "points", event: "a", points: 7 },
  { do: "delete" },
  { do: "forget" },
];

test("nothing of a deleted person is left, and a correction of the kept registration brings nothing back", async () => {
  const history = await afterwards([...kept, { do: "points", event: "a", points: 8 }]);
  expect([history.registration("a")?.points, history.total]).toEqual([8, undefined]);
});

test("the kept registration takes nothing from points that were earned later when it is cancelled", async () => {
  const back: readonly Act[] = [{ do: "account" }, { do: "register", event: "b" }];
  const earned: readonly Act[] = [{ do: "points", event: "b", points: 5 }];
  const ended = (["undo", "cancel"] as const).map((what) => ({ do: what, event: "a" }));
  expect((await afterwards([...kept, ...back, ...earned, ...ended])).total?.points).toBe(5);
});

/**
 * Corrections, a cancellation and the deletion's consumer at the same moment. Calls fail and get lost, and a run of the
 * consumer may vanish between two calls; the message comes again.
 */
async function atOnce(drawn: Drawn, mutate?: Mutation): Promise<History> {
  const history = new History();
  await history.givenEvents();
  const before: readonly Act[] = [
    { do: "account" },
    ...events.flatMap((id): Act[] => [
      { do: "register", event: id },
      { do: "points", event: id, points: 7 },
    ]),
    { do: "checkIn", event: "a" },
    { do: "checkIn", event: "b" },
    { do: "delete" },
  ];
  for (const one of before) await alone(one.do, () => history.run(one));
  const acts: readonly Act[] = [
    { do: "forget" },
    { do: "forget" },
    { do: "points", event: "a", points: 3 },
    { do: "undo", event: "b" },
    { do: "points", event: "c", points: 9 },
  ];
  const dice = diceOf(drawn);
  const fate = ({ actor }: Call): Fate => {
    const thrown = dice();
    if (thrown < 8) return "conflict";
    if (thrown < 14) return "lost";
    return thrown < 20 && actor.startsWith("0") ? "vanish" : "fine";
  };
  const actors = acts.map((one, index) => [`${index} ${one.do}`, () => history.run(one)] as const);
  await together(Object.fromEntries(actors), drawn.order, {
    fate,
    age: () => (dice() < 20 ? 1 : 0),
    pause: () => 1,
    mutate,
  });
  await alone("forget", () => history.forget());
  await alone("points", () => history.run({ do: "points", event: "a", points: 4 }));
  return history;
}

test("nobody comes back when the account is deleted while points change", () =>
  fc.assert(
    fc.asyncProperty(chance, async (drawn) => {
      const history = await atOnce(drawn);
      expect([history.missing, history.total]).toEqual([0, undefined]);
    }),
    { numRuns: runs({ few: 20, many: 200 }) },
  ));

test("without the mark on the registration the person comes back", async () => {
  const withoutMark: Mutation = ({ command }) => {
    for (const { Item } of writesOf(command))
      delete (Item as { ofDeletedAccount?: true } | undefined)?.ofDeletedAccount;
  };
  const totals = new Set<unknown>();
  for (let round = 0; round < 5; round += 1) totals.add((await atOnce(draw(chance), withoutMark)).total?.points);
  expect([...totals].some((points) => points !== undefined)).toBe(true);
});
