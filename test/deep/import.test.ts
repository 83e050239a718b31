/**
 * The whole of the present backend moves in: 10,000 users, 3,000 members, 100 events, 40,000 registrations and 500 odd
 * rows. The import is killed twice on its way and begun again. The figures are printed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { localAssembly } from "../../tools/laptop/template/made-before.ts";
import { type Made, makeSource } from "../service/import-source.ts";
import { type Running, startKillable } from "./killable.ts";

const size = { users: 10_000, members: 3_000, events: 100, registrations: 40_000, odd: 500, now: Date.now() };

let folder: string;
let running: Running;
let made: Made;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "import-"));
  running = await startKillable(await localAssembly({}), join(folder, "stage"));
  await writeFile(join(folder, "outputs.json"), JSON.stringify(running.outputs));
  made = await makeSource(join(folder, "source"), size);
});
afterAll(async () => {
  await running.kill();
  await rm(folder, { recursive: true, force: true });
});

interface Import {
  readonly child: ChildProcess;
  readonly lines: string[];
  /** The exit code; null when it was killed. */
  readonly ended: Promise<number | null>;
}

function begin(onLine: (line: string) => void = () => undefined): Import {
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const report = join(folder, "report");
  const files = ["--from", join(folder, "source"), "--to", join(folder, "outputs.json"), "--report", report];
  const child = spawn(process.execPath, ["bin/start.mjs", "once", "import", ...files, "--yes"], { env });
  const lines: string[] = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const all = (rest + text).split("\n");
    rest = all.pop() ?? "";
    for (const line of all) {
      lines.push(line);
      onLine(line);
    }
  });
  const ended = once(child, "exit").then(([code]) => code as number | null);
  return { child, lines, ended };
}

/** Kills an import at the first line of progress of a step. */
async function killedAt(step: RegExp): Promise<Import> {
  const started: Import = begin((line) => {
    if (step.test(line)) started.child.kill("SIGKILL");
  });
  expect(await started.ended).toBeNull();
  return started;
}

/** The numbers of a line like `users  10,031 unchanged, 3 new`. */
function countsIn(lines: readonly string[], kind: string): Record<string, number> {
  const words = "new|unchanged|newer in the source|older|made here|changed here|deleted here";
  const line = lines.findLast((one) => new RegExp(`^${kind} +[\\d,]+ (?:${words})`).test(one)) ?? "";
  const counts = [...line.matchAll(new RegExp(`([\\d,]+) (${words})`, "g"))];
  return Object.fromEntries(counts.map(([, number = "", word]) => [word, Number(number.replaceAll(",", ""))]));
}

test("an import of the club's size, killed twice, is whole in the end, and its repetition changes nothing", async () => {
  const first = await killedAt(/^users: /);
  const second = await killedAt(/^registrations: /);
  const third = begin();
  expect({ code: await third.ended, end: third.lines.slice(-12) }).toMatchObject({ code: 0 });
  const registrations = (made.rows.registrations ?? 0) - (made.refused.registrations ?? 0);
  const { new: fresh = 0, unchanged = 0 } = countsIn(third.lines, "registrations");
  // The kill was in the middle.
  expect(unchanged).toBeGreaterThan(0);
  expect(fresh).toBeGreaterThan(0);
  expect(fresh + unchanged).toBe(registrations);
  const fourth = begin();
  expect(await fourth.ended).toBe(0);
  for (const kind of ["events", "users", "members", "profiles", "registrations", "feedback", "prizes"]) {
    const all = (made.rows[kind] ?? 0) - (made.refused[kind] ?? 0);
    expect({ kind, ...countsIn(fourth.lines, kind) }).toEqual({ kind, unchanged: all });
  }
  const consistent = "All is consistent: seats, line, counters, points, accounts and profile ids.";
  expect([third.lines.includes(consistent), fourth.lines.includes(consistent)]).toEqual([true, true]);
  // No person was told, and no message is under way.
  expect(await running.settled()).toEqual([]);
  const { emails } = (await (await fetch(`${running.outputs.mailUrl}/store`)).json()) as { emails: unknown[] };
  expect(emails).toEqual([]);
  expect(await (await fetch(`${running.outputs.chatUrl}/messages`)).json()).toEqual([]);
  for (const [name, { lines }] of Object.entries({ first, second, third, fourth })) {
    console.info(
      `${name}:\n${lines
        .filter((line) => !/ a second\)$/.test(line))
        .slice(-16)
        .join("\n")}`,
    );
  }
}, 1_800_000);
