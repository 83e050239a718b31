/** The linter refuses what a type cannot: a promise that is let go, the machine's clock, and free text in the log. */
import { execFile } from "node:child_process";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { givenFolder } from "./folder.ts";

const rules = "tools/upkeep/lint";
const prelude = "declare const log: never, at: Date, now: number, email: string;\nasync function work() {}\n";

const floating = "noFloatingPromises";
/** `clocks.grit` and `logs.grit`. */
const plugin = "plugin";

/** By the folder of the file: each statement, and the rule that refuses it; null for one that is right. */
const planted: readonly (readonly [folder: string, statement: string, rule: string | null])[] = [
  ["lambda/domain", "work();", floating],
  ["lambda/domain", "Promise.all([work()]);", floating],
  ["tools/ops", "work().then(() => undefined);", floating],
  ["lambda/domain", "await work();", null],
  ["lambda/domain", "void work();", null],
  ["lambda/domain", "Date.now();", plugin],
  ["lambda/outbox", "new Date();", plugin],
  ["lambda/domain", "const hour = at.getHours();", plugin],
  ["lambda/domain", "const day = new Date(now).getDay();", plugin],
  ["lambda/domain", "const shown = now.toLocaleString();", plugin],
  ["lambda/domain", 'const shown = at.toLocaleTimeString("en", {});', plugin],
  ["lambda/domain", "const iso = new Date(now).toISOString();", null],
  ["lambda/kit", "const begun = Date.now();", null],
  ["lambda/api", 'log.info("mailed to " + email, { now });', plugin],
  ["lambda/consumers", "log.warn(email);", plugin],
  ["lambda/domain", "log.error({ message: email });", plugin],
  ["lambda/domain", 'log.info("mail sent", { now });', null],
];

const open: (() => unknown)[] = [];
/** The rules that refused the file of each statement. */
let refused: ReadonlyMap<string, string>;

beforeAll(async () => {
  const folder = await givenFolder(open);
  await cp(".biome.json", join(folder, ".biome.json"));
  await cp(rules, join(folder, rules), { recursive: true });
  for (const [index, [place, statement]] of planted.entries()) {
    await mkdir(join(folder, place), { recursive: true });
    await writeFile(join(folder, place, `f${index}.ts`), `${prelude}${statement}\nexport {};\n`);
  }
  const linter = join(process.cwd(), "node_modules/.bin/biome");
  const flags = [
    "lint",
    "--vcs-enabled=false",
    "--diagnostic-level=error",
    "--max-diagnostics=none",
    "--reporter=github",
  ];
  const { stdout } = await promisify(execFile)(linter, [...flags, "."], { cwd: folder }).catch((e) => e);
  const lines = stdout.matchAll(/title=(?:lint\/nursery\/)?(noFloatingPromises|plugin),file=[^,]*?f(\d+)\.ts/g);
  refused = new Map([...lines].map(([, rule = "", index = ""]) => [index, rule]));
});

afterAll(() => Promise.all(open.map((close) => close())));

test.each(planted.map((one, index) => [...one, `${index}`] as const))(
  "%s: %s: %s",
  (_folder, _statement, rule, index) => {
    expect(refused.get(index) ?? null).toBe(rule);
  },
);
