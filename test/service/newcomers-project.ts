/** The project as a newcomer has it: a copy in a folder of its own, with the packages of this one. */
import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach } from "@jest/globals";
import { assertFree, portsFrom } from "../../tools/laptop/stage/ports.ts";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Copies the project without its packages, bundles and data. @returns the folder; the caller must delete it */
export async function givenCopy(...without: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "newcomer-"));
  const parts = [
    "bin",
    "client",
    "lib",
    "lambda",
    "tools",
    "docs/openapi.json",
    "package.json",
    "tsconfig.json",
    "cdk.json",
  ];
  for (const part of parts)
    if (!without.includes(part))
      await cp(join(root, part), join(folder, part), {
        recursive: true,
        filter: (path) => !path.includes("/tools/") || !path.endsWith("/node_modules"),
      });
  if (!without.includes("node_modules")) await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** A port with free ports after it, so that a stage can start there. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const port = 20_000 + Math.floor(Math.random() * 30_000);
    if (await isFree(port)) return port;
  }
  throw new Error("No free ports were found.");
}

/** Whether a stage could take the port and the ports after it. */
export const isFree = (port: number): Promise<boolean> =>
  assertFree(portsFrom(port)).then(
    () => true,
    () => false,
  );

/** A command that was started in a process group of its own, as a terminal does it. */
export interface Command {
  readonly process: ChildProcess;
  /** All that it has printed. */
  said(): string;
  /** Waits until it prints the text, from the place on where the last wait ended. @throws Error when it ends before */
  until(text: string | RegExp): Promise<string>;
  /** Waits for the end. @returns status or signal, and all that it printed */
  ended(): Promise<{ readonly status: number | string | null; readonly said: string }>;
}

/** Starts a program in a folder. Variables that npm and jest set for themselves are not passed on. */
function command(
  folder: string,
  [program = "", ...args]: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Command {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_OPTIONS$|^NODE_VERSION_TOLD$|^INIT_CWD$/i.test(name)),
  );
  const child = spawn(program, args, { cwd: folder, env: { ...env, ...variables }, detached: true });
  let said = "";
  let seen = 0;
  let status: number | string | null | undefined;
  let changed: () => void = () => undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      changed();
    });
  }
  child.on("close", (code, signal) => {
    status = code ?? signal;
    changed();
  });
  const change = () =>
    new Promise<void>((resolve) => {
      changed = resolve;
    });
  return {
    process: child,
    said: () => said,
    until: async (text) => {
      const pattern = typeof text === "string" ? new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")) : text;
      for (;;) {
        const found = pattern.exec(said.slice(seen));
        if (found) {
          const from = seen;
          seen += found.index + found[0].length;
          return said.slice(from, seen);
        }
        if (status !== undefined)
          throw new Error(`The command ended with ${status} before it printed ${text}:\n${said}`);
        await change();
      }
    },
    ended: async () => {
      while (status === undefined) await change();
      return { status, said: said.trim() };
    },
  };
}

/**
 * Starts commands in `folder`: in this project, until a test makes another folder. After each test, what is left of the
 * commands and their children is ended, and that folder is deleted.
 */
export function givenTerminal() {
  const terminal = { folder: root };
  let commands: Command[] = [];
  afterEach(async () => {
    for (const { process: child } of commands) {
      try {
        process.kill(-(child.pid as number), "SIGKILL");
      } catch {
        // The group has ended.
      }
    }
    commands = [];
    const { folder } = terminal;
    terminal.folder = root;
    if (folder !== root) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return Object.assign(terminal, {
    run: (words: readonly string[], variables?: Readonly<Record<string, string>>, where = terminal.folder): Command => {
      const started = command(where, words, variables);
      commands.push(started);
      return started;
    },
  });
}
