/** The commands in docs/web-app.md send back all settings of a user pool: one that is left out would be reset. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const modelFiles = ["models_0.d.ts", "models_1.d.ts"].map(
  (name) => `${root}node_modules/@aws-sdk/client-cognito-identity-provider/dist-types/models/${name}`,
);

/** The settings that the SDK's request has. */
function settingsOfRequest(): string[] {
  const models = modelFiles.map((file) => readFileSync(file, "utf8")).join("\n");
  const [, members = ""] = /export interface UpdateUserPoolRequest \{(.*?)\n\}/s.exec(models) ?? [];
  return [...members.matchAll(/^ {4}(\w+)\??: /gm)].map(([, name = ""]) => name).sort();
}

/** The settings that the recipe sends. */
function settingsOfRecipe(): string[] {
  const paper = readFileSync(`${root}docs/web-app.md`, "utf8");
  const [, members = ""] = /<<'JQ'\n\{(.*?)\}\n/s.exec(paper) ?? [];
  return members
    .split(",")
    .map((member) => member.split(":")[0]?.trim() ?? "")
    .sort();
}

test("every setting that an update takes is in the recipe, and nothing else", () => {
  expect(settingsOfRequest().length).toBeGreaterThan(20);
  expect(settingsOfRecipe()).toEqual(settingsOfRequest());
});

test("nowhere else does a paper tell people to update a living pool with a single setting", () => {
  for (const name of ["deploy.md", "web-app.md", "runbook.md"]) {
    const calls = readFileSync(`${root}docs/${name}`, "utf8").matchAll(/update-user-pool (--.*)/g);
    // A pool that is going to be deleted loses nothing by it.
    for (const [, flags = ""] of calls)
      expect(flags).toMatch(/^--(?:cli-input-json|user-pool-id <pool> --deletion-protection INACTIVE)/);
  }
});
