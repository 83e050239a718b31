/** Requests as large as the service takes, and how the time that they need grows with their size. */
import type { Check } from "../documented.ts";
import { answerTo, type Call, drawnDevice, Literal } from "./calls.ts";
import type { Operation } from "./operations.ts";
import { placesIn, replaced, valueAt } from "./places.ts";
import { problemOf, reportOf } from "./run.ts";
import { admin, type World } from "./world.ts";

/** Characters of the large field. With the other fields the body stays below 256 KB. */
const size = 240_000;

const half = (n: number): number => Math.floor(n / 2);

/** Values of `n` characters in JSON. */
const fillings: Readonly<Record<string, (n: number) => unknown>> = {
  blanks: (n) => `a${" ".repeat(n)}a`,
  quotes: (n) => '"'.repeat(half(n)),
  brackets: (n) => "[<{(".repeat(n / 4),
  emoji: (n) => "\u{1F600}".repeat(n / 4),
  backslashes: (n) => "\\".repeat(half(n)),
  digits: (n) => new Literal("1".repeat(n)),
  "nested lists": (n) => new Literal("[".repeat(half(n)) + "]".repeat(half(n))),
  "nested objects": (n) => new Literal(`${'{"a":'.repeat(n / 6)}1${"}".repeat(n / 6)}`),
  "many entries": (n) => new Literal(`[${"1,".repeat(half(n))}1]`),
  "many fields": (n) => new Literal(`{${Array.from({ length: n / 9 }, (_, at) => `"${at % 10}${at}":1`).join()}}`),
};

/** Whole bodies of `n` characters. */
const wholeBodies: Readonly<Record<string, (n: number) => string>> = {
  blanks: (n) => " ".repeat(n),
  "blanks behind a body": (n) => `{}${" ".repeat(n)}`,
  quotes: (n) => '"'.repeat(n),
  "a text": (n) => `"${"\u{1F600}".repeat(n / 4)}"`,
  brackets: (n) => "[".repeat(n),
  braces: (n) => '{"a":'.repeat(n / 5),
  "nested lists": (n) => "[".repeat(half(n)) + "]".repeat(half(n)),
  backslashes: (n) => `"${"\\".repeat(n)}"`,
  emoji: (n) => "\u{1F600}".repeat(n / 4),
  digits: (n) => "1".repeat(n),
};

/** Microseconds of the processor in all threads of this process: also of the functions, and not of other test files. */
async function cost(send: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await send();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

async function cheapest(send: () => Promise<unknown>): Promise<number> {
  const costs: number[] = [];
  for (let run = 0; run < 3; run += 1) costs.push(await cost(send));
  return Math.min(...costs);
}

/** A busy machine and the work of consumers may slow a run down, so a slow result is measured again. */
const tries = 4;

/**
 * Whether four times the size costs at most eight times as much: the square of it would be sixteen times. A request
 * that costs no more than `floor` is fast enough.
 */
export async function growsInProportion(send: (n: number) => Promise<unknown>, floor: number): Promise<boolean> {
  if ((await cost(() => send(size))) <= floor) return true;
  for (let count = 0; count < tries; count += 1) {
    const short = await cheapest(() => send(size / 4));
    if ((await cheapest(() => send(size))) <= Math.max(floor, 8 * short)) return true;
  }
  return false;
}

interface Sizes {
  readonly world: World;
  readonly operations: readonly Operation[];
  readonly check: Check;
}

interface LargeCall {
  readonly name: string;
  callOf(n: number): Call;
}

/** The reference's own example as a request of someone who may send it. */
export function exampleOf(operation: Operation, world: World): Call {
  const device = drawnDevice(operation, world);
  return {
    operation,
    as: device ? undefined : admin,
    path: operation.paths[0] as string,
    params: Object.fromEntries(
      operation.parameters
        .filter((one) => one.in === "path")
        .map(({ name, example }) => [name, device?.params[name] ?? String(example)]),
    ),
    query: operation.parameters
      .filter((one) => one.in === "query" && one.required)
      .map(({ name, example }) => [name, String(example)]),
    headers: { ...device?.headers },
    body: operation.bodyExample,
    changed: [],
  };
}

function largeCallsOf(operation: Operation, world: World): LargeCall[] {
  const example = exampleOf(operation, world);
  const { body } = example;
  const surplus = ["surplus"];
  const texts = placesIn(body).filter((place) => typeof valueAt(body, place) === "string");
  const inFields = Object.entries(fillings).flatMap(([name, filling]) =>
    [...texts, surplus].map((place) => ({
      name: `${name} in ${place.join("/")}`,
      callOf: (n: number): Call => ({ ...example, body: replaced(body, place, () => filling(n)), changed: [name] }),
    })),
  );
  const whole = Object.entries(wholeBodies).map(([name, text]) => ({
    name: `a body of ${name}`,
    callOf: (n: number): Call => ({ ...example, text: text(n), changed: [name] }),
  }));
  return [...inFields, ...whole];
}

/** @returns a report for each answer to a large body that is wrong, and the names of the bodies that cost too much */
export async function sendLarge({ world, operations, check }: Sizes) {
  const faults: string[] = [];
  const slow: string[] = [];
  await world.stage.settled();
  let floor: number | undefined;
  for (const operation of operations.filter(({ body }) => body !== undefined)) {
    const send = async (call: Call) => {
      const answer = await answerTo(call, world);
      const problem = problemOf(call, answer, check);
      if (problem !== undefined) faults.push(reportOf(call, answer, problem));
    };
    // What it costs to parse many small values that are dropped then. All operations have one parser.
    floor ??=
      3 *
      (await cheapest(() =>
        send({ ...exampleOf(operation, world), text: `{"surplus":[${"1,".repeat(half(size))}1]}` }),
      ));
    const limit = floor;
    for (const { name, callOf } of largeCallsOf(operation, world)) {
      if (!(await growsInProportion((n) => send(callOf(n)), limit))) slow.push(`${operation.operationId}: ${name}`);
    }
  }
  return { faults: [...new Set(faults)], slow };
}

/** Bytes of a parameter. With the token and the other headers, the request stays below the gateway's 10 KB. */
const longestParameter = 7_500;

/** Sends every parameter of a path or query as long as the gateway takes it. @returns a report for each wrong answer */
export async function sendLongParameters({ world, operations, check }: Sizes): Promise<string[]> {
  const faults: string[] = [];
  const texts = ["a", " ", '"', "[", "\\", "\u{1F600}", ",", "#", "1"].map((one) =>
    one.repeat(Math.floor(longestParameter / encodeURIComponent(one).length)),
  );
  for (const operation of operations) {
    for (const { name, in: place } of operation.parameters.filter((one) => one.in !== "header")) {
      for (const text of texts) {
        const example = exampleOf(operation, world);
        const call: Call = {
          ...example,
          ...(place === "path"
            ? { params: { ...example.params, [name]: text } }
            : { query: [...example.query.filter(([other]) => other !== name), [name, text] as const] }),
          changed: ["a long parameter"],
        };
        const answer = await answerTo(call, world);
        const problem = problemOf(call, answer, check);
        if (problem !== undefined) faults.push(reportOf(call, answer, problem));
      }
    }
  }
  return faults;
}
