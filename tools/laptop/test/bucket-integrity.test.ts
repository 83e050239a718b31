/** Simultaneous changes of the local bucket's objects do not overwrite each other. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { memoryObjects } from "../bucket/objects.ts";

const key = "event-thumbnails/gala/optimized/1.jpg";

const headers = { contentType: "image/jpeg", metadata: {} };

test("an upload during a copy of an object onto itself is not overwritten by the old object", async () => {
  const objects = memoryObjects();
  await objects.change((store) => store.write(key, Buffer.from("old"), headers, 1));
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const copy = objects.change(async (store) => {
    const body = await store.read(key);
    await held;
    return store.write(key, body, { ...headers, cacheControl: "immutable" }, 2);
  });
  const upload = objects.change((store) => store.write(key, Buffer.from("new"), headers, 3));
  // The upload would have ended here if it did not wait for the copy.
  await nextTurn();
  goOn();
  await Promise.all([copy, upload]);

  expect(String(await objects.read(key))).toBe("new");
  expect(objects.describe(key)).toMatchObject({ lastModified: 3, cacheControl: undefined });
});

test("one that fails does not stop the next", async () => {
  const objects = memoryObjects();
  await expect(objects.change(() => Promise.reject(new Error("disk full")))).rejects.toThrow("disk full");
  await objects.change((store) => store.write(key, Buffer.from("new"), headers, 1));
  expect(String(await objects.read(key))).toBe("new");
});
