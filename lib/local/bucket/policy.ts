/** What a bucket policy lets everybody do. Only what the club's policy consists of is understood. */

/** In the words of CloudFormation. */
export interface Statement {
  readonly Effect: "Allow" | "Deny";
  readonly Principal?: unknown;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: unknown;
}

const isEverybody = (principal: unknown): boolean =>
  principal === "*" || (principal as { AWS?: unknown } | undefined)?.AWS === "*";

/**
 * Key prefixes that everybody may read. Denying statements are about plain HTTP to S3 and mean nothing on the laptop.
 * @param bucketArn `arn:aws:s3:::<name>`
 */
export function publicPrefixes(statements: readonly Statement[], bucketArn: string): string[] {
  return statements
    .filter(({ Effect, Principal, Action }) => {
      return Effect === "Allow" && isEverybody(Principal) && [Action].flat().includes("s3:GetObject");
    })
    .flatMap(({ Resource }) => [Resource].flat())
    .filter((resource) => resource.startsWith(`${bucketArn}/`) && resource.endsWith("*"))
    .map((resource) => resource.slice(bucketArn.length + 1, -1));
}
