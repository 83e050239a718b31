/** The SDK's operations, CORS and events of the local stage's S3. */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import {
  CopyObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { type BucketOptions, publicPrefixes, startBucket } from "../bucket/index.ts";

const name = "club-images";
const region = "us-west-2";
const key = "event-thumbnails/gala/optimized/ä + 1.jpg";
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

async function givenBucket(more: Partial<BucketOptions> = {}) {
  const bucket = await startBucket({
    name,
    region,
    accountId: "000000000000",
    corsRules: [],
    publicPrefixes: ["event-thumbnails/"],
    secretOf: (accessKeyId) => (accessKeyId === "LOCALTest" ? "local" : undefined),
    ...more,
  });
  const client = new S3Client({
    region,
    endpoint: bucket.url,
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: "LOCALTest", secretAccessKey: "local" },
  });
  open.push(async () => {
    client.destroy();
    await bucket.close();
  });
  const Bucket = name;
  return {
    bucket,
    put: (Key: string, Body: string, fields = {}) =>
      client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: "image/jpeg", ...fields })),
    head: (Key: string) => client.send(new HeadObjectCommand({ Bucket, Key })),
    text: async (Key: string) => (await client.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString(),
    copy: (Key: string, fields = {}) =>
      client.send(new CopyObjectCommand({ Bucket, Key, CopySource: `${name}/${encodeURI(key)}`, ...fields })),
    client,
  };
}

describe("objects", () => {
  test("are streamed in the SDK's chunks", async () => {
    const { client, text } = await givenBucket();
    const body = "0123456789".repeat(20_000);
    const Body = Readable.from([Buffer.from(body.slice(0, 70_000)), Buffer.from(body.slice(70_000))]);
    await client.send(new PutObjectCommand({ Bucket: name, Key: key, Body, ContentLength: body.length }));
    expect((await text(key)) === body).toBe(true);
  });

  test("are not read by a detour", async () => {
    const { bucket, put } = await givenBucket();
    await put("private/list.csv", "secret");
    const status = async (path: string) => (await fetch(bucket.url + path)).status;
    expect(await status(`/${name}/event-thumbnails/../private/list.csv`)).toBe(403);
    expect(await status(`/${name}/%`)).toBe(400);
  });

  test("are found by the bucket's host name too", async () => {
    const { bucket, put } = await givenBucket();
    await put("event-thumbnails/1.jpg", "image");
    const status = await new Promise((resolve, reject) => {
      const headers = { host: `${name}.s3.localhost` };
      request(`${bucket.url}/event-thumbnails/1.jpg`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end();
    });
    expect(status).toBe(200);
  });

  test("may not be too large", async () => {
    const { client, head } = await givenBucket();
    const Body = Buffer.alloc(50 * 1024 * 1024 + 1);
    await expect(client.send(new PutObjectCommand({ Bucket: name, Key: "large", Body }))).rejects.toMatchObject({
      name: "EntityTooLarge",
    });
    await expect(head("large")).rejects.toMatchObject({ name: "NotFound" });
  });

  test("are not mistaken for their tags", async () => {
    const { client, put, text } = await givenBucket();
    await put(key, "one");
    const tags = new PutObjectTaggingCommand({ Bucket: name, Key: key, Tagging: { TagSet: [] } });
    await expect(client.send(tags)).rejects.toMatchObject({ name: "NotImplemented" });
    expect(await text(key)).toBe("one");
  });
});

describe("events", () => {
  test("of a put and of a copy come after the write, in EventBridge's form", async () => {
    const { bucket, put, copy } = await givenBucket();
    const events: unknown[] = [];
    bucket.onObjectCreated((event) => events.push(event));
    await put(key, "one");
    await copy(key, { MetadataDirective: "REPLACE", ContentType: "image/jpeg" });
    const event = (reason: string) => ({
      version: "0",
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      "detail-type": "Object Created",
      source: "aws.s3",
      account: "000000000000",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      region,
      resources: [`arn:aws:s3:::${name}`],
      detail: {
        version: "0",
        bucket: { name },
        object: { key, size: 3, etag: "f97c5d29941bfb1b2fdab0874906ab82", sequencer: expect.any(String) },
        "request-id": expect.stringMatching(/^[0-9A-F]{16}$/),
        requester: "000000000000",
        "source-ip-address": "127.0.0.1",
        reason,
      },
    });
    expect(events).toEqual([event("PutObject"), event("CopyObject")]);
    const [first, second] = events as { detail: { object: { sequencer: string } } }[];
    expect(String(second?.detail.object.sequencer) > String(first?.detail.object.sequencer)).toBe(true);
  });

  test("of refused requests do not come", async () => {
    const { bucket } = await givenBucket();
    const events: unknown[] = [];
    bucket.onObjectCreated((event) => events.push(event));
    await fetch(`${bucket.url}/${name}/${encodeURI(key)}`, { method: "PUT", body: "one" });
    expect(events).toEqual([]);
  });
});

describe("a folder of objects", () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "bucket-"));
  });
  afterAll(() => rm(directory, { recursive: true }));

  test("outlives the process, keeps every key inside, and removes the files that a kill left", async () => {
    const folder = join(directory, "images");
    const first = await givenBucket({ directory: folder });
    const odd = "event-thumbnails/..%2f..%2fout\u0000side";
    await first.put(key, "one", { CacheControl: "immutable" });
    await first.put(odd, "odd");
    const texts = Array.from({ length: 20 }, (_, index) => String(index));
    await Promise.all(texts.map((text) => first.put("event-thumbnails/same", text)));
    // Bytes and description of each of the three; replaced files are gone.
    expect(await readdir(folder)).toHaveLength(2 * 3);
    // Not closed, as after a kill.
    await writeFile(join(folder, "half.tmp"), "{");
    await writeFile(join(folder, "half.bin"), "half");
    const last = await first.text("event-thumbnails/same");

    const second = await givenBucket({ directory: folder });
    expect(await second.text(key)).toBe("one");
    expect(await second.head(key)).toMatchObject({ CacheControl: "immutable", ContentType: "image/jpeg" });
    expect(await second.text(odd)).toBe("odd");
    expect(await second.text("event-thumbnails/same")).toBe(last);
    expect(await readdir(directory)).toEqual(["images"]);
    expect(await readdir(folder)).toHaveLength(2 * 3);
  });
});

test("public prefixes are the keys that the policy lets the public read", () => {
  const arn = "arn:aws:s3:::b";
  const allow = { Effect: "Allow" as const, Principal: { AWS: "*" }, Action: "s3:GetObject" };
  expect(
    publicPrefixes(
      [
        { ...allow, Resource: `${arn}/event-thumbnails/*` },
        { ...allow, Effect: "Deny", Resource: `${arn}/*` },
        { ...allow, Principal: { AWS: "arn:aws:iam::1:root" }, Resource: `${arn}/private/*` },
        { ...allow, Action: "s3:PutObject", Resource: `${arn}/inbox/*` },
        { ...allow, Resource: "arn:aws:s3:::other/*" },
      ],
      arn,
    ),
  ).toEqual(["event-thumbnails/"]);
});
