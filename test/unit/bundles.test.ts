/** The functions as they ship: small, and without what only the build needs. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { functionEntries } from "../../lambda/entries.ts";

const folder = (name: string): string => join("dist/functions", name);
const modules = (name: string): string[] =>
  readdirSync(folder(name), { recursive: true })
    .map((file) => join(folder(name), String(file)))
    .filter((file) => file.endsWith(".mjs"));

test.each([
  // The template language is 120 kB of it.
  ["emails", 480_000],
  ["btx", 430_000],
  ["events", 430_000],
  ["feedback", 430_000],
  ["registrations", 430_000],
  ["users", 430_000],
  ["members", 430_000],
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

test.each(Object.keys(functionEntries))("%s ships no schema compiler and no CDK", (name) => {
  const text = modules(name)
    .map((file) => readFileSync(file, "utf8"))
    .join();
  // Words that survive minifying: of ajv's compiler, of TypeBox and of the CDK.
  for (const word of ["schema is invalid", "~kind", "aws-cdk-lib"]) expect(text).not.toContain(word);
});
