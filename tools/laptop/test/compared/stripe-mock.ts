/** stripe-mock, Stripe's own judge of requests by its published OpenAPI document, where it is installed. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** https://github.com/stripe/stripe-mock: in the path, or where the variable says. */
const program = process.env.STRIPE_MOCK ?? "stripe-mock";

/** Whether this machine judges. */
export const isJudged = spawnSync(program, ["-version"]).status === 0;
if (!isJudged) {
  console.warn(
    "SKIPPED: requests to Stripe and the laptop's objects are NOT judged by stripe-mock, which is not installed.",
  );
}

export interface Judge {
  readonly url: string;
  stop(): Promise<void>;
}

/** @throws Error when it ends before it listens */
export async function startJudge(): Promise<Judge> {
  const process = spawn(program, ["-http-addr", "127.0.0.1:", "-https-addr", "127.0.0.1:"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(process, "exit");
  const stop = async () => {
    process.kill();
    await ended;
  };
  for await (const line of createInterface(process.stdout)) {
    const [, address] = /Listening for HTTP at address: (\S+)/.exec(line) ?? [];
    if (address === undefined) continue;
    process.stdout.resume();
    return { url: `http://${address}`, stop };
  }
  throw new Error("stripe-mock has not started.");
}
