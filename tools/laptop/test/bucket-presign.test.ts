/** Presigned uploads by the SDK's own presigner, against the local stage's S3. */

import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Bucket, startBucket } from "../bucket/index.ts";

const region = "us-west-2";
const name = "club-images";
const key = "event-thumbnails/gala/optimized/1.jpg";
const bytes = Buffer.from("pretend that this is a JPEG");

let bucket: Bucket;
/** Milliseconds that the bucket's clock is ahead. */
let ahead = 0;
beforeAll(async () => {
  bucket = await startBucket({
    name,
    region,
    accountId: "000000000000",
    corsRules: [],
    publicPrefixes: ["event-thumbnails/"],
    secretOf: (accessKeyId) => (accessKeyId === "LOCALTest" ? "local" : undefined),
    clock: () => Date.now() + ahead,
  });
});
afterAll(() => bucket.close());

/** The address of an upload as the images function makes it. */
function presign(more: { key?: string; region?: string; secret?: string; accessKeyId?: string; bind?: boolean } = {}) {
  const client = new S3Client({
    region: more.region ?? region,
    endpoint: bucket.url,
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    credentials: { accessKeyId: more.accessKeyId ?? "LOCALTest", secretAccessKey: more.secret ?? "local" },
  });
  const command = new PutObjectCommand({ Bucket: name, Key: more.key ?? key, ContentType: "image/jpeg" });
  const binding = more.bind === false ? {} : { signableHeaders: new Set(["content-type"]) };
  return getSignedUrl(client, command, { expiresIn: 60, ...binding });
}

const put = (url: string, headers: Record<string, string> = { "content-type": "image/jpeg" }) =>
  fetch(url, { method: "PUT", headers, body: bytes });

const changed = (url: string, change: (url: URL) => void): string => {
  const copy = new URL(url);
  change(copy);
  return copy.href;
};

/** Status and S3's error code. */
async function refusal(response: Response): Promise<string> {
  expect(response.headers.get("content-type")).toBe("application/xml");
  const [, code, message] = /<Code>(.*)<\/Code><Message>(.*)<\/Message>/.exec(await response.text()) ?? [];
  return `${response.status} ${code}${code === "AccessDenied" ? `: ${message}` : ""}`;
}

test("the right type is stored, and served to the public", async () => {
  const response = await put(await presign());
  expect(response.status).toBe(200);
  const served = await fetch(`${bucket.url}/${name}/${key}`);
  expect(served.status).toBe(200);
  expect(served.headers.get("content-type")).toBe("image/jpeg");
  expect(served.headers.get("etag")).toBe(response.headers.get("etag"));
  expect(Buffer.from(await served.arrayBuffer())).toEqual(bytes);
  const again = await fetch(`${bucket.url}/${name}/${key}`, {
    headers: { "if-none-match": String(served.headers.get("etag")) },
  });
  expect(again.status).toBe(304);
});

describe("nothing is stored for", () => {
  const other = "event-thumbnails/gala/optimized/never.jpg";
  const never = () => presign({ key: other });

  test.each<[string, () => Promise<Response>, string]>([
    ["another type", async () => put(await never(), { "content-type": "image/png" }), "403 SignatureDoesNotMatch"],
    ["HTML", async () => put(await never(), { "content-type": "text/html" }), "403 SignatureDoesNotMatch"],
    ["no type", async () => put(await never(), {}), "403 SignatureDoesNotMatch"],
    [
      "another key",
      async () => put(changed(await presign(), (url) => (url.pathname = `/${name}/${other}`))),
      "403 SignatureDoesNotMatch",
    ],
    [
      "more time",
      async () => put(changed(await never(), (url) => url.searchParams.set("X-Amz-Expires", "6000"))),
      "403 SignatureDoesNotMatch",
    ],
    [
      "fewer signed headers",
      async () => put(changed(await never(), (url) => url.searchParams.set("X-Amz-SignedHeaders", "host"))),
      "403 SignatureDoesNotMatch",
    ],
    [
      "one more parameter",
      async () => put(changed(await never(), (url) => url.searchParams.set("x-amz-acl", "public-read"))),
      "403 SignatureDoesNotMatch",
    ],
    [
      "a tampered signature",
      async () => put(changed(await never(), (url) => url.searchParams.set("X-Amz-Signature", "0".repeat(64)))),
      "403 SignatureDoesNotMatch",
    ],
    [
      "a short signature",
      async () => put(changed(await never(), (url) => url.searchParams.set("X-Amz-Signature", "0"))),
      "403 SignatureDoesNotMatch",
    ],
    ["no signature", async () => put(`${bucket.url}/${name}/${other}`), "403 AccessDenied: Access Denied"],
    ["a wrong secret", async () => put(await presign({ key: other, secret: "x" })), "403 SignatureDoesNotMatch"],
    ["a stranger", async () => put(await presign({ key: other, accessKeyId: "AKIA" })), "403 InvalidAccessKeyId"],
    [
      "another region",
      async () => put(await presign({ key: other, region: "us-east-1" })),
      "400 AuthorizationQueryParametersError",
    ],
    [
      "another bucket",
      async () => put(changed(await never(), (url) => (url.pathname = `/other/${other}`))),
      "404 NoSuchBucket",
    ],
    [
      "a copy of something else",
      async () => put(await never(), { "content-type": "image/jpeg", "x-amz-copy-source": `${name}/${key}` }),
      "403 AccessDenied: There were headers present in the request which were not signed",
    ],
  ])("%s", async (_, upload, expected) => {
    expect(await refusal(await upload())).toBe(expected);
    const served = await fetch(`${bucket.url}/${name}/${other}`);
    expect(await refusal(served)).toBe("403 AccessDenied: Access Denied");
  });

  test("an address for uploading does not delete", async () => {
    const response = await fetch(await presign(), { method: "DELETE", headers: { "content-type": "image/jpeg" } });
    expect(await refusal(response)).toBe("403 SignatureDoesNotMatch");
  });
});

test("an address ends after 60 seconds and not before", async () => {
  const url = await presign();
  try {
    ahead = 58_000;
    expect((await put(url)).status).toBe(200);
    ahead = 62_000;
    expect(await refusal(await put(url))).toBe("403 AccessDenied: Request has expired");
    ahead = -3_600_000;
    expect(await refusal(await put(url))).toMatch(/^403 AccessDenied/);
  } finally {
    ahead = 0;
  }
});

test("control: where the type is not signed, any type gets through", async () => {
  const response = await put(await presign({ bind: false, key: "event-thumbnails/control.jpg" }), {
    "content-type": "text/html",
  });
  expect(response.status).toBe(200);
});
