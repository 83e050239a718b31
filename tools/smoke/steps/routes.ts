/** Every route of the contract: whether its function answers it. */
import { capabilities, type Route } from "#api/routes.ts";
import type { Answer, Measured } from "../step-kit/api.ts";
import { capabilityOf } from "../step-kit/function-of.ts";
import { adminOf, type Run, type Step } from "../step-kit/step.ts";
import { Failed } from "../step-kit/waiting.ts";
import { signIn } from "./sign-in.ts";

/** The first two response times of each function, `emails 812, 41`, in milliseconds. A 401 is the gateway's. */
function firstAnswers(answers: readonly Measured[]): string {
  const latencies = new Map<string, number[]>();
  for (const answer of answers) {
    const name = answer.status === 401 ? undefined : capabilityOf(answer);
    if (name) latencies.set(name, [...(latencies.get(name) ?? []), Math.round(answer.milliseconds)]);
  }
  const names = [...latencies.keys()].sort();
  return names.map((name) => `${name} ${latencies.get(name)?.slice(0, 2).join(", ")}`).join("; ");
}

/** The error of a function has a code. That of the gateway has none, and neither has a function's for an unknown path. */
const isAnswered = ({ status, body }: Answer): boolean => status < 400 || body?.code !== undefined;

/** A 503 with a code is a refusal: the webhook's, whose own step says more, and those that ask for a repetition. */
const works = (answer: Answer): boolean => isAnswered(answer) && (answer.status < 500 || answer.status === 503);

interface Problem {
  readonly asked: string;
  /** Status and body. */
  readonly answer: string;
}

/**
 * Asks for something that is not there. A write has no effects: its body is no JSON, which every function refuses first.
 * @returns the problem of the response
 */
async function probed({ api }: Run, token: string, key: string): Promise<Problem | undefined> {
  const [method = "", path = ""] = key.split(" ");
  const asked = path.replaceAll(/\{\w+\}/g, "smoke");
  const answer = await api.call(method, asked, { token, once: true, ...(method !== "GET" && { body: "{" }) });
  const { status, body } = answer;
  if (works(answer)) return undefined;
  return { asked: `${method} ${asked}`, answer: `${status} ${JSON.stringify(body)}`.slice(0, 200) };
}

/** Asks for the routes of one function, and for the first one again: then it may have started. */
async function problemsOf(run: Run, declared: readonly Route[]): Promise<Problem[]> {
  const { token } = adminOf(run);
  const keys = declared.flatMap((route) => route.keys);
  const problems: (Problem | undefined)[] = [];
  for (const key of [...keys, ...keys.slice(0, 1)]) problems.push(await probed(run, token, key));
  return problems.filter((problem) => problem !== undefined);
}

/** The routes of each wrong answer, which those of one function share when it does not start. */
function toldBy(problems: readonly Problem[]): string {
  const answers = new Map<string, Set<string>>();
  for (const { asked, answer } of problems) answers.set(answer, (answers.get(answer) ?? new Set()).add(asked));
  return [...answers].map(([answer, asked]) => `${[...asked].join(", ")}: ${answer}`).join("; ");
}

export const routes: Step = {
  name: "routes",
  needs: [signIn],
  async take(run) {
    const functions = Object.values(capabilities);
    const problems = (await Promise.all(functions.map((declared) => problemsOf(run, declared)))).flat();
    run.found.measured.push(`first and second answer in milliseconds: ${firstAnswers(run.api.answers)}.`);
    if (problems.length > 0) throw new Failed(`not every route works. ${toldBy(problems)}.`);
    const count = functions.flat().flatMap((route) => route.keys).length;
    return `all ${count} routes of ${functions.length} functions answer.`;
  },
};
