/**
 * A rush in AWS-like time: the product's own admission runs for each person, against the engine of the local stage. A
 * call takes 10 ms of a simulated clock, and partition keys and concurrent functions have AWS's limits. The same seed
 * gives the same rush.
 */
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { listedAttributes } from "#domain/registrations/record/stored-form.ts";
import { type PartitionLimits, partitionLimits, type TableDefinition } from "../../../laptop/dynamodb/index.ts";
import { Disorder } from "../../../laptop/service-kit/disorder.ts";
import { OrderJudge } from "./order.ts";
import { type Latency, type SimulatedCall, SimulatedTable } from "./table.ts";
import { VirtualTime } from "./virtual-time.ts";

export interface RushOptions {
  readonly people: number;
  readonly seats: number;
  readonly seed?: number;
  /** Milliseconds within which all people arrive, uniformly distributed. */
  readonly within?: number;
  readonly latency?: Latency;
  readonly limits?: PartitionLimits | undefined;
  /** Concurrent functions. More requests wait for a free one. */
  readonly functions?: number;
  /** As a control: no person joins the line because of conflicts. */
  readonly withoutCrowds?: boolean;
}

/** The result of a simulated rush. Times are virtual milliseconds. */
export interface SimulatedRush {
  readonly people: number;
  readonly seats: number;
  /** People by answer: a status of a registration, or the code of an error. */
  readonly answers: Readonly<Record<string, number>>;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** From the first arrival until every seat is allocated; undefined when one is left. */
  readonly seatsGivenAfter: number | undefined;
  /** Transactions sent per answer, including conflicts, throttled and refused ones. */
  readonly transactionsPerAnswer: number;
  readonly callsPerAnswer: number;
  readonly readUnitsPerAnswer: number;
  readonly writeUnitsPerAnswer: number;
  /** Calls in conflict, throttled ones, and those whose conditions failed. */
  readonly conflicts: number;
  readonly throttled: number;
  readonly refused: number;
  /** Maximum of concurrent functions, and the people who had to wait for one. */
  readonly maxFunctions: number;
  readonly waitedForFunction: number;
  /** People who took a seat although they could know of a person ahead (`OrderJudge`). */
  readonly jumps: number;
  readonly overtaken: number;
  /** People who wait although a person who arrived later has a seat, and the maximum milliseconds between the two. */
  readonly passedBy: number;
  readonly passedByAtMost: number;
  /** Problems in the stored records, and differences from the answers. */
  readonly wrong: readonly string[];
}

const TableName = "Test";
const key = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: "HASH" as const },
  { AttributeName: sort, KeyType: "RANGE" as const },
];

/** The table of `lib/table.ts`. */
const definition: TableDefinition = {
  TableName,
  AttributeDefinitions: [
    ...["PK", "SK", "GSI1PK", "GSI1SK", "queueKey", "leaderboard"].map((AttributeName) => ({
      AttributeName,
      AttributeType: "S",
    })),
    { AttributeName: "points", AttributeType: "N" },
  ],
  KeySchema: key("PK", "SK"),
  GlobalSecondaryIndexes: [
    { IndexName: "GSI1", KeySchema: key("GSI1PK", "GSI1SK"), Projection: { ProjectionType: "ALL" } },
    {
      IndexName: "REGISTRATIONS",
      KeySchema: key("SK", "queueKey"),
      Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: [...listedAttributes] },
    },
    {
      IndexName: "LEADERBOARD",
      KeySchema: key("leaderboard", "points"),
      Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["fname", "lname", "email"] },
    },
  ],
};

const event = { id: "rush", year: 2030 };
const start = Date.parse("2030-01-01T20:00:00Z");
/** The limit of `lambda/kit/request/context.ts`. */
const longestRequest = 15_000;

/** What the modules of a registration read when they are loaded. No call leaves this process. */
const settings = {
  TABLE_NAME: TableName,
  STAGE: "test",
  TICKET_KEY_SECRET: "ticket-key",
  NEW_REGISTRATION_HOLD_MS: "1800000",
  PROMOTION_HOLD_MS: "86400000",
  ACCEPTANCE_HOLD_MS: "259200000",
  AWS_REGION: "us-west-2",
  AWS_ACCESS_KEY_ID: "LOCALBench",
  AWS_SECRET_ACCESS_KEY: "local",
  POWERTOOLS_LOG_LEVEL: "SILENT",
  POWERTOOLS_METRICS_DISABLED: "true",
};

/** The product. The modules come one after the other, because Jest links them badly in parallel. */
async function openProduct() {
  Object.assign(process.env, settings);
  const { client } = await import("#kit/table/table.ts");
  const { seam } = await import("#kit/seam.ts");
  const { register } = await import("#domain/registrations/register/register.ts");
  const { newSeats } = await import("#domain/events/seat-settings.ts");
  const { putSeats, readSeats } = await import("#domain/capacity/seats.ts");
  const { putNewEvent } = await import("#domain/events/store.ts");
  const { countLine } = await import("#domain/capacity/line.ts");
  return { client, seam, register, newSeats, putSeats, putNewEvent, readSeats, countLine };
}

/** Lambda's concurrent functions, first come first served. */
class Functions {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  running = 0;
  maxRunning = 0;
  waited = 0;

  constructor(max: number) {
    this.#max = max;
  }

  async run<T>(invocation: () => Promise<T>): Promise<T> {
    if (this.running >= this.#max) {
      this.waited += 1;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.running += 1;
    this.maxRunning = Math.max(this.maxRunning, this.running);
    try {
      return await invocation();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}

/** The value below which this part of a sorted list lies. */
const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? 0;

const rounded = (value: number, digits = 0): number => Number(value.toFixed(digits));

/** The counts of the calls of a rush. */
class Tally {
  transactions = 0;
  calls = 0;
  readUnits = 0;
  writeUnits = 0;
  conflicts = 0;
  throttled = 0;
  refused = 0;

  sees({ operation, refusal, readUnits, writeUnits }: SimulatedCall): void {
    this.calls += 1;
    this.readUnits += readUnits;
    this.writeUnits += writeUnits;
    if (operation === "TransactWriteItems") this.transactions += 1;
    const codes = refusal?.join() ?? "";
    if (codes.includes("TransactionConflict")) this.conflicts += 1;
    else if (codes.includes("Throttling")) this.throttled += 1;
    else if (refusal) this.refused += 1;
  }
}

interface Person {
  readonly email: string;
  readonly arrived: number;
  readonly queueKey: string;
  answered: number;
  answer: string;
}

/** Simulates a rush of people without workshops for an event without a price. */
export async function simulateRush({
  people,
  seats,
  seed = 1,
  within = 1_000,
  latency = { call: 10, occupied: 5 },
  limits = partitionLimits,
  functions: maxFunctions = 1_000,
  withoutCrowds = false,
}: RushOptions): Promise<SimulatedRush> {
  const product = await openProduct();
  const time = new VirtualTime();
  const chance = new Disorder(seed);
  const random = () => chance.below(2 ** 30) / 2 ** 30;
  const table = await SimulatedTable.open(definition, { time, start, random, latency, partitionLimits: limits });
  const own = { random: Math.random, send: product.client.send, ...product.seam };
  const judge = new OrderJudge();
  const tally = new Tally();
  const functions = new Functions(maxFunctions);
  const arrivals = Array.from({ length: people }, () => Math.floor(random() * within)).sort((a, b) => a - b);
  const all = arrivals.map(
    (arrived, index): Person => ({
      email: `person${index}@rush.example`,
      arrived,
      queueKey: `${start + arrived}#${String(index).padStart(26, "0")}`,
      answered: 0,
      answer: "",
    }),
  );
  /** The statuses that each person's registration had, with their start. */
  const stored = new Map<string, { readonly status: string; readonly since: number }[]>();
  const lastSent = new Map<string, number>();
  let given = 0;
  let seatsGivenAfter: number | undefined;
  const note = (email: string, status: string) => {
    stored.set(email, [...(stored.get(email) ?? []), { status, since: time.now }]);
    if (status !== "registered") return;
    given += 1;
    if (given === seats) seatsGivenAfter = time.now;
  };
  table.onCall = (call) => {
    tally.sees(call);
    lastSent.set(call.actor, Math.max(call.sent, lastSent.get(call.actor) ?? 0));
    judge.sees(call, time.now);
    if (call.operation !== "TransactWriteItems" || !call.answer) return;
    for (const { Put, Update } of call.input.TransactItems as Record<
      string,
      { Item?: Row; Key?: Row; ExpressionAttributeValues?: Row }
    >[]) {
      const { PK, SK, status } = Put?.Item ?? {};
      if (SK?.startsWith("REG#")) note(String(PK).slice("USER#".length), String(status));
      if (Update?.Key?.SK?.startsWith("REG#"))
        note(String(Update.Key.PK).slice("USER#".length), String(Update.ExpressionAttributeValues?.[":status"]));
    }
  };
  const register = async (person: Person, index: number): Promise<void> => {
    await time.sleep(person.arrived);
    judge.begins(person.email, time.now);
    await functions.run(async () => {
      let ids = 0;
      const { email, queueKey } = person;
      const context = {
        now: start + Math.floor(time.now),
        actor: email,
        requestId: `rush-${index}`,
        queueKey,
        deadline: time.now + longestRequest,
        newId: () => {
          ids += 1;
          return `${queueKey}#${ids}`;
        },
      };
      const form = { eventID: event.id, year: event.year, email, fname: "Some Name" };
      person.answer = await table
        .as(email, () => product.register({ form, byAdmin: false }, context))
        .then(
          ({ registration }) => registration.status,
          ({ code, name }: { readonly code?: string; readonly name: string }) => code ?? name,
        );
    });
    person.answered = time.now;
  };

  try {
    Math.random = random;
    Object.assign(product.seam, {
      now: () => time.now,
      pause: time.sleep,
      ...(withoutCrowds && { isCrowded: () => false }),
    });
    const record = {
      ...event,
      ename: "Rush",
      capac: seats,
      startDate: "2030-05-01T00:00:00Z",
      isPublished: true,
      isCompleted: false,
      generation: "rush-generation",
      version: 1,
      termsVersion: 1,
      scheduleVersion: 0,
      createdAt: start,
      updatedAt: start,
    };
    const TransactItems = [product.putNewEvent(record), product.putSeats(event, product.newSeats(record, false))];
    await time.run(table.direct(new TransactWriteCommand({ TransactItems })));
    Object.assign(product.client, { send: table.send });
    await time.run(Promise.all(all.map(register)));
    Object.assign(product.client, { send: table.direct });
    const wrong = await wrongWith(product, all, { seats, stored, lastSent });
    const latencies = all.map(({ arrived, answered }) => answered - arrived).sort((a, b) => a - b);
    const answers: Record<string, number> = {};
    for (const { answer } of all) answers[answer] = (answers[answer] ?? 0) + 1;
    const isSeated = ({ email }: Person) => stored.get(email)?.at(-1)?.status === "registered";
    const lastSeated = all.filter(isSeated).reduce((last, { arrived }) => Math.max(last, arrived), 0);
    const passed = all.filter((person) => !isSeated(person) && person.arrived < lastSeated);
    return {
      people,
      seats,
      answers,
      p50: rounded(quantile(latencies, 0.5)),
      p99: rounded(quantile(latencies, 0.99)),
      max: rounded(latencies.at(-1) ?? 0),
      seatsGivenAfter: seatsGivenAfter === undefined ? undefined : rounded(seatsGivenAfter),
      transactionsPerAnswer: rounded(tally.transactions / people, 2),
      callsPerAnswer: rounded(tally.calls / people, 2),
      readUnitsPerAnswer: rounded(tally.readUnits / people, 1),
      writeUnitsPerAnswer: rounded(tally.writeUnits / people, 1),
      conflicts: tally.conflicts,
      throttled: tally.throttled,
      refused: tally.refused,
      maxFunctions: functions.maxRunning,
      waitedForFunction: functions.waited,
      jumps: judge.jumps,
      overtaken: judge.overtaken,
      passedBy: passed.length,
      passedByAtMost: passed.reduce((most, { arrived }) => Math.max(most, lastSeated - arrived), 0),
      wrong,
    };
  } finally {
    const { random: ownRandom, send: ownSend, ...ownSeam } = own;
    Math.random = ownRandom;
    Object.assign(product.seam, ownSeam);
    Object.assign(product.client, { send: ownSend });
    await table.close();
  }
}

type Row = Record<string, string | undefined>;
type Product = Awaited<ReturnType<typeof openProduct>>;

interface Observed {
  readonly seats: number;
  readonly stored: ReadonlyMap<string, readonly { readonly status: string; readonly since: number }[]>;
  /** The time at which each person's last call was sent. */
  readonly lastSent: ReadonlyMap<string, number>;
}

/**
 * Checks the records for consistency with each other and with the answers. An answer must be a status that was stored
 * since the last call.
 */
async function wrongWith(product: Product, all: readonly Person[], { seats: cap, stored, lastSent }: Observed) {
  const wrong: string[] = [];
  const [seats, waiting] = [
    await product.readSeats(event, "strong"),
    await product.countLine(event, { generation: "rush-generation" }, "strong"),
  ];
  const last = [...stored.values()].map((statuses) => statuses.at(-1)?.status);
  const seated = last.filter((status) => status === "registered").length;
  const inLine = last.filter((status) => status === "waitlist").length;
  if (seats?.seats !== seated || seats.registered !== seated) wrong.push(`${seats?.seats} seats, ${seated} people`);
  if (seated > cap) wrong.push(`${seated} people on ${cap} seats`);
  if (waiting !== inLine) wrong.push(`${waiting} places, ${inLine} people who wait`);
  if (inLine > 0 && seated < cap) wrong.push(`${inLine} people wait, ${cap - seated} seats are free`);
  for (const { email, answer, answered } of all) {
    const since = lastSent.get(email) ?? 0;
    const statuses = stored.get(email) ?? [];
    const isSo = statuses.some(({ status, since: from }, index) => {
      const until = statuses[index + 1]?.since ?? Number.POSITIVE_INFINITY;
      return status === answer && from <= answered && until >= since;
    });
    const wasRefused = statuses.length === 0 && !["registered", "waitlist"].includes(answer);
    if (!isSo && !wasRefused) wrong.push(`${email} was told ${answer}, stored ${statuses.map(({ status }) => status)}`);
  }
  return wrong;
}
