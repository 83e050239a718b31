/** The images of a stage, for a copy of it. */
import { createHash } from "node:crypto";
import { GetObjectCommand, PutObjectCommand, paginateListObjectsV2, S3Client } from "@aws-sdk/client-s3";
import type { CopiedImage } from "../kit/copy/folder.ts";
import type { Target } from "./target.ts";

const clientOf = ({ region }: Target) =>
  new S3Client({
    region,
    // The laptop takes no body in chunks, and has no host names for buckets.
    requestChecksumCalculation: "WHEN_REQUIRED",
    forcePathStyle: process.env.AWS_ENDPOINT_URL_S3 !== undefined,
  });

/** The keys of all images, with their ETags without quotation marks. */
export async function imagesIn(target: Target): Promise<ReadonlyMap<string, string>> {
  const images = new Map<string, string>();
  const pages = paginateListObjectsV2({ client: clientOf(target) }, { Bucket: target.imageBucket });
  for await (const { Contents = [] } of pages) {
    for (const { Key = "", ETag = "" } of Contents) images.set(Key, ETag.replaceAll('"', ""));
  }
  return images;
}

export async function imageOf(target: Target, key: string): Promise<CopiedImage> {
  const image = await clientOf(target).send(new GetObjectCommand({ Bucket: target.imageBucket, Key: key }));
  const { ContentType: contentType, CacheControl: cacheControl } = image;
  return { key, contentType, cacheControl, body: (await image.Body?.transformToString("base64")) ?? "" };
}

/** With its cache header, so that the function that adds one has nothing to do. */
export async function putImage(target: Target, { key, contentType, cacheControl, body }: CopiedImage): Promise<void> {
  await clientOf(target).send(
    new PutObjectCommand({
      Bucket: target.imageBucket,
      Key: key,
      Body: Buffer.from(body, "base64"),
      ContentType: contentType,
      CacheControl: cacheControl,
    }),
  );
}

/**
 * The ETag that S3 gives to an object of one upload that S3 itself encrypts: its MD5.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html
 */
export const etagOf = ({ body }: CopiedImage): string =>
  createHash("md5").update(Buffer.from(body, "base64")).digest("hex");
