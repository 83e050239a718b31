/** The image bucket: the only place that talks to S3. */
import {
  CopyObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { requiredEnv } from "#kit/env.ts";

const bucket = requiredEnv("IMAGE_BUCKET");
const uploadSeconds = 60;
export const cacheControl = "public, max-age=31536000, immutable";

const client = new S3Client({
  // Otherwise the checksum of an empty body becomes part of the address, and no upload matches it.
  requestChecksumCalculation: "WHEN_REQUIRED",
  // An endpoint of one's own has no host name for every bucket.
  forcePathStyle: process.env.AWS_ENDPOINT_URL_S3 !== undefined,
});

/** An address for one PUT of exactly this content type. Computed here, no request is made. */
export const presignUpload = (key: string, contentType: string): Promise<string> =>
  getSignedUrl(client, new PutObjectCommand({ Bucket: bucket, Key: key, ContentType: contentType }), {
    expiresIn: uploadSeconds,
    // Otherwise the content type would not be bound.
    signableHeaders: new Set(["content-type"]),
  });

const doneStatuses = new Set([404, 412]);

/**
 * Gives an uploaded object its cache header, which the web application cannot send with the upload. Does nothing when
 * it is there, when the object is gone, or when a newer upload has taken its place: that one is news of its own.
 */
export async function addCacheHeader(key: string): Promise<void> {
  try {
    const object = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
    if (object.CacheControl === cacheControl) return;
    await client.send(
      new CopyObjectCommand({
        Bucket: bucket,
        Key: key,
        CopySource: `${bucket}/${key.split("/").map(encodeURIComponent).join("/")}`,
        CopySourceIfMatch: object.ETag,
        MetadataDirective: "REPLACE",
        ContentType: object.ContentType,
        Metadata: object.Metadata,
        CacheControl: cacheControl,
      }),
    );
  } catch (error) {
    if (!(error instanceof S3ServiceException && doneStatuses.has(error.$metadata.httpStatusCode ?? 0))) throw error;
  }
}
