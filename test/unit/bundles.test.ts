/** The functions as they ship: small, and without the code that only the build needs. */
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
  // Template language and HTML tokenizer are 100 kB of this bundle. They are loaded at their first use.
  ["emails", 515_000],
  ["btx", 430_000],
  // A change of an event also promotes people who wait. The check of tokens on public routes is loaded at its first use.
  ["events", 493_000],
  ["feedback", 430_000],
  ["registrations", 470_000],
  ["users", 430_000],
  ["members", 430_000],
  ["prizes", 430_000],
  ["profiles", 430_000],
  ["images", 550_000],
  ["pre-sign-up", 300_000],
  ["suppress-address", 345_000],
  // The provider's package adds 250 kB.
  ["payment-webhook", 650_000],
  // The provider's client is a large part of this bundle. It is loaded at its first use. A free seat is confirmed here.
  ["payments", 625_000],
])("%s weighs at most %d bytes with the SDK, deferred parts included", (name, limit) => {
  const bytes = modules(name).reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(limit);
});

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
