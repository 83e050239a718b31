/** The CDK's bootstrap: the roles and bucket that every deploy uses. */
import { rmSync } from "node:fs";
import { GetParameterCommand } from "@aws-sdk/client-ssm";
import { App, Stack } from "aws-cdk-lib";
import { featureFlags } from "../../../lib/feature-flags.ts";
import { isNamed } from "../../kit/failures.ts";
import { ok, problem } from "../../kit/finding.ts";
import type { Check } from "../account.ts";
import { asking } from "../asking.ts";

/**
 * The version that the CDK requires in every template, and the parameter with the account's version, both read from a
 * synthesized stack, so that they follow the CDK.
 */
function requiredBootstrap(): { parameter: string; version: number } {
  // The built-in validation takes seconds and refuses an empty stack.
  const app = new App({ context: featureFlags(), builtinCloudFormationValidation: false });
  new Stack(app, "Demand");
  const assembly = app.synth();
  rmSync(assembly.directory, { recursive: true, force: true });
  const { bootstrapStackVersionSsmParameter: parameter, requiresBootstrapStackVersion: version } =
    assembly.getStackByName("Demand");
  if (parameter === undefined || version === undefined) throw new Error("The CDK names no version of its bootstrap.");
  return { parameter, version };
}

export const bootstrap: Check = {
  name: "bootstrap",
  isForDeploy: true,
  look: async ({ id, region, clients }) => {
    const { parameter, version } = requiredBootstrap();
    const fix = `npx cdk bootstrap aws://${id}/${region}`;
    try {
      const request = new GetParameterCommand({ Name: parameter });
      const { Parameter } = await asking("ssm:GetParameter", clients.parameters.send(request));
      const found = Number(Parameter?.Value);
      // A value that is not a number counts as an old version.
      if (found >= version) return [ok(`version ${found} of the CDK's bootstrap; ${version} is needed.`)];
      return [problem(`the CDK's bootstrap has version ${Parameter?.Value}; ${version} is needed.`, fix)];
    } catch (error) {
      if (!isNamed(error, "ParameterNotFound")) throw error;
      return [problem(`${region} of account ${id} is not bootstrapped for the CDK.`, fix)];
    }
  },
};
