/** A start builds again exactly when the bundles are not those of the sources. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { functionEntries } from "../../../lib/entries.ts";
import { givenFolder } from "../../../test/unit/folder.ts";
import { builtFrom, noted, sourceHash } from "../source-hash.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});
let root: string;
const write = async (file: string, text: string) => {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), text);
};
const isFresh = async () => (await builtFrom(root)) === (await sourceHash(root));
const build = async () => {
  for (const name of Object.keys(functionEntries)) await write(`dist/functions/${name}/index.mjs`, "bundle");
  for (const file of ["door/service-worker.js", "pages/manifest.json"]) await write(`dist/${file}`, "bundle");
};

beforeEach(async () => {
  root = await givenFolder(open);
  for (const file of [
    "bin/a.ts",
    "client/door/g.css",
    "lambda/kit/b.ts",
    "lib/c.ts",
    "tools/build/e.ts",
    "tools/laptop/f.ts",
  ])
    await write(file, file);
  for (const file of ["cdk.json", "package-lock.json", "package.json", "tsconfig.json"]) await write(file, "{}");
});

test("nothing is fresh before the first build, and all is after it", async () => {
  expect(await isFresh()).toBe(false);
  await noted(true, build, root);
  expect(await isFresh()).toBe(true);
  expect(await isFresh()).toBe(true);
});

describe("after a build", () => {
  beforeEach(() => noted(true, build, root));

  test.each<[string, () => Promise<void>]>([
    ["another text", () => write("lambda/kit/b.ts", "x")],
    ["a new file", () => write("lib/new/d.ts", "")],
    ["a file less", () => rm(join(root, "bin/a.ts"))],
    ["other packages", () => write("package-lock.json", "{ }")],
    ["a missing bundle", () => rm(join(root, "dist/functions/events/index.mjs"))],
  ])("%s is built again", async (_what, change) => {
    await change();
    expect(await isFresh()).toBe(false);
  });

  test("a part that was built of other sources is noticed when they come back", async () => {
    await write("lib/c.ts", "x");
    await noted(false, build, root);
    await write("lib/c.ts", "lib/c.ts");
    expect(await isFresh()).toBe(false);
  });

  test("a build that fails, or whose sources change meanwhile, is not noted", async () => {
    await expect(noted(true, () => Promise.reject(new Error("broken")), root)).rejects.toThrow("broken");
    expect(await isFresh()).toBe(false);
    await noted(true, () => write("lib/c.ts", "x"), root);
    expect(await isFresh()).toBe(false);
  });
});
