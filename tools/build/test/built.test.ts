/** Tests of the functions refuse bundles that are older than their sources. */
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { givenFolder } from "../../../test/unit/folder.ts";

const { sourceNewerThanBundle } = await import(new URL("../../../test/built.mjs", import.meta.url).href);

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});
let root: string;
/** Writes a file with the time of its last change, in seconds. */
const write = async (file: string, at: number, text = "") => {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), text);
  await utimes(join(root, file), at, at);
};

beforeEach(async () => {
  root = await givenFolder(open);
  await write("bin/build.ts", 100);
  await write("lambda/a.ts", 100);
  await write("lambda/b.ts", 100);
  for (const name of ["one", "two"]) await write(`dist/functions/${name}/index.mjs`, 100);
  const functions = { one: ["lambda/a.ts"], two: ["lambda/b.ts"] };
  await write("dist/inputs.json", 100, JSON.stringify({ build: ["bin/build.ts"], functions }));
});

test("a changed source is newer until all of its bundles are built again", async () => {
  await write("lambda/b.ts", 101);
  await write("dist/functions/one/index.mjs", 102);
  expect(await sourceNewerThanBundle(root)).toBe("lambda/b.ts");
  await write("dist/functions/two/index.mjs", 102);
  expect(await sourceNewerThanBundle(root)).toBeUndefined();
});

test("a changed source of the page is newer until the page is built again", async () => {
  const pages = { "door/service-worker.js": ["client/door/door.css"] };
  await write("client/door/door.css", 101);
  await write("dist/door/service-worker.js", 100);
  await write("dist/inputs.json", 100, JSON.stringify({ build: [], functions: {}, pages }));
  expect(await sourceNewerThanBundle(root)).toBe("client/door/door.css");
  await write("dist/door/service-worker.js", 102);
  expect(await sourceNewerThanBundle(root)).toBeUndefined();
});

test("the build counts as a source, and without a build all sources are newer", async () => {
  await write("bin/build.ts", 101);
  expect(await sourceNewerThanBundle(root)).toBe("bin/build.ts");
  await write("dist/inputs.json", 102, JSON.stringify({ build: [], functions: { one: ["lambda/gone.ts"] } }));
  expect(await sourceNewerThanBundle(root)).toBe("lambda/gone.ts");
  root = await givenFolder(open);
  expect(await sourceNewerThanBundle(root)).toBe("every source");
});
