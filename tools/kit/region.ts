/** The region of a deploy: of the environment, else of the profile. */
import { type Finding, ok, problem } from "./finding.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The region that the CDK would use.
 *
 * @param ofProfile the region of the profile; rejects when the profile has none
 * @returns no region when none is configured; the CDK would silently deploy to us-east-1
 */
export async function chosenRegion(
  { AWS_REGION, AWS_DEFAULT_REGION }: Environment,
  ofProfile: () => Promise<string>,
): Promise<{ region?: string; finding: Finding }> {
  // The CDK and the SDK prefer AWS_REGION. Version 1 of the AWS CLI reads only AWS_DEFAULT_REGION.
  // https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html
  if (AWS_REGION && AWS_DEFAULT_REGION && AWS_REGION !== AWS_DEFAULT_REGION) {
    return {
      region: AWS_REGION,
      finding: problem(
        `AWS_REGION is ${AWS_REGION} and AWS_DEFAULT_REGION is ${AWS_DEFAULT_REGION}: tools do not take the same one.`,
        `export AWS_DEFAULT_REGION=${AWS_REGION}`,
      ),
    };
  }
  const region = AWS_REGION || AWS_DEFAULT_REGION || (await ofProfile().catch(() => undefined));
  if (region) return { region, finding: ok(`${region}.`) };
  return {
    finding: problem("no region is configured; the CDK would take us-east-1.", "export AWS_REGION=<region>"),
  };
}
