/** Our Lambda function, and what each function is told. */
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { capabilities } from "#api/routes.ts";
import { functionEntries } from "../../lib/entries.ts";
import type { StageName } from "../../lib/stages.ts";
import {
  broken,
  givenTemplates,
  ofType,
  ownFunctions,
  type StageTemplate,
  stageNames,
  textOf,
} from "./stage-templates.ts";

let templates: Record<StageName, StageTemplate>;
beforeAll(async () => {
  templates = await givenTemplates();
});

const functions = (template: StageTemplate) => ownFunctions(template).map(([, resource]) => resource);

/** Which secret a function has to read, not what is in it. */
const isNameOfSecret = (template: StageTemplate, name: string, value: unknown): boolean =>
  name.endsWith("_SECRET") &&
  (typeof value === "string"
    ? /^club-events\/[a-z]+\/[a-z-]+$/.test(value)
    : template.Resources[(value as { Ref: string }).Ref]?.Type === "AWS::SecretsManager::Secret");

/** Names and values in a function's environment that look like something to keep secret. */
function secretLooking(template: StageTemplate): string[] {
  return functions(template).flatMap(({ Properties }) =>
    Object.entries(Properties.Environment.Variables as Record<string, unknown>)
      .filter(([name, value]) => !isNameOfSecret(template, name, value))
      .filter(
        ([name, value]) =>
          /SECRET|PASSWORD|PASSWD|TOKEN|CREDENTIAL|PRIVATE|API_?KEY|ACCESS_?KEY/i.test(name) ||
          /\{\{resolve:|AKIA[0-9A-Z]{16}|-----BEGIN|\b(sk|whsec|rk)_\w+|hooks\.|:\/\/[^/]*:[^/]*@/.test(textOf(value)),
      )
      .map(([name]) => name),
  );
}

describe.each(stageNames)("functions, %s", (stage) => {
  test("runs every bundle once, and of what the CDK brings along the upload of the pages alone", () => {
    const names = functions(templates[stage]).map(
      ({ Properties }) => Properties.Environment?.Variables.POWERTOOLS_SERVICE_NAME,
    );
    expect(names.sort()).toEqual(Object.keys(functionEntries).sort());
    const others = ofType(templates[stage], "AWS::Lambda::Function").length - names.length;
    expect(others).toBe(stage === "local" ? 0 : 1);
  });

  test("every function that answers requests gives up before the gateway does, but after its own retries", () => {
    const answering = new Set(Object.keys(capabilities));
    const timeouts = functions(templates[stage])
      .filter(({ Properties }) => answering.has(Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME))
      .map(({ Properties }) => Properties.Timeout);
    expect(timeouts).toHaveLength(answering.size);
    for (const timeout of timeouts) {
      expect(timeout).toBeGreaterThanOrEqual(15);
      expect(timeout).toBeLessThan(30);
    }
  });

  test("no function is told a secret", () => {
    expect(secretLooking(templates[stage])).toEqual([]);
  });
});

test.each([
  ["PAYMENT_SECRET", "x"],
  ["DATABASE", "https://user:pass@database.example"],
  ["STRIPE", "sk_live_x"],
  ["PAYMENTS_SECRET", "sk_test_x"],
  ["CHAT_WEBHOOK_SECRET", "https://hooks.chat.example/T0/B0/x"],
  ["CHAT", "{{resolve:secretsmanager:chat}}"],
])("a secret in %s would be noticed", (name, value) => {
  const leaking = broken(templates.production, (template) => {
    functions(template)[0]!.Properties.Environment.Variables[name] = value;
  });
  expect(secretLooking(leaking)).toEqual([name]);
});

const repository = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, repository), "utf8");
const codeIn = (folder: string, ending: string): string[] =>
  readdirSync(new URL(folder, repository), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => read(`${folder}/${file}`));

/** Every setting that code of functions reads. */
const settingNames = [
  ...new Set(
    codeIn("lambda", ".ts").flatMap((code) =>
      [...code.matchAll(/\b(?:requiredEnv|milliseconds)\("(\w+)"\)/g)].map(([, name]) => name as string),
    ),
  ),
].sort();

/** The settings that a bundle demands with `requiredEnv`. */
function demandedIn(bundle: string): string[] {
  const text = codeIn(`dist/functions/${bundle}`, ".mjs").join("\n");
  return settingNames.filter((name) => new RegExp(`[\\w$]\\("${name}"\\)`).test(text));
}

/** Demanded by the first token that is sent to a route which the stage makes public. */
const ofPublicRoutes = ["TOKEN_AUDIENCE", "TOKEN_ISSUER"];

/** What packages read, what code reads if it is there, and what comes with a resource. */
const others = /^(?:NODE_OPTIONS|LOG_LEVEL|STAGE|VERIFIED_EMAIL_ONLY|PUBLIC_ROUTES|IMAGE_PUBLIC_URL)$/;

test("each function has the settings that its code demands, and no others; name them in `settings` of its declaration, a table's in `table`", () => {
  const wrong = stageNames.flatMap((stage) =>
    functions(templates[stage]).flatMap(({ Properties: { Environment } }) => {
      const { POWERTOOLS_SERVICE_NAME: bundle, ...given } = Environment.Variables;
      const needed = demandedIn(bundle).filter((name) => "PUBLIC_ROUTES" in given || !ofPublicRoutes.includes(name));
      const lacks = needed.filter((name) => !(name in given));
      const ignores = Object.keys(given).filter((name) => !needed.includes(name) && !others.test(name));
      return lacks.length + ignores.length > 0 ? [{ stage, bundle, lacks, ignores }] : [];
    }),
  );
  expect(wrong).toEqual([]);
});

test("control: the settings of a bundle are found", () => {
  expect(demandedIn("door")).toEqual(["ADMIN_EMAIL_DOMAIN", "DOOR_PAGE", "TABLE_NAME", "TICKET_KEY_SECRET"]);
});
