/** Sends random requests for all operations in a random order to one stage, and judges every answer. */
import fc from "fast-check";
import { draw } from "../../seeds.ts";
import type { Check } from "../documented.ts";
import { type Answered, addressOf, answerTo, bodyText, type Call, sent, soundCall } from "./calls.ts";
import { mutated } from "./mutations.ts";
import type { Operation } from "./operations.ts";
import { admin, type World } from "./world.ts";

/** How often each operation has given each answer. */
export class Coverage {
  readonly #counts = new Map<string, Map<string, number>>();

  count(operationId: string, outcome: string): void {
    const counts = this.#counts.get(operationId) ?? new Map<string, number>();
    this.#counts.set(operationId, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
  }

  /** Whether an operation has given an answer like this. */
  has(operationId: string, outcome: RegExp): boolean {
    return [...(this.#counts.get(operationId)?.keys() ?? [])].some((one) => outcome.test(one));
  }

  /** @returns the share of all answers that are like this */
  share(outcome: RegExp): number {
    const all = [...this.#counts.values()].flatMap((counts) => [...counts]);
    const sum = (those: typeof all) => those.reduce((total, [, count]) => total + count, 0);
    return sum(all.filter(([one]) => outcome.test(one))) / sum(all);
  }

  /** A line for each operation. */
  toString(): string {
    const lines = [...this.#counts].map(([id, counts]) => {
      const outcomes = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([one, count]) => `${one}: ${count}`);
      return `${id.padEnd(24)} ${outcomes.join(", ")}`;
    });
    return lines.sort().join("\n");
  }
}

/** Words that show a mistake of the service's code, or its inside. */
const inside =
  /undefined|\[object |node_modules|\.mjs|dynamo|\bajv\b|ConditionalCheck|TypeError|SyntaxError| at .*:\d+:\d+/gi;

/** Whether a sentence of an answer shows the inside. A word that the request has sent may come back. */
function showsInside(sentence: string, call: Call): boolean {
  const sent = `${addressOf(call)} ${bodyText(call) ?? ""}`;
  return [...sentence.matchAll(inside)].some(([word]) => !sent.includes(word));
}

/** Bytes of an error's body, at most. A refusal that repeats what was sent would be longer. */
const longestProblem = 20_000;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The headers of an answer, as `fetch` shows them. */
const readable = (headers: Answered["headers"]) => ({
  get: (name: string) => (headers[name.toLowerCase()] as string | undefined) ?? null,
});

/** What is wrong with an answer; undefined when nothing is. */
export function problemOf(call: Call, { status, headers, text }: Answered, check: Check): string | undefined {
  const contentType = String(headers["content-type"] ?? "");
  const address = addressOf(call);
  // The greedy routes of paths with a slash at their end ask for a token first.
  const isGateway401 = status === 401 && call.as === undefined && text === '{"message":"Unauthorized"}';
  const answered = { status, contentType, text, headers: readable(headers) };
  const undescribed = check({ method: call.operation.method, path: address, ...answered });
  if (undescribed && !isGateway401) return undescribed;
  if (status >= 500) return `${status}: ${text}`;
  if (status < 400) {
    if (headers["cache-control"] !== "no-store") return "a cache may store it";
    if (call.mustBeRefused) return `${status} for a request that must be refused`;
    return undefined;
  }
  const {
    message,
    issues = [],
    ...rest
  } = parsed(text) as {
    message: string;
    issues?: readonly { readonly path: string; readonly message: string }[];
  };
  const sentences = [message, ...issues.map((issue) => issue.message), JSON.stringify({ ...rest, requestId: "" })];
  if (message.trim() === "" || message.length > 5_000) return `the message has ${message.length} characters`;
  if (sentences.some((sentence) => showsInside(sentence, call))) return `it shows the inside: ${text.slice(0, 500)}`;
  if (issues.some(({ path }) => !path.startsWith("/"))) return `an issue has no path: ${text.slice(0, 500)}`;
  return text.length > longestProblem ? `the refusal has ${text.length} characters` : undefined;
}

/** A call and its answer for people: enough to send it again. */
export function reportOf(call: Call, { status, text }: Answered, problem: string): string {
  const { operation, as = "a stranger", headers, changed } = call;
  const body = bodyText(call);
  return [
    `${operation.operationId}: ${problem}`,
    `  ${operation.method} ${addressOf(call).slice(0, 1_000)} as ${as} ${JSON.stringify(headers)}`,
    ...(body === undefined ? [] : [`  ${body.slice(0, 800)}`]),
    ...(changed.length > 0 ? [`  changed: ${changed.join(", ")}`] : []),
    `  answer: ${status} ${text.slice(0, 500)}`,
  ].join("\n");
}

/** Which outcome an answer is: its status, and its code if it has one. */
const outcomeOf = ({ status, text }: Answered): string =>
  `${status} ${(parsed(text) as { code?: string } | undefined)?.code ?? ""}`.trim();

interface Run {
  readonly world: World;
  readonly operations: readonly Operation[];
  readonly check: Check;
  /** Requests for each operation that fit the reference, and changed ones. */
  readonly sound: number;
  readonly hostile: number;
}

/** Lists give cursors only when they are read in pages. */
async function collectCursors({ world, operations, check }: Run): Promise<void> {
  const paged = operations.filter(({ parameters }) => parameters.some(({ name }) => name === "cursor"));
  for (const operation of paged) {
    for (let tries = 0; tries < 6 && world.cursorsOf(operation.operationId).length < 2; tries += 1) {
      const call = soundCall(operation, world);
      const query = [...call.query.filter(([name]) => !/cursor|limit|format/.test(name)), ["limit", "1"]] as const;
      const one = { ...call, as: admin, query: query as Call["query"] };
      const answer = await answerTo(one, world);
      if (problemOf(one, answer, check) === undefined) {
        world.learn(operation, answer.headers["x-next-cursor"] as string | undefined, parsed(answer.text));
      }
    }
  }
}

/** Sound requests of an admin until one reaches a rule or a record of the service, at most. */
const maxTries = 40;

/** A success, or a refusal by a record or a rule of the service: not by schema or access. */
export const isReached = /^(2\d\d|404|409|403 (?!FORBIDDEN))/;

/** @returns what the operations answered to sound requests, and a report for each answer that is wrong */
export async function run(options: Run): Promise<{ readonly coverage: Coverage; readonly faults: readonly string[] }> {
  const { world, operations, check, sound, hostile } = options;
  const coverage = new Coverage();
  const faults: string[] = [];
  const send = async (call: Call): Promise<void> => {
    const answer = await answerTo(call, world);
    if (call.changed.length === 0) coverage.count(call.operation.operationId, outcomeOf(answer));
    const problem = problemOf(call, answer, check);
    if (problem !== undefined) faults.push(reportOf(call, answer, problem));
    else if (answer.status < 300) {
      world.learn(call.operation, answer.headers["x-next-cursor"] as string | undefined, parsed(answer.text));
    }
  };
  await collectCursors(options);
  const rounds = operations.flatMap((operation) => [
    ...Array.from({ length: sound }, () => ({ operation, isSound: true })),
    ...Array.from({ length: hostile }, () => ({ operation, isSound: false })),
  ]);
  for (const { operation, isSound } of draw(fc.shuffledSubarray(rounds, { minLength: rounds.length }))) {
    const call = soundCall(operation, world);
    await send(isSound ? call : mutated(call, world));
  }
  for (const operation of operations) {
    for (let tries = 0; tries < maxTries && !coverage.has(operation.operationId, isReached); tries += 1) {
      await send({ ...soundCall(operation, world), as: admin });
    }
  }
  return { coverage, faults };
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "TRACE"];

/** Addresses and methods that differ a little from those of an operation. */
function nearMisses({ method, paths, parameters }: Operation): (readonly [method: string, address: string])[] {
  const filled = (path: string) =>
    parameters.reduce(
      (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
      path,
    );
  return paths.flatMap((path) => {
    const address = filled(path);
    const others = [
      `${address}/`,
      `${address}//`,
      `/${address}`,
      `${address}/x`,
      `${address}%2F`,
      `${address}%00`,
      `${address};a=b`,
      `${address}%23x`,
      `${address}?`,
      address.slice(0, -1),
      address.toUpperCase(),
      path,
    ];
    return [...others.map((other) => [method, other] as const), ...methods.map((other) => [other, address] as const)];
  });
}

/** Sends requests that no operation has, or another one. @returns a report for each answer that is wrong */
export async function sendNearMisses({ world: { stage }, operations, check }: Omit<Run, "sound" | "hostile">) {
  const faults: string[] = [];
  const authorization = `Bearer ${await stage.tokenFor(admin)}`;
  const misses = operations.flatMap(nearMisses);
  for (const [method, address] of new Map(misses.map((miss) => [miss.join(" "), miss])).values()) {
    const { status, headers, text } = await sent(stage.outputs.apiUrl, method, address, { authorization }, undefined);
    const contentType = String(headers["content-type"] ?? "");
    const isGateways = status === 404 && (text === '{"message":"Not Found"}' || method === "HEAD");
    const problem =
      status >= 500
        ? text
        : isGateways
          ? undefined
          : check({ method, path: address, status, contentType, text, headers: readable(headers) });
    if (problem !== undefined) faults.push(`${method} ${address}: ${status} ${problem}`);
  }
  return faults;
}
