/** S3: objects, uploads to presigned addresses, CORS, and what the public may read. */
import {
  CopyObjectCommand,
  type CopyObjectCommandInput,
  CreateBucketCommand,
  DeleteObjectCommand,
  DeletePublicAccessBlockCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutBucketCorsCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { expect } from "@jest/globals";
import { startBucket } from "../../bucket/index.ts";
import { compareWithMiniStack, type Difference, laptopClient, type Operation } from "./compare.ts";

const Bucket = "club-images";
const key = "event-thumbnails/gala/ä + 1.jpg";
const never = "event-thumbnails/never.jpg";

type Settings = ReturnType<typeof laptopClient>;
interface Side {
  readonly settings: Settings;
  readonly client: S3Client;
  close(): unknown;
}

const clientOf = (settings: Settings) =>
  new S3Client({
    ...settings,
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
  });

const put = ({ client }: Side, Body: string, more: Partial<PutObjectCommandInput> = {}) =>
  client.send(new PutObjectCommand({ Bucket, Key: key, Body, ContentType: "image/jpeg", ...more }));
const head = async ({ client }: Side, Key = key) => {
  const found = await client.send(new HeadObjectCommand({ Bucket, Key }));
  const { ContentType, CacheControl, ContentLength, ETag, Metadata } = found;
  return { ContentType, CacheControl, ContentLength, ETag, Metadata };
};
const text = async ({ client }: Side, Key = key) =>
  (await client.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString();
const remove = async ({ client }: Side, Key = key, IfMatch?: string) => {
  await client.send(new DeleteObjectCommand({ Bucket, Key, IfMatch }));
  return "removed";
};
const copy = ({ client }: Side, more: Partial<CopyObjectCommandInput> = {}) =>
  client.send(new CopyObjectCommand({ Bucket, Key: key, CopySource: `${Bucket}/${encodeURI(key)}`, ...more }));
/** The name of the error of a call that is refused on the way. */
const refusalOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "fine",
    (error: Error) => error.name,
  );

const one = { ContentLength: 3, ETag: '"f97c5d29941bfb1b2fdab0874906ab82"' };
const objects: readonly Operation<Side>[] = [
  [
    "lists objects in pages, in the order of their keys",
    async ({ client }) => {
      for (const Key of ["list/b & c.jpg", "list/ä.jpg", "list/a.jpg", "other.jpg"]) {
        await client.send(new PutObjectCommand({ Bucket, Key, Body: "one" }));
      }
      const page = { Bucket, Prefix: "list/", MaxKeys: 2 };
      const first = await client.send(new ListObjectsV2Command(page));
      const more = { ...page, ContinuationToken: first.NextContinuationToken };
      const second = await client.send(new ListObjectsV2Command(more));
      return [first, second].map(({ Contents = [], IsTruncated }) => [
        Contents.map(({ Key, ETag, Size }) => [Key, ETag, Size]),
        IsTruncated,
      ]);
    },
    [
      [["list/a.jpg", "list/b & c.jpg"].map((name) => [name, one.ETag, one.ContentLength]), true],
      [[["list/ä.jpg", one.ETag, one.ContentLength]], false],
    ],
  ],
  [
    "an object comes back as it was put",
    async (side) => {
      await put(side, "one", { CacheControl: "no-cache", Metadata: { by: "exec" } });
      return [await text(side), await head(side)];
    },
    ["one", { ...one, ContentType: "image/jpeg", CacheControl: "no-cache", Metadata: { by: "exec" } }],
  ],
  [
    "a copy has the headers of its source",
    async (side) => {
      await copy(side, { Key: "event-thumbnails/copy.jpg" });
      return head(side, "event-thumbnails/copy.jpg");
    },
    { ...one, ContentType: "image/jpeg", CacheControl: "no-cache", Metadata: { by: "exec" } },
  ],
  [
    "a copy may have new headers",
    async (side) => {
      await copy(side, { MetadataDirective: "REPLACE", ContentType: "image/png", CacheControl: "immutable" });
      return head(side);
    },
    { ...one, ContentType: "image/png", CacheControl: "immutable", Metadata: {} },
  ],
  [
    "nothing is copied that has changed",
    async (side) => {
      const { ETag } = await put(side, "one");
      await put(side, "two");
      const refusal = await refusalOf(
        copy(side, { MetadataDirective: "REPLACE", ContentType: "image/jpeg", CopySourceIfMatch: ETag }),
      );
      return [refusal, await text(side)];
    },
    ["PreconditionFailed", "two"],
  ],
  [
    "an object is deleted only as long as it is what the caller has read",
    async (side) => {
      const { ETag: former } = await put(side, "one");
      const { ETag } = await put(side, "two");
      const refusal = await refusalOf(remove(side, key, former));
      return [refusal, await remove(side, key, ETag), await refusalOf(remove(side, key, ETag))];
    },
    ["PreconditionFailed", "removed", "NoSuchKey"],
  ],
  ["a deleted object is not read", (side) => text(side), "NoSuchKey"],
  [
    "a body of another hash than the signed one is not stored",
    async (side) => {
      const command = new PutObjectCommand({ Bucket, Key: never, Body: "one" });
      const swap = (next: (args: never) => unknown) => (args: never) => {
        (args as { request: { body: unknown } }).request.body = "two";
        return next(args);
      };
      // After the step that signs.
      command.middlewareStack.add(swap as never, { step: "deserialize", priority: "low" });
      const client = clientOf(side.settings);
      return [await refusalOf(client.send(command)), await refusalOf(text(side, never))];
    },
    ["XAmzContentSHA256Mismatch", "NoSuchKey"],
  ],
];

interface Presigning extends Partial<Settings> {
  readonly key?: string;
  /** Whether the type is signed as well; it is when absent. */
  readonly isBound?: boolean;
  /** Seconds before now at which it was signed, for 60 seconds. */
  readonly age?: number;
}
/** The address of an upload as the images function makes it. */
const presign = ({ settings }: Side, { key: Key = never, isBound = true, age = 0, ...more }: Presigning = {}) =>
  getSignedUrl(clientOf({ ...settings, ...more }), new PutObjectCommand({ Bucket, Key, ContentType: "image/jpeg" }), {
    expiresIn: 60,
    signingDate: new Date(Date.now() - age * 1000),
    ...(isBound && { signableHeaders: new Set(["content-type"]) }),
  });
/** Status, and S3's code for the error. */
async function said(response: Response): Promise<string> {
  const [, code] = /<Code>(.*)<\/Code>/.exec(await response.text()) ?? [];
  return [response.status, code].filter(Boolean).join(" ");
}
const jpeg = { "content-type": "image/jpeg" };
const upload = async (url: string, headers: Record<string, string> = jpeg, method = "PUT") =>
  said(await fetch(url, { method, headers, ...(method === "PUT" && { body: "one" }) }));
const changed = (url: string, change: (url: URL) => unknown): string => {
  const other = new URL(url);
  change(other);
  return other.href;
};
const withParameter = (url: string, name: string, value: string) =>
  changed(url, ({ searchParams }) => searchParams.set(name, value));
const keys = (settings: Settings, more: Partial<Settings["credentials"]>) => ({
  credentials: { ...settings.credentials, ...more },
});

const refused = "403 SignatureDoesNotMatch";
const uploads: readonly (readonly [string, (side: Side) => Promise<string>, string])[] = [
  ["the right type", async (side) => upload(await presign(side, { key: "event-thumbnails/1.jpg" })), "200"],
  [
    "an address of almost 60 seconds",
    async (side) => upload(await presign(side, { age: 50, key: "event-thumbnails/3.jpg" })),
    "200",
  ],
  ["an address of more than 60 seconds", async (side) => upload(await presign(side, { age: 62 })), "403 AccessDenied"],
  ["another type", async (side) => upload(await presign(side), { "content-type": "image/png" }), refused],
  [
    "another key",
    async (side) =>
      upload(
        changed(
          await presign(side, { key: "event-thumbnails/1.jpg" }),
          (url) => (url.pathname = `/${Bucket}/${never}`),
        ),
      ),
    refused,
  ],
  ["more time", async (side) => upload(withParameter(await presign(side), "X-Amz-Expires", "6000")), refused],
  [
    "fewer signed headers",
    async (side) => upload(withParameter(await presign(side), "X-Amz-SignedHeaders", "host")),
    refused,
  ],
  [
    "a tampered signature",
    async (side) => upload(withParameter(await presign(side), "X-Amz-Signature", "0".repeat(64))),
    refused,
  ],
  ["no signature", ({ settings }) => upload(`${settings.endpoint}/${Bucket}/${never}`), "403 AccessDenied"],
  [
    "a wrong secret",
    async (side) => upload(await presign(side, keys(side.settings, { secretAccessKey: "x" }))),
    refused,
  ],
  [
    "a stranger",
    async (side) => upload(await presign(side, keys(side.settings, { accessKeyId: "AKIA" }))),
    "403 InvalidAccessKeyId",
  ],
  [
    "another region",
    async (side) => upload(await presign(side, { region: "us-east-1" })),
    "400 AuthorizationQueryParametersError",
  ],
  [
    "a copy of something else",
    async (side) => upload(await presign(side), { ...jpeg, "x-amz-copy-source": `${Bucket}/event-thumbnails/1.jpg` }),
    "403 AccessDenied",
  ],
  ["a deletion", async (side) => upload(await presign(side), jpeg, "DELETE"), refused],
];

const origin = "http://localhost:3000";
const preflight = async ({ settings }: Side, asked: Record<string, string> = {}) => {
  const headers = {
    origin,
    "access-control-request-method": "PUT",
    "access-control-request-headers": "content-type",
    ...asked,
  };
  const response = await fetch(`${settings.endpoint}/${Bucket}/${never}`, { method: "OPTIONS", headers });
  const allowed = ["origin", "methods", "headers"].map((name) => response.headers.get(`access-control-allow-${name}`));
  return [await said(response), ...allowed, response.headers.get("access-control-max-age")];
};
const forbidden = ["403 AccessForbidden", null, null, null, null];
const preflights: readonly (readonly [string, Record<string, string>, readonly unknown[]])[] = [
  ["the web application", {}, ["200", origin, "PUT", "content-type", "3600"]],
  ["another origin", { origin: "http://localhost:3001" }, forbidden],
  ["an origin that begins the same", { origin: `${origin}.evil.example` }, forbidden],
  [
    "an origin that a pattern allows",
    { origin: "https://d1.pages.example" },
    ["200", "https://d1.pages.example", "PUT", "content-type", "3600"],
  ],
  ["an origin that ends otherwise", { origin: "https://d1.pages.example.evil" }, forbidden],
  ["another header", { "access-control-request-headers": "content-type, x-amz-acl" }, forbidden],
];

const asPublic = async ({ settings }: Side, path: string, method = "GET", headers = {}) =>
  said(await fetch(`${settings.endpoint}/${Bucket}${path}`, { method, headers }));
const publicRequests: readonly (readonly [string, string, string, string?])[] = [
  ["reads what lies below the public prefix", "/event-thumbnails/1.jpg", "200 "],
  ["deletes nothing", "/event-thumbnails/1.jpg", "403 AccessDenied", "DELETE"],
  ["reads nothing else by a detour", "/event-thumbnails/%2e%2e/private/list.csv", "403 AccessDenied"],
];

const operations: readonly Operation<Side>[] = [
  ...objects,
  ...uploads.map(([name, call, answer]): Operation<Side> => [`upload: ${name}`, call, answer]),
  ["nothing refused was stored", (side) => text(side, never), "NoSuchKey"],
  ...preflights.map(
    ([name, asked, answer]): Operation<Side> => [`CORS: ${name}`, (side: Side) => preflight(side, asked), answer],
  ),
  [
    "CORS: a refusal can be read",
    async ({ settings }) => {
      const request = { method: "PUT", headers: { origin }, body: "x" };
      const response = await fetch(`${settings.endpoint}/${Bucket}/x`, request);
      return [response.status, response.headers.get("access-control-allow-origin")];
    },
    [403, origin],
  ],
  [
    "the public: there is a private list",
    async (side) => (await put(side, "secret", { Key: "private/list.csv" })).ETag,
    expect.any(String),
  ],
  ...publicRequests.map(
    ([name, path, answer, method]): Operation<Side> => [
      `the public: ${name}`,
      (side: Side) => asPublic(side, path, method),
      answer.trim(),
    ],
  ),
];

const corsRules = [
  {
    AllowedOrigins: [origin, "https://*.pages.example"],
    AllowedMethods: ["PUT"],
    AllowedHeaders: ["Content-Type"],
    MaxAge: 3600,
  },
];
const errors = "https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html";
const differences: readonly Difference[] = [
  [
    "a body of another hash than the signed one is not stored",
    ["fine", "fine"],
    `${errors}: XAmzContentSHA256Mismatch, the x-amz-content-sha256 is not that of the body`,
  ],
  [
    "upload: another region",
    "301 PermanentRedirect",
    `${errors}: AuthorizationQueryParametersError; for another region: https://github.com/HHS/Head-Start-TTADP/issues/370`,
  ],
  [
    "upload: a copy of something else",
    "200",
    "https://github.com/badslug/Paw-AWSSignature4DynamicValue/issues/4: S3 refuses an unsigned x-amz-copy-source",
  ],
  [
    "nothing refused was stored",
    "one",
    `${errors}: what is refused is not stored; MiniStack has stored the copy and the body above`,
  ],
];

compareWithMiniStack<Side>({
  operations,
  differences,
  ours: async () => {
    const bucket = await startBucket({
      name: Bucket,
      region: "us-west-2",
      accountId: "000000000000",
      corsRules,
      publicPrefixes: ["event-thumbnails/"],
      secretOf: (accessKeyId) => (accessKeyId === "LOCALTest" ? "local" : undefined),
    });
    const settings = laptopClient(bucket.url);
    const client = clientOf(settings);
    return {
      settings,
      client,
      close: async () => {
        client.destroy();
        await bucket.close();
      },
    };
  },
  theirs: async ({ client: settings }) => {
    const client = clientOf(settings);
    await client.send(new CreateBucketCommand({ Bucket }));
    await client.send(new DeletePublicAccessBlockCommand({ Bucket }));
    const CORSRules = corsRules.map(({ MaxAge, ...rule }) => ({ ...rule, MaxAgeSeconds: MaxAge }));
    await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }));
    const Resource = `arn:aws:s3:::${Bucket}/event-thumbnails/*`;
    const Statement = [{ Effect: "Allow", Principal: { AWS: "*" }, Action: "s3:GetObject", Resource }];
    const Policy = JSON.stringify({ Version: "2012-10-17", Statement });
    await client.send(new PutBucketPolicyCommand({ Bucket, Policy }));
    return { settings, client, close: () => client.destroy() };
  },
});
