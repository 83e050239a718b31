/** The local bucket stores only signed bytes, and simultaneous changes do not overwrite each other. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type Bucket, startBucket } from "../bucket/index.ts";
import { memoryObjects } from "../bucket/objects.ts";

const key = "event-thumbnails/gala/optimized/1.jpg";

describe("a body whose hash is signed", () => {
  const name = "club-images";
  let bucket: Bucket;
  let client: S3Client;

  beforeEach(async () => {
    bucket = await startBucket({
      name,
      region: "us-west-2",
      accountId: "000000000000",
      corsRules: [],
      publicPrefixes: [],
      secretOf: () => "local",
    });
    client = new S3Client({
      region: "us-west-2",
      endpoint: bucket.url,
      forcePathStyle: true,
      maxAttempts: 1,
      requestChecksumCalculation: "WHEN_REQUIRED",
      credentials: { accessKeyId: "LOCALTest", secretAccessKey: "local" },
    });
  });
  afterEach(async () => {
    client.destroy();
    await bucket.close();
  });

  /** Signs one body and sends another. */
  const put = (signed: string, sent: string) => {
    const command = new PutObjectCommand({ Bucket: name, Key: key, Body: signed });
    const swap = (next: (args: { request: unknown; input: object }) => unknown) => (args: never) => {
      (args as { request: { body: unknown } }).request.body = sent;
      return next(args);
    };
    // After the step that signs.
    command.middlewareStack.add(swap as never, { step: "deserialize", priority: "low" });
    return client.send(command);
  };
  const stored = async () =>
    (await client.send(new GetObjectCommand({ Bucket: name, Key: key }))).Body?.transformToString();

  test("is stored", async () => {
    await put("one", "one");
    expect(await stored()).toBe("one");
  });

  test("is not stored when another one arrives", async () => {
    await expect(put("one", "two")).rejects.toMatchObject({ name: "XAmzContentSHA256Mismatch" });
    await expect(stored()).rejects.toMatchObject({ name: "NoSuchKey" });
  });
});

describe("changes at the same time", () => {
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
});
