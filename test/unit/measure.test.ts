/** `npm run upkeep -- measure` counts the project as it is. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";

test("every line has what was counted, and a number", () => {
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const lines = execFileSync(process.execPath, ["bin/start.mjs", "upkeep", "measure"], { cwd, encoding: "utf8" })
    .trimEnd()
    .split("\n");
  expect(lines.length).toBeGreaterThan(20);
  for (const line of lines) expect(line).toMatch(/^.+: \d/);
});
