/** The functions as they ship: small, and without the code that only the build needs. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { type FunctionName, functionEntries } from "../../lib/entries.ts";
import { readBundleSizes } from "../../tools/build/bundle-sizes.ts";

const sizes = await readBundleSizes();
const folder = (name: string): string => join("dist/functions", name);
const modules = (name: string): string[] =>
  readdirSync(folder(name), { recursive: true })
    .map((file) => join(folder(name), String(file)))
    .filter((file) => file.endsWith(".mjs"));

/**
 * What a person does who makes a function larger than its limit. The limits are a tenth above the sizes of the day on
 * which they were written: room for some routes and fields, and none for a package that came along unseen.
 */
const advice = (name: string, bytes: number, limit: number): string =>
  `${name} has ${bytes} bytes and may have ${limit}. "npm run build" prints the sizes, and dist/sizes/${name}.json the ` +
  "packages. If they grew by what you wanted, write a tenth more than the size as the limit in test/unit/bundles.test.ts; " +
  "a package that only one route needs is imported at its first use.";

/** The sentence when the bytes are above the limit. */
const tooLarge = (name: string, bytes: number, limit: number): string[] =>
  bytes > limit ? [advice(name, bytes, limit)] : [];

/** Bytes that a function loads before its first request. A cold start pays a millisecond for each 30,000. */
const mostAtStart: Readonly<Record<FunctionName, number>> = {
  btx: 368_000,
  emails: 368_000,
  // The schemas of an event's body are 125 kB.
  events: 580_000,
  // With calendar entries.
  calendar: 450_000,
  feedback: 322_000,
  door: 364_000,
  pages: 340_000,
  // With the S3 client.
  images: 470_000,
  members: 415_000,
  // The provider's package is 246 kB.
  "payment-webhook": 614_000,
  payments: 530_000,
  prizes: 310_000,
  profiles: 320_000,
  registrations: 613_000,
  users: 410_000,
  relay: 202_000,
  announce: 364_000,
  "clear-up": 430_000,
  "close-checkout": 453_000,
  "forget-user": 430_000,
  "keep-books": 430_000,
  promoter: 431_000,
  // With the mail composer and the template language.
  "send-campaign": 683_000,
  "send-chat": 370_000,
  // With the mail composer, calendar entries and QR codes.
  "send-mail": 774_000,
  "suppress-address": 356_000,
  "cache-header": 337_000,
  "pre-sign-up": 280_000,
  reconcile: 420_000,
  sweeper: 303_000,
};

test.each(Object.entries(mostAtStart))("%s loads at most %d bytes at its start", (name, most) => {
  const { atStart, packages } = sizes[name as FunctionName];
  expect(tooLarge(name, atStart, most)).toEqual([]);
  // The parts are what is loaded, but for the bundler's own lines: no package is left out.
  const parts = Object.values(packages).reduce((sum, bytes) => sum + bytes, 0);
  expect(parts).toBeLessThanOrEqual(atStart);
  expect(parts).toBeGreaterThan(atStart * 0.95);
});

/** Clients of AWS's services that a function calls from its first request on; of the others the table's. */
const clientsAtStart: Readonly<Partial<Record<FunctionName, readonly string[]>>> = {
  images: ["client-dynamodb", "client-s3"],
  "cache-header": ["client-s3"],
  relay: ["client-eventbridge"],
  "pre-sign-up": ["client-cognito-identity-provider", "client-dynamodb"],
  "send-mail": ["client-dynamodb", "client-ses"],
  "send-campaign": ["client-dynamodb", "client-ses"],
};

test.each(Object.keys(mostAtStart) as FunctionName[])(
  "%s loads the clients that its routes need, and no others",
  (name) => {
    const packages = Object.keys(sizes[name].packages);
    const clients = packages.filter((one) => one.includes("/client-")).map((one) => one.replace("@aws-sdk/", ""));
    expect(clients.sort()).toEqual(clientsAtStart[name] ?? ["client-dynamodb"]);
    // Lambda has the credentials in the environment. Other providers, and packages of one route, are loaded when needed.
    const deferred = /credential-provider-(?!env$)|nested-clients|^(bowser|liquidjs|htmlparser2|aws-jwt-verify)$/;
    expect(packages.filter((one) => deferred.test(one))).toEqual(name === "send-campaign" ? ["liquidjs"] : []);
  },
);

/** The code that a function loads before its first request. */
function loadedAtStart(name: string): string[] {
  const loaded = new Set([join(folder(name), "index.mjs")]);
  for (const file of loaded) {
    for (const [, path] of readFileSync(file, "utf8").matchAll(/\b(?:from|import)"(\.[^"]+)"/g)) {
      loaded.add(join(dirname(file), path as string));
    }
  }
  return [...loaded];
}

// These words survive minifying: one of the template language, one of the provider's client.
test.each([
  ["emails", "strictFilters"],
  ["payments", "StripeSignatureVerificationError"],
])("%s loads its largest part only at its first use", (name, word) => {
  const holders = modules(name).filter((file) => readFileSync(file, "utf8").includes(word));
  expect(holders).not.toEqual([]);
  expect(loadedAtStart(name).filter((file) => holders.includes(file))).toEqual([]);
});

test.each(Object.keys(functionEntries))("%s ships no schema compiler and no CDK", (name) => {
  const text = modules(name)
    .map((file) => readFileSync(file, "utf8"))
    .join();
  // These words survive minifying: of ajv's compiler, of TypeBox and of the CDK.
  for (const word of ["schema is invalid", "~kind", "aws-cdk-lib"]) expect(text).not.toContain(word);
});
