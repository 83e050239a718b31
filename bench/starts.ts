/**
 * What a cold start of each function loads, and how long that takes. The reference is a bundle of Middy, its body parser,
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
import { bundleOptions } from "../bin/build.ts";
import { type FunctionName, functionEntries } from "../lambda/entries.ts";
import { type BundleSize, readBundleSizes } from "../lib/bundle-sizes.ts";

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

/** The start of one function. */
export interface Start {
  readonly name: FunctionName;
  /** What it loads, in bytes. */
  readonly size: BundleSize;
  /** Median of the imports. */
  readonly milliseconds: number;
}

/** All starts, and the two references beside which they are read on a slower or busier machine. */
export interface Starts {
  readonly functions: readonly Start[];
  /** Median milliseconds of an import of the libraries alone. */
  readonly libraries: number;
  /** Median milliseconds of an import of an empty module: this is Node itself. */
  readonly nothing: number;
}

/**
 * Imports each bundle of the last build so many times.
 * @throws Error when the functions are not built, or a bundle cannot be imported
 */
export async function measureStarts(rounds: number): Promise<Starts> {
  const folder = await mkdtemp(join(tmpdir(), "bench-starts-"));
  try {
    const { entryPoints, ...options } = bundleOptions("events");
    const reference = { ...options, metafile: false };
    await build({ ...reference, stdin: { contents: baseline, resolveDir: root }, outdir: join(folder, "libraries") });
    await build({ ...reference, stdin: { contents: "export {};", resolveDir: root }, outdir: join(folder, "nothing") });
    const names = Object.keys(functionEntries) as FunctionName[];
    const files = [
      join(folder, "libraries/stdin.mjs"),
      join(folder, "nothing/stdin.mjs"),
      ...names.map((name) => join(root, "dist/functions", name, "index.mjs")),
    ];
    const times = files.map((): number[] => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, file] of files.entries()) times[index]?.push(await importTime(file));
    }
    const [libraries = 0, nothing = 0, ...medians] = times.map(median);
    const sizes = await readBundleSizes();
    const functions = names.map((name, index) => ({ name, size: sizes[name], milliseconds: medians[index] as number }));
    return { functions, libraries, nothing };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(0);

/** A table of Markdown: for each function the bytes at its start, its largest packages, and the time of the import. */
export function startsTable({ functions, libraries, nothing }: Starts): string {
  const largest = ({ packages }: BundleSize) =>
    Object.entries(packages)
      .slice(0, 6)
      .map(([name, bytes]) => `${name} ${kilobytes(bytes)}`)
      .join(", ");
  return [
    "| function | kB at start | kB in all | import, ms | times the libraries | its largest parts, kB |",
    "|---|--:|--:|--:|--:|---|",
    ...functions.map(
      ({ name, size, milliseconds }) =>
        `| ${name} | ${kilobytes(size.atStart)} | ${kilobytes(size.total)} | ${milliseconds.toFixed(1)} | ${(milliseconds / libraries).toFixed(2)} | ${largest(size)} |`,
    ),
    `| the libraries alone | | | ${libraries.toFixed(1)} | 1.00 | |`,
    `| an empty module | | | ${nothing.toFixed(1)} | ${(nothing / libraries).toFixed(2)} | |`,
  ].join("\n");
}
