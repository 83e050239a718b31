/** Simultaneous changes of the local bucket's objects do not overwrite each other, and a kill loses none. */
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import { givenFolder } from "../../../test/unit/folder.ts";
import { folderObjects, memoryObjects } from "../bucket/objects.ts";

const key = "event-thumbnails/gala/optimized/1.jpg";
const headers = { contentType: "image/jpeg", metadata: {} };
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

test("an upload during a copy of an object onto itself is not overwritten by the old object", async () => {
  const objects = memoryObjects();
  await objects.change((store) => store.write(key, Buffer.from("old"), headers, 1));
  const copy = objects.change(async (store) => {
    const body = await store.read(key);
    // The upload would end here if it did not wait for the copy.
    await nextTurn();
    return store.write(key, body, { ...headers, cacheControl: "immutable" }, 2);
  });
  const upload = objects.change((store) => store.write(key, Buffer.from("new"), headers, 3));
  await Promise.all([copy, upload]);
  expect(String(await objects.read(key))).toBe("new");
  expect(objects.describe(key)).toMatchObject({ lastModified: 3, cacheControl: undefined });
});

test("a folder outlives the process, keeps every key inside, and loses the files that a kill left", async () => {
  const directory = await givenFolder(open);
  const folder = join(directory, "images");
  const odd = "event-thumbnails/../../out\u0000side";
  const first = await folderObjects(folder);
  for (const [name, text] of Object.entries({ [key]: "old", [odd]: "odd" })) {
    await first.change((store) => store.write(name, Buffer.from(text), headers, 1));
  }
  await first.change((store) => store.write(key, Buffer.from("new"), { ...headers, cacheControl: "immutable" }, 2));
  // Bytes and description of each of the two; the replaced ones are gone.
  expect(await readdir(folder)).toHaveLength(2 * 2);
  for (const name of ["half.tmp", "half.bin"]) await writeFile(join(folder, name), "{");

  const second = await folderObjects(folder);
  expect(String(await second.read(key))).toBe("new");
  expect(second.describe(key)).toMatchObject({ contentType: "image/jpeg", cacheControl: "immutable", lastModified: 2 });
  expect(String(await second.read(odd))).toBe("odd");
  expect(await readdir(directory)).toEqual(["images"]);
  expect(await readdir(folder)).toHaveLength(2 * 2);
});
