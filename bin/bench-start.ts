/*
 * npx tsx bin/bench-start.ts [rounds]
 * Measures how long a cold start imports each function's bundle. The reference is a bundle of Middy, its body parser,
 * the document client and the logger alone. Each import runs in a new process. The bundles take turns, so that a busy
 * machine slows all of them in the same way.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { type FunctionName, functionEntries } from "../lambda/entries.ts";
import { buildAll, bundleOptions } from "./build.ts";

const rounds = Number(process.argv[2] ?? 15);
const root = fileURLToPath(new URL("..", import.meta.url));

const baseline = `
  import middy from "@middy/core";
  import jsonBodyParser from "@middy/http-json-body-parser";
  import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
  import { DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
  import { Logger } from "@aws-lambda-powertools/logger";
  const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  const log = new Logger();
  export const handler = middy().use(jsonBodyParser()).handler(async (event) => {
    log.info("read");
    return table.send(new GetCommand({ TableName: "t", Key: { PK: event.body.key } }));
  });`;

/** The environment of the functions. The values need not work: an import calls no service. */
const environment = {
  PATH: process.env.PATH,
  AWS_REGION: "us-west-2",
  AWS_ACCESS_KEY_ID: "bench",
  AWS_SECRET_ACCESS_KEY: "bench",
  ...Object.fromEntries(
    [
      "TABLE_NAME",
      "STAGE",
      "ADMIN_EMAIL_DOMAIN",
      "IMAGE_BUCKET",
      "IMAGE_PUBLIC_URL",
      "BUS_NAME",
      "TICKET_KEY_SECRET",
      "CHAT_WEBHOOK_SECRET",
      "WEB_APP_URL",
      "EVENT_PAGE",
      "PAYMENTS_SECRET",
      "ALLOWED_ORIGINS",
    ].map((name) => [name, "bench"]),
  ),
  ...Object.fromEntries(["NEW_REGISTRATION", "PROMOTION", "ACCEPTANCE"].map((hold) => [`${hold}_HOLD_MS`, "1"])),
  MAIL_SENDER: "bench@club.example",
  MAIL_SENDER_NAME: "Bench",
  MAIL_CONFIGURATION_SET: "bench",
  UNSUBSCRIBE_ADDRESS: "bench@club.example",
  TIME_ZONE: "America/Vancouver",
  // A function checks these values when it starts.
  CAMPAIGN_MAIL_INTERVAL_MS: "1",
  CURRENCY: "CAD",
  MEMBERSHIP_PRICE: "1500",
};

/**
 * @returns milliseconds that a new process needs for the import
 * @throws Error with the reason why the import failed, without the bundle's text around it
 */
async function importTime(file: string): Promise<number> {
  const code = `const from = performance.now(); await import(${JSON.stringify(pathToFileURL(file).href)});
    process.stdout.write(String(performance.now() - from)); process.exit();`;
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", code], { env: environment });
  const { stdout } = await run.catch(({ stderr }: { stderr: string }) => {
    throw new Error(`${file}: ${/^\w*Error: .*/m.exec(stderr)?.[0] ?? "could not be imported"}`);
  });
  return Number(stdout);
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] as number;

const folder = await mkdtemp(join(tmpdir(), "bench-start-"));
try {
  await buildAll();
  const { entryPoints, ...options } = bundleOptions("events");
  await build({ ...options, stdin: { contents: baseline, resolveDir: root }, outdir: folder, metafile: false });
  const files: Record<string, string> = { "libraries alone": join(folder, "stdin.mjs") };
  for (const name of Object.keys(functionEntries) as FunctionName[]) {
    files[name] = join(root, "dist/functions", name, "index.mjs");
  }
  const times = Object.fromEntries(Object.keys(files).map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, file] of Object.entries(files)) times[name]?.push(await importTime(file));
  }
  const reference = median(times["libraries alone"] as number[]);
  console.log(`\nImport, median of ${rounds}:`);
  for (const [name, values] of Object.entries(times)) {
    const value = median(values);
    console.log(`${name.padEnd(18)} ${value.toFixed(1).padStart(7)} ms  ${(value / reference).toFixed(2)}`);
  }
} finally {
  await rm(folder, { recursive: true });
}
