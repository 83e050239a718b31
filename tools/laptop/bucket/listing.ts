/** ListObjectsV2: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
import type { ObjectDescription } from "./objects.ts";
import { escapeXml } from "./problem.ts";

const longestPage = 1_000;

const entry = ({ key, etag, size, lastModified }: ObjectDescription): string =>
  `<Contents><Key>${escapeXml(key)}</Key><LastModified>${new Date(lastModified).toISOString()}</LastModified>` +
  `<ETag>${escapeXml(etag)}</ETag><Size>${size}</Size><StorageClass>STANDARD</StorageClass></Contents>`;

/** A page of the objects of a bucket, in the order of their keys. The token of the next page is the last key of this one. */
export function listing(bucket: string, objects: readonly ObjectDescription[], { searchParams }: URL): string {
  const text = (name: string) => searchParams.get(name) ?? "";
  const [prefix, after] = [text("prefix"), text("continuation-token") || text("start-after")];
  const length = Math.min(Number(searchParams.get("max-keys") ?? longestPage), longestPage);
  const bytes = (key: string) => Buffer.from(key);
  const rest = objects
    .filter(({ key }) => key.startsWith(prefix) && bytes(key).compare(bytes(after)) > 0)
    .sort((one, other) => bytes(one.key).compare(bytes(other.key)));
  const page = rest.slice(0, length);
  const isTruncated = page.length < rest.length;
  const next = isTruncated ? `<NextContinuationToken>${escapeXml(page.at(-1)?.key ?? "")}</NextContinuationToken>` : "";
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">` +
    `<Name>${escapeXml(bucket)}</Name><Prefix>${escapeXml(prefix)}</Prefix><MaxKeys>${length}</MaxKeys>` +
    `<KeyCount>${page.length}</KeyCount><IsTruncated>${isTruncated}</IsTruncated>${next}${page.map(entry).join("")}` +
    "</ListBucketResult>"
  );
}
