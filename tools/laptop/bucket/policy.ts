/** The public permissions of a bucket policy. Only the kinds of statements in the club's policy are supported. */

/** As CloudFormation describes it. */
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
 * Key prefixes that the public may read. Denying statements concern plain HTTP to S3; they have no meaning on the
 * laptop.
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
