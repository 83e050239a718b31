/** What the local stage's S3 has besides the answers that are compared with MiniStack: events, bounds, public prefixes. */
import { CopyObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type Bucket, publicPrefixes, startBucket } from "../bucket/index.ts";

const name = "club-images";
const region = "us-west-2";
const key = "event-thumbnails/gala/optimized/ä + 1.jpg";
let bucket: Bucket;
let client: S3Client;
beforeEach(async () => {
  bucket = await startBucket({
    name,
    region,
    accountId: "000000000000",
    corsRules: [],
    publicPrefixes: ["event-thumbnails/"],
    secretOf: () => "local",
  });
  const credentials = { accessKeyId: "LOCALTest", secretAccessKey: "local" };
  client = new S3Client({ region, endpoint: bucket.url, forcePathStyle: true, maxAttempts: 1, credentials });
});
afterEach(async () => {
  client.destroy();
  await bucket.close();
});

const put = (Body: string) => client.send(new PutObjectCommand({ Bucket: name, Key: key, Body }));

test("events of puts and copies come after the write, in EventBridge's form; refused requests have none", async () => {
  const events: unknown[] = [];
  bucket.onObjectCreated((event) => events.push(event));
  await put("one");
  const CopySource = `${name}/${encodeURI(key)}`;
  await client.send(new CopyObjectCommand({ Bucket: name, Key: key, CopySource, MetadataDirective: "REPLACE" }));
  await fetch(`${bucket.url}/${name}/${encodeURI(key)}`, { method: "PUT", body: "one" });
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

test("public prefixes are the keys that the policy lets the public read", () => {
  const arn = "arn:aws:s3:::b";
  const allow = { Effect: "Allow" as const, Principal: { AWS: "*" }, Action: "s3:GetObject" };
  const statements = [
    { ...allow, Resource: `${arn}/event-thumbnails/*` },
    { ...allow, Effect: "Deny" as const, Resource: `${arn}/*` },
    { ...allow, Principal: { AWS: "arn:aws:iam::1:root" }, Resource: `${arn}/private/*` },
    { ...allow, Action: "s3:PutObject", Resource: `${arn}/inbox/*` },
    { ...allow, Resource: "arn:aws:s3:::other/*" },
  ];
  expect(publicPrefixes(statements, arn)).toEqual(["event-thumbnails/"]);
});
