/** A rush on the laptop stage in real time, with conflicts and partition limits, until the last mail. */
import { setTimeout as pause } from "node:timers/promises";
import { type AnsweredCall, partitionLimits } from "../laptop/dynamodb/index.ts";
import { type LocalStage, startLocalStage } from "../laptop/stage/index.ts";
import { localAssembly } from "../laptop/template/made-before.ts";

export interface LaptopRushOptions {
  readonly people: number;
  readonly seats: number;
  /** Over HTTP through the gateway, or the function alone. */
  readonly through: "http" | "function";
}

/** The result of a rush on the laptop. Times are milliseconds. */
export interface LaptopRush extends LaptopRushOptions {
  /** People by answer: the HTTP status, and the status of the registration or the code of the error. */
  readonly answers: Readonly<Record<string, number>>;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Until the last answer. */
  readonly took: number;
  readonly answersASecond: number;
  /** CPU time of the whole stage and of its callers per answer: comparable on a busy machine. */
  readonly processorPerAnswer: number;
  /** Transactions sent per answer, including conflicts, throttled and refused ones. */
  readonly transactionsPerAnswer: number;
  /** From the first request until each person has a mail; undefined when one was not sent within five minutes. */
  readonly lastMailAfter: number | undefined;
}

const year = 2030;
const mailPatience = 300_000;
const admin = "exec@club.example";

interface Reply {
  readonly status: number;
  readonly text: string;
}

type Register = (email: string) => Promise<Reply>;

async function overHttp({ outputs, identity }: LocalStage, emails: readonly string[], id: string): Promise<Register> {
  const tokens = new Map<string, string>();
  for (const email of emails) tokens.set(email, await identity.idToken(email));
  return async (email) => {
    const response = await fetch(`${outputs.apiUrl}/registrations`, {
      method: "POST",
      headers: { authorization: `Bearer ${tokens.get(email)}`, "content-type": "application/json" },
      body: JSON.stringify({ eventID: id, year, email, fname: "Ada" }),
    });
    return { status: response.status, text: await response.text() };
  };
}

const byFunction =
  (stage: LocalStage, id: string): Register =>
  async (email) => {
    const answer = await stage.invoke("Registrations", {
      version: "2.0",
      routeKey: "POST /registrations",
      rawPath: "/registrations",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ eventID: id, year, email, fname: "Ada" }),
      isBase64Encoded: false,
      requestContext: {
        requestId: email,
        timeEpoch: Date.now(),
        http: { method: "POST", path: "/registrations" },
        authorizer: { jwt: { claims: { token_use: "id", email, email_verified: "true" } } },
      },
    });
    const { statusCode, body } = answer as { statusCode: number; body: string };
    return { status: statusCode, text: body };
  };

async function createEvent({ outputs, identity }: LocalStage, id: string, capac: number): Promise<void> {
  const response = await fetch(`${outputs.apiUrl}/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${await identity.idToken(admin)}`, "content-type": "application/json" },
    body: JSON.stringify({ id, year, ename: "Rush", capac, startDate: `${year}-05-01T18:00:00Z`, isPublished: true }),
  });
  if (response.status !== 201) throw new Error(`The event was not created: ${await response.text()}`);
}

const kindOf = ({ status, text }: Reply): string => {
  const { registrationStatus, code, message } = JSON.parse(text) as Record<string, string | undefined>;
  return `${status} ${registrationStatus ?? code ?? message ?? ""}`.trim();
};

async function untilLastMail({ mailbox }: LocalStage, emails: readonly string[], began: number) {
  const missing = new Set(emails);
  let seen = 0;
  while (missing.size > 0) {
    if (performance.now() - began > mailPatience) return undefined;
    await pause(200);
    const mails = mailbox.list();
    for (const { destination } of mails.slice(seen)) {
      for (const to of destination.to) missing.delete(/[^<\s]+@[^>\s]+/.exec(to)?.[0] ?? "");
    }
    seen = mails.length;
  }
  return Math.round(performance.now() - began);
}

/**
 * Starts a stage in memory and lets all people register at the same moment.
 * @returns when all answers have arrived and the stage is idle: a function that waits for the mails of the waitlist.
 * They are sent minutes later, so the next rush can run in between.
 */
export async function rushOnLaptop({ people, seats, through }: LaptopRushOptions): Promise<() => Promise<LaptopRush>> {
  let transactions = 0;
  const stage = await startLocalStage({
    assembly: await localAssembly(),
    port: 0,
    memory: true,
    seed: false,
    quiet: true,
    partitionLimits,
    onTableCall: ({ operation, accessKeyId }: AnsweredCall) => {
      if (operation === "TransactWriteItems" && accessKeyId.includes("Registrations")) transactions += 1;
    },
  });
  try {
    await createEvent(stage, "rush", seats);
    // Warms up the function.
    await createEvent(stage, "warm", 1);
    const emails = Array.from({ length: people }, (_, index) => `p${index}@rush.example`);
    const first = through === "http" ? await overHttp(stage, ["warm@rush.example"], "warm") : byFunction(stage, "warm");
    await first("warm@rush.example");
    await stage.settled();
    const register = through === "http" ? await overHttp(stage, emails, "rush") : byFunction(stage, "rush");
    transactions = 0;
    const began = performance.now();
    const processor = process.cpuUsage();
    const times: number[] = [];
    const mails = untilLastMail(stage, emails, began);
    const replies = await Promise.all(
      emails.map(async (email) => {
        const reply = await register(email);
        times.push(performance.now() - began);
        return reply;
      }),
    );
    const took = performance.now() - began;
    const { user, system } = process.cpuUsage(processor);
    const sent = transactions;
    const answers: Record<string, number> = {};
    for (const reply of replies) answers[kindOf(reply)] = (answers[kindOf(reply)] ?? 0) + 1;
    times.sort((a, b) => a - b);
    const at = (part: number) => Math.round(times[Math.ceil(part * times.length) - 1] ?? 0);
    await stage.settled();
    return async () => {
      const lastMailAfter = await mails;
      await stage.close();
      return {
        people,
        seats,
        through,
        answers,
        p50: at(0.5),
        p99: at(0.99),
        max: at(1),
        took: Math.round(took),
        answersASecond: Math.round((people / took) * 1_000),
        processorPerAnswer: Number(((user + system) / 1_000 / people).toFixed(1)),
        transactionsPerAnswer: Number((sent / people).toFixed(2)),
        lastMailAfter,
      };
    };
  } catch (error) {
    await stage.close();
    throw error;
  }
}
