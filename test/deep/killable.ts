/** Starts a local stage in a process of its own, sends requests to it, and kills it. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { StageOutputs } from "../../tools/laptop/service-kit/outputs.ts";

const program = fileURLToPath(new URL("killable-stage.ts", import.meta.url));

export interface Running {
  readonly child: ChildProcess;
  readonly outputs: StageOutputs;
  api(
    method: string,
    path: string,
    as: string,
    body?: unknown,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Waits until no work is under way. @returns the messages in dead-letter queues, as JSON */
  settled(): Promise<readonly string[]>;
  kill(): Promise<void>;
}

export async function startKillable(assembly: string, directory: string): Promise<Running> {
  const child = fork(program, [assembly, directory], {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, NODE_OPTIONS: "" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [{ outputs }] = (await once(child, "message")) as [{ outputs: StageOutputs }];
  const answer = async <T>(message: object, isIt: (reply: T) => boolean): Promise<T> => {
    const reply = new Promise<T>((resolve) => {
      const hear = (one: unknown) => {
        if (!isIt(one as T)) return;
        child.off("message", hear);
        resolve(one as T);
      };
      child.on("message", hear);
    });
    child.send(message);
    return reply;
  };
  const tokens = new Map<string, Promise<string>>();
  const tokenFor = (email: string) => {
    const known =
      tokens.get(email) ??
      answer<{ email: string; token: string }>({ token: email }, (reply) => reply.email === email).then(
        ({ token }) => token,
      );
    tokens.set(email, known);
    return known;
  };
  return {
    child,
    outputs,
    api: async (method, path, as, body) => {
      const response = await fetch(outputs.apiUrl + path, {
        method,
        headers: { authorization: `Bearer ${await tokenFor(as)}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    settled: async () => {
      const { deadLetters } = await answer<{ settled: true; deadLetters: readonly string[] }>(
        { settle: true },
        (one) => one.settled,
      );
      return deadLetters;
    },
    kill: async () => {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}
