/** The functions as they ship: small, and without what only the build needs. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { functionEntries } from "../../lambda/entries.ts";

const folder = (name: string): string => join("dist/functions", name);
const modules = (name: string): string[] =>
  readdirSync(folder(name), { recursive: true })
    .map((file) => join(folder(name), String(file)))
    .filter((file) => file.endsWith(".mjs"));

test.each([
  // Template language and HTML tokenizer are 100 kB of it, and loaded when they are first needed.
  ["emails", 500_000],
  ["btx", 430_000],
  // A change of an event seats those who wait.
  ["events", 440_000],
  ["feedback", 430_000],
  ["registrations", 430_000],
  ["users", 430_000],
  ["members", 430_000],
  ["prizes", 430_000],
  ["profiles", 430_000],
  ["images", 550_000],
  ["pre-sign-up", 300_000],
  // The provider's package is a quarter of a megabyte.
  ["payment-webhook", 650_000],
  // The provider's client is a good part of it, and loaded when it is first needed.
  ["payments", 600_000],
])("%s weighs at most %d bytes with the SDK, deferred parts included", (name, limit) => {
  const bytes = modules(name).reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(limit);
});

/** What a function loads before its first request. */
function loadedAtStart(name: string): string[] {
  const loaded = new Set([join(folder(name), "index.mjs")]);
  for (const file of loaded) {
    for (const [, path] of readFileSync(file, "utf8").matchAll(/\b(?:from|import)"(\.[^"]+)"/g)) {
      loaded.add(join(dirname(file), path as string));
    }
  }
  return [...loaded];
}

// Words that survive minifying: of the template language and of the provider's client.
test.each([
  ["emails", "strictFilters"],
  ["payments", "StripeSignatureVerificationError"],
])("%s loads its heaviest part when it is first needed", (name, word) => {
  const holders = modules(name).filter((file) => readFileSync(file, "utf8").includes(word));
  expect(holders).not.toEqual([]);
  expect(loadedAtStart(name).filter((file) => holders.includes(file))).toEqual([]);
});

test.each(Object.keys(functionEntries))("%s ships no schema compiler and no CDK", (name) => {
  const text = modules(name)
    .map((file) => readFileSync(file, "utf8"))
    .join();
  // Words that survive minifying: of ajv's compiler, of TypeBox and of the CDK.
  for (const word of ["schema is invalid", "~kind", "aws-cdk-lib"]) expect(text).not.toContain(word);
});
