/** Buckets, secrets and keys. */
import { isDeepStrictEqual } from "node:util";
import { type Change, harmless, type Judge, type TypeRules } from "./rule.ts";

interface Lifecycle {
  readonly Rules?: readonly { readonly AbortIncompleteMultipartUpload?: unknown }[];
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/intro-lifecycle-rules.html */
const lifecycle: Judge = ({ before, after }: Change<Lifecycle>) =>
  (after?.Rules ?? []).every((rule) => before?.Rules?.some((other) => isDeepStrictEqual(rule, other)))
    ? []
    : ["a new rule would expire or move objects, also those that are there already."];

type Blocks = Readonly<Record<string, unknown>>;

/** A new bucket has all, also without the property. */
const allBlocks: Blocks = {
  BlockPublicAcls: true,
  BlockPublicPolicy: true,
  IgnorePublicAcls: true,
  RestrictPublicBuckets: true,
};

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html */
const publicAccess: Judge = ({ before, after }: Change<Blocks>) =>
  Object.entries(before ?? (after ? allBlocks : {}))
    .filter(([name, isOn]) => isOn === true && after?.[name] !== true)
    .map(([name]) => `${name} would be off: objects could be public.`);

export const files: Readonly<Record<string, TypeRules>> = {
  "AWS::S3::Bucket": {
    holds: "the uploaded images",
    properties: { LifecycleConfiguration: lifecycle, PublicAccessBlockConfiguration: publicAccess, Tags: harmless },
    opens: ["PublicAccessBlockConfiguration"],
  },
  "AWS::SecretsManager::Secret": {
    holds: "a secret, such as the key of all tickets",
    properties: {
      Description: harmless,
      // https://github.com/aws/aws-cdk/issues/19985
      GenerateSecretString: () => [
        "CloudFormation would write a new value. If it is the key of the tickets, every ticket that was issued is void.",
      ],
      Tags: harmless,
    },
  },
  "AWS::KMS::Key": {
    holds: "the key without which encrypted data cannot be read",
    properties: { Description: harmless, Tags: harmless },
  },
};
