/** Two responses of each function: the first one may be a cold start. */
import { capabilities } from "#api/routes.ts";
import type { Measured } from "../api.ts";
import { capabilityOf } from "../function-of.ts";
import { adminOf, type Run, type Step } from "../step.ts";
import { Failed } from "../waiting.ts";
import { signIn } from "./sign-in.ts";

/** For each function a request without effects: a read, or a refused write. */
const probes: Readonly<Record<string, readonly [method: string, path: string]>> = {
  btx: ["GET", "/btx/projects"],
  door: ["POST", "/events/smoke/2099/door/devices"],
  emails: ["GET", "/emails/templates"],
  events: ["GET", "/events/getActiveEvent"],
  feedback: ["GET", "/events/smoke/2099/feedback/attendee"],
  images: ["POST", "/events/event-image-upload-url"],
  members: ["GET", "/members?limit=1"],
  "payment-webhook": ["POST", "/payments/webhook"],
  payments: ["POST", "/payments"],
  prizes: ["GET", "/prizes?limit=1"],
  profiles: ["GET", "/profiles/user"],
  registrations: ["GET", "/registrations/leaderboard"],
  users: ["GET", "/users/self"],
};

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

/** @returns the problem of the function's responses */
async function probed(run: Run, name: string): Promise<string | undefined> {
  const [method, path] = probes[name] ?? [];
  if (!method || !path) return `the run has no request for ${name}`;
  const call = { token: adminOf(run).token, once: true, ...(method !== "GET" && { body: {} }) };
  for (let n = 1; n <= 2; n += 1) {
    const { status } = await run.api.call(method, path, call);
    // Without its secret the webhook is unavailable, which is checked by the webhook's step.
    if (status >= 500 && name !== "payment-webhook") return `${method} ${path} is ${status}`;
  }
  return undefined;
}

export const functions: Step = {
  name: "functions",
  needs: [signIn],
  async take(run) {
    const names = Object.keys(capabilities);
    const wrong = (await Promise.all(names.map((name) => probed(run, name)))).filter(Boolean);
    run.found.measured.push(`first and second answer in milliseconds: ${firstAnswers(run.api.answers)}.`);
    if (wrong.length > 0) throw new Failed(`${wrong.join(", ")}.`);
    return `all ${names.length} functions of the API answer.`;
  },
};
