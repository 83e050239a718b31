/** schemathesis sends requests that it makes from the reference of the API, and judges the answers by it. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pythonTool } from "../../kit/python/environment.ts";
import { falseAlarms } from "./false-alarms.ts";
import type { Finding } from "./finding.ts";
import { knownOf, type Stage, tokenOf } from "./people.ts";
import { failuresOf, type Summary } from "./reports.ts";
import { type RunName, runs, settingsOf } from "./settings.ts";

export interface Judged {
  readonly findings: readonly Finding[];
  readonly requests: number;
  readonly operations: number;
  readonly seconds: number;
}

/** Seconds for start, the last request and the reports, besides those of the run. A busy machine takes long. */
const spare = 300;

/**
 * Runs a command to its end.
 * @param folder where it may keep files
 * @returns what it printed
 * @throws Error when it takes more than so many seconds
 */
function printed(command: string, args: readonly string[], folder: string, seconds: number): Promise<string> {
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, HYPOTHESIS_STORAGE_DIRECTORY: folder },
    timeout: seconds * 1_000,
  });
  const texts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => texts.push(text));
  const end = () => child.kill();
  process.once("exit", end);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (_code, signal) => {
      process.off("exit", end);
      if (signal === null) resolve(texts.join(""));
      else reject(new Error(`schemathesis did not end in ${seconds} seconds:\n${texts.join("").slice(-4_000)}`));
    });
  });
}

/**
 * Judges all operations of the reference as one person, for about so many seconds.
 * @param role of the seeded account who asks: `user` or `admin`
 * @throws NoPythonTool; Error with the output of schemathesis when it did not judge all
 */
export async function judgeApi(
  stage: Stage,
  role: string,
  run: RunName,
  seconds: number,
  seed: number,
): Promise<Judged> {
  const bin = await pythonTool("schemathesis");
  const folder = await mkdtemp(join(tmpdir(), "judges-"));
  const [settings, summary, events] = ["settings.toml", "summary.json", "events.ndjson"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  try {
    await writeFile(settings, settingsOf(run, await tokenOf(stage, role), await knownOf(stage), falseAlarms), {
      mode: 0o600,
    });
    const args = ["--config-file", settings, "run", "docs/openapi.json", "--url", stage.apiUrl, "--no-color"];
    const bounds = ["--phases", runs[run].phases, "--seed", `${seed}`, "--max-time", `${seconds}`];
    const reports = ["--report", "json,ndjson", "--report-json-path", summary, "--report-ndjson-path", events];
    const said = await printed(join(bin, "schemathesis"), [...args, ...bounds, ...reports], folder, seconds + spare);
    const text = await readFile(summary, "utf8").catch(() => undefined);
    if (!text) throw new Error(`schemathesis did not judge:\n${said.slice(-4_000)}`);
    const { running_time, operations, test_cases, errors } = JSON.parse(text) as Summary;
    if (test_cases.generated === 0) throw new Error(`schemathesis made no request in ${seconds} seconds: give it more`);
    if (errors.length > 0) throw new Error(`schemathesis failed:\n${said.slice(-4_000)}`);
    return {
      findings: await failuresOf(events),
      requests: test_cases.generated,
      operations: operations?.tested ?? 0,
      seconds: Math.round(running_time),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
