/** The calls of the image functions to S3. */

import {
  CopyObjectCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";

Object.assign(process.env, {
  IMAGE_BUCKET: "club-images",
  AWS_REGION: "us-west-2",
  AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
  AWS_SECRET_ACCESS_KEY: "secret",
});
delete process.env.AWS_ENDPOINT_URL_S3;
const { afterUpload, cacheControl, maximumImageSize, presignUpload } = await import("#domain/images/store.ts");

const s3 = mockClient(S3Client);
beforeEach(() => void s3.reset());

const key = "event-thumbnails/gala/optimized/1.jpg";
const answer = (status: number, name: string) =>
  new S3ServiceException({ name, $fault: "client", $metadata: { httpStatusCode: status } });
const uploaded = {
  ContentLength: maximumImageSize,
  ETag: '"abc"',
  ContentType: "image/jpeg",
  Metadata: { by: "exec" },
};

describe("the address of an upload", () => {
  test("binds the content type, and no header that the web application does not send", async () => {
    const url = new URL(await presignUpload(key, "image/jpeg"));
    expect(url.pathname).toBe(`/${key}`);
    expect(url.host).toBe("club-images.s3.us-west-2.amazonaws.com");
    expect(url.searchParams.get("X-Amz-SignedHeaders")).toBe("content-type;host");
    expect(url.searchParams.get("X-Amz-Expires")).toBe("60");
    expect(url.searchParams.get("X-Amz-Content-Sha256")).toBe("UNSIGNED-PAYLOAD");
    expect([...url.searchParams.keys()].filter((name) => /checksum|cache-control|meta/i.test(name))).toEqual([]);
  });
});

describe("the cache header", () => {
  test("is set by copying the object onto itself, on condition that the object is the same", async () => {
    s3.on(HeadObjectCommand).resolves(uploaded).on(CopyObjectCommand).resolves({});
    expect(await afterUpload(key)).toBe("cache header");
    expect(s3.commandCalls(CopyObjectCommand).map(({ args }) => args[0].input)).toEqual([
      {
        Bucket: "club-images",
        Key: key,
        CopySource: `club-images/${key}`,
        CopySourceIfMatch: '"abc"',
        MetadataDirective: "REPLACE",
        ContentType: "image/jpeg",
        Metadata: { by: "exec" },
        CacheControl: "public, max-age=31536000, immutable",
      },
    ]);
  });

  test("is not written for an object that is gone, or for a newer upload", async () => {
    s3.on(HeadObjectCommand).rejectsOnce(answer(404, "NotFound")).resolves(uploaded);
    s3.on(CopyObjectCommand).rejects(answer(412, "PreconditionFailed"));
    expect([await afterUpload(key), await afterUpload(key)]).toEqual(["none", "none"]);
  });

  test("fails for a busy S3, so that Lambda tries again", async () => {
    const problem = answer(503, "SlowDown");
    s3.on(HeadObjectCommand).resolves(uploaded).on(CopyObjectCommand).rejects(problem);
    await expect(afterUpload(key)).rejects.toBe(problem);
  });

  test("fails without the right to read the object, and names the right: S3's answer has no reason", async () => {
    s3.on(HeadObjectCommand).rejects(answer(403, "UnknownError"));
    await expect(afterUpload(key)).rejects.toThrow("is not authorized to perform: s3:GetObject");
  });
});

describe("an image of a byte too many", () => {
  const large = { ...uploaded, ContentLength: maximumImageSize + 1 };

  test.each([undefined, cacheControl])(
    "is removed if it is the same object, with the header %s",
    async (CacheControl) => {
      s3.on(HeadObjectCommand)
        .resolves({ ...large, CacheControl })
        .on(DeleteObjectCommand)
        .resolves({});
      expect(await afterUpload(key)).toBe("removed");
      expect(s3.commandCalls(DeleteObjectCommand).map(({ args }) => args[0].input)).toEqual([
        { Bucket: "club-images", Key: key, IfMatch: '"abc"' },
      ]);
      expect(s3.commandCalls(CopyObjectCommand)).toHaveLength(0);
    },
  );

  test("that was replaced meanwhile is left alone", async () => {
    s3.on(HeadObjectCommand).resolves(large).on(DeleteObjectCommand).rejects(answer(412, "PreconditionFailed"));
    expect(await afterUpload(key)).toBe("none");
  });
});
