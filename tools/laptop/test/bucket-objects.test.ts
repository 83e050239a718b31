/** The SDK's operations, CORS and events of the local stage's S3. */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { type Bucket, type BucketOptions, publicPrefixes, startBucket } from "../bucket/index.ts";

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
    remove: (Key: string, IfMatch?: string) => client.send(new DeleteObjectCommand({ Bucket, Key, IfMatch })),
    client,
  };
}

describe("objects", () => {
  test("come back as they were put", async () => {
    const { put, head, text } = await givenBucket();
    await put(key, "one", { CacheControl: "no-cache", Metadata: { by: "exec" } });
    expect(await text(key)).toBe("one");
    expect(await head(key)).toMatchObject({
      ContentType: "image/jpeg",
      CacheControl: "no-cache",
      ContentLength: 3,
      ETag: '"f97c5d29941bfb1b2fdab0874906ab82"',
      Metadata: { by: "exec" },
    });
  });

  test("are streamed in the SDK's chunks", async () => {
    const { client, text } = await givenBucket();
    const body = "0123456789".repeat(20_000);
    const Body = Readable.from([Buffer.from(body.slice(0, 70_000)), Buffer.from(body.slice(70_000))]);
    await client.send(new PutObjectCommand({ Bucket: name, Key: key, Body, ContentLength: body.length }));
    expect((await text(key)) === body).toBe(true);
  });

  test("are gone once deleted, and deleting again is fine", async () => {
    const { put, remove, text } = await givenBucket();
    await put(key, "one");
    await remove(key);
    await remove(key);
    await expect(text(key)).rejects.toMatchObject({ name: "NoSuchKey" });
  });

  test("are deleted only as long as they are what the caller has read", async () => {
    const { put, remove, head } = await givenBucket();
    const { ETag: former } = await put(key, "one");
    const { ETag } = await put(key, "two");
    await expect(remove(key, former)).rejects.toMatchObject({ name: "PreconditionFailed" });
    expect(await head(key)).toMatchObject({ ETag });
    await remove(key, ETag);
    await expect(remove(key, ETag)).rejects.toMatchObject({ name: "NoSuchKey" });
  });

  test("are copied with their headers, or with new ones", async () => {
    const { put, head, copy } = await givenBucket();
    await put(key, "one", { Metadata: { by: "exec" } });
    await copy("event-thumbnails/copy.jpg");
    expect(await head("event-thumbnails/copy.jpg")).toMatchObject({
      ContentType: "image/jpeg",
      Metadata: { by: "exec" },
    });
    await copy(key, { MetadataDirective: "REPLACE", ContentType: "image/png", CacheControl: "immutable" });
    expect(await head(key)).toMatchObject({ ContentType: "image/png", CacheControl: "immutable", Metadata: {} });
  });

  test("are not copied onto themselves for nothing, nor when they have changed", async () => {
    const { put, copy, text } = await givenBucket();
    const { ETag } = await put(key, "one");
    await expect(copy(key)).rejects.toMatchObject({ name: "InvalidRequest" });
    await put(key, "two");
    const replace = { MetadataDirective: "REPLACE", ContentType: "image/jpeg" };
    await expect(copy(key, { ...replace, CopySourceIfMatch: ETag })).rejects.toMatchObject({
      name: "PreconditionFailed",
    });
    expect(await text(key)).toBe("two");
    await expect(copy("event-thumbnails/x", { CopySource: `${name}/nothing` })).rejects.toMatchObject({
      name: "NoSuchKey",
    });
  });

  test("can be read by the public below the public prefix only, and not written", async () => {
    const { bucket, put } = await givenBucket();
    await put("private/list.csv", "secret");
    await put("event-thumbnails/1.jpg", "image");
    const status = async (path: string, method = "GET") => (await fetch(bucket.url + path, { method })).status;
    expect(await status(`/${name}/event-thumbnails/1.jpg`)).toBe(200);
    expect(await status(`/${name}/event-thumbnails/1.jpg`, "HEAD")).toBe(200);
    expect(await status(`/${name}/event-thumbnails/1.jpg`, "DELETE")).toBe(403);
    expect(await status(`/${name}/private/list.csv`)).toBe(403);
    expect(await status(`/${name}/event-thumbnails/../private/list.csv`)).toBe(403);
    expect(await status(`/${name}/event-thumbnails/%2e%2e/private/list.csv`)).toBe(403);
    expect(await status(`/${name}`)).toBe(403);
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

describe("CORS", () => {
  const corsRules = [
    {
      AllowedOrigins: ["http://localhost:3000"],
      AllowedMethods: ["PUT"],
      AllowedHeaders: ["Content-Type"],
      MaxAge: 3600,
    },
  ];
  const preflight = async (bucket: Bucket, origin: string, method: string, headers?: string) =>
    fetch(`${bucket.url}/${name}/event-thumbnails/1.jpg`, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": method,
        ...(headers && { "access-control-request-headers": headers }),
      },
    });

  test("lets the web application upload", async () => {
    const { bucket } = await givenBucket({ corsRules });
    const allowed = await preflight(bucket, "http://localhost:3000", "PUT", "content-type");
    expect(allowed.status).toBe(200);
    expect(Object.fromEntries(allowed.headers)).toMatchObject({
      "access-control-allow-origin": "http://localhost:3000",
      "access-control-allow-methods": "PUT",
      "access-control-allow-headers": "content-type",
      "access-control-max-age": "3600",
    });
    // A refusal must be readable as well.
    const refused = await fetch(`${bucket.url}/${name}/x`, {
      method: "PUT",
      headers: { origin: "http://localhost:3000" },
      body: "x",
    });
    expect(refused.status).toBe(403);
    expect(refused.headers.get("access-control-allow-origin")).toBe("http://localhost:3000");
  });

  test.each([
    ["another origin", "http://localhost:3001", "PUT", "content-type"],
    ["an origin that begins the same", "http://localhost:3000.evil.example", "PUT", "content-type"],
    ["another method", "http://localhost:3000", "DELETE", "content-type"],
    ["another header", "http://localhost:3000", "PUT", "content-type, x-amz-acl"],
  ])("refuses %s", async (_, origin, method, headers) => {
    const { bucket } = await givenBucket({ corsRules });
    const refused = await preflight(bucket, origin, method, headers);
    expect(refused.status).toBe(403);
    expect(refused.headers.get("access-control-allow-origin")).toBeNull();
    expect(await refused.text()).toContain("<Code>AccessForbidden</Code>");
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
