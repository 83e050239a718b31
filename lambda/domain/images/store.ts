/** The only calls to S3, for the image bucket. */
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { callLimits } from "#kit/call-limits.ts";
import { requiredEnv } from "#kit/env.ts";

const bucket = requiredEnv("IMAGE_BUCKET");
const uploadSeconds = 60;
export const cacheControl = "public, max-age=31536000, immutable";

const client = new S3Client({
  requestHandler: callLimits(10_000),
  // By default the client signs the checksum of an empty body into the URL, which no upload would match.
  requestChecksumCalculation: "WHEN_REQUIRED",
  // The laptop stage sets the endpoint, and has no host names for buckets.
  forcePathStyle: process.env.AWS_ENDPOINT_URL_S3 !== undefined,
});

/**
 * A URL that accepts a PUT of exactly this content type for 60 seconds. It is computed without a request to S3.
 */
export const presignUpload = (key: string, contentType: string): Promise<string> =>
  getSignedUrl(client, new PutObjectCommand({ Bucket: bucket, Key: key, ContentType: contentType }), {
    expiresIn: uploadSeconds,
    // Without this the signature does not cover the content type.
    signableHeaders: new Set(["content-type"]),
  });

/**
 * The headers of an object. An answer to HEAD has no body, so the error is named here.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html
 */
async function head(key: string): Promise<HeadObjectCommandOutput> {
  try {
    return await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
  } catch (cause) {
    if ((cause as S3ServiceException).$metadata?.httpStatusCode !== 403) throw cause;
    throw new Error("HeadObject: the function is not authorized to perform: s3:GetObject", { cause });
  }
}

/** The object is gone (404), or a newer upload has replaced it (412), also at this moment (409). */
const doneStatuses = new Set([404, 409, 412]);

/** In bytes. A presigned PUT cannot limit the size, so that larger images are removed after the upload. */
export const maximumImageSize = 10_000_000;

/** What became of an upload. `none`: it is gone, replaced by a newer upload with a call of its own, or was done before. */
export type AfterUpload = "cache header" | "removed" | "none";

/**
 * Adds the cache header to an uploaded object, because the web application does not send it, or removes an object that is
 * too large. Both are conditional on the unchanged object.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-deletes.html
 */
export async function afterUpload(key: string): Promise<AfterUpload> {
  const image = { Bucket: bucket, Key: key };
  try {
    const object = await head(key);
    if ((object.ContentLength ?? 0) > maximumImageSize) {
      await client.send(new DeleteObjectCommand({ ...image, IfMatch: object.ETag }));
      return "removed";
    }
    if (object.CacheControl === cacheControl) return "none";
    await client.send(
      new CopyObjectCommand({
        ...image,
        CopySource: `${bucket}/${key.split("/").map(encodeURIComponent).join("/")}`,
        CopySourceIfMatch: object.ETag,
        MetadataDirective: "REPLACE",
        ContentType: object.ContentType,
        Metadata: object.Metadata,
        CacheControl: cacheControl,
      }),
    );
    return "cache header";
  } catch (error) {
    if (!(error instanceof S3ServiceException && doneStatuses.has(error.$metadata.httpStatusCode ?? 0))) throw error;
    return "none";
  }
}
