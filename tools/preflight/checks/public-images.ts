/** The account's public access block: event banners are public. */
import { GetPublicAccessBlockCommand, type PublicAccessBlockConfiguration } from "@aws-sdk/client-s3-control";
import { isNamed } from "../../kit/failures.ts";
import { ok, problem } from "../../kit/finding.ts";
import type { Check } from "../check-kit/account.ts";
import { asking } from "../check-kit/asking.ts";

/**
 * `BlockPublicPolicy` rejects the bucket's policy, so the deploy fails. With `RestrictPublicBuckets` the deploy succeeds,
 * but banners are not readable. The other two settings are about ACLs, which the bucket does not have.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
 */
const obstacles = ["BlockPublicPolicy", "RestrictPublicBuckets"] as const;

const settings = ["BlockPublicAcls", "IgnorePublicAcls", ...obstacles] as const;

export const publicImages: Check = {
  name: "public images",
  isForDeploy: true,
  look: async ({ id, clients }) => {
    let block: PublicAccessBlockConfiguration = {};
    try {
      const request = clients.storage.send(new GetPublicAccessBlockCommand({ AccountId: id }));
      const answer = await asking("s3:GetAccountPublicAccessBlock", request);
      block = answer.PublicAccessBlockConfiguration ?? {};
    } catch (error) {
      if (!isNamed(error, "NoSuchPublicAccessBlockConfiguration")) throw error;
    }
    const found = obstacles.filter((name) => block[name] === true);
    if (found.length === 0) return [ok("the account allows public buckets.")];
    const without = Object.fromEntries(obstacles.map((name) => [name, false]));
    const wanted = Object.fromEntries(settings.map((name) => [name, without[name] ?? block[name] ?? false]));
    const fixed = settings.map((name) => `${name}=${wanted[name]}`).join(",");
    return [
      problem(
        `the account blocks public buckets (${found.join(", ")}): ${found[0] === "BlockPublicPolicy" ? "the deploy would fail" : "people would see no banners"}.`,
        `aws s3control put-public-access-block --account-id ${id} --public-access-block-configuration ${fixed}`,
      ),
    ];
  },
};
