/** `npm run preflight -- <stage>`: checks the account for everything that a deploy and an opening night depend on. */
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { placeholders } from "../../lib/placeholders.ts";
import { production, type StageConfig, staging } from "../../lib/stages.ts";
import { type Finding, ok, problem } from "../kit/finding.ts";
import { chosenRegion, type Environment } from "../kit/region.ts";
import { type Account, clientsIn } from "./account.ts";
import { asking, failure } from "./asking.ts";
import { allResults } from "./checks.ts";
import { lineOf, type Result, summary } from "./report.ts";

/** 0: no problem. 1: a problem. 2: usage error. */
export type ExitCode = 0 | 1 | 2;

const deployed: readonly StageConfig[] = [staging, production];

const usage = `Usage: npm run preflight -- <${deployed.map(({ name }) => name).join("|")}>`;

/** The SDK reads the profile's region, but not AWS_DEFAULT_REGION. */
const regionOfProfile = async (): Promise<string> => new STSClient({}).config.region();

/** The caller of the deploy. The other checks need the account id. */
async function caller(region: string): Promise<{ id?: string; finding: Finding }> {
  const { callers } = clientsIn(region);
  try {
    const { Account: id, Arn } = await asking("sts:GetCallerIdentity", callers.send(new GetCallerIdentityCommand({})));
    return { id, finding: ok(`account ${id}, as ${Arn}.`) };
  } catch (error) {
    return { finding: failure(error, region) };
  }
}

/** Remaining placeholder values. */
function values(stage: StageConfig): Finding {
  const left = placeholders(stage);
  if (left.length === 0) return ok("no placeholder is left in lib/stages.ts.");
  return problem(
    `${stage.name} still has placeholders: ${left.join(", ")}.`,
    "write the club's own values into lib/stages.ts.",
  );
}

/** Runs all checks of a stage. Stops without a region or credentials, because there is no account to check. */
async function look(stage: StageConfig, environment: Environment): Promise<Result[]> {
  const results: Result[] = [{ check: "values", ...values(stage) }];
  const { region, finding: ofRegion } = await chosenRegion(environment, regionOfProfile);
  results.push({ check: "region", ...ofRegion });
  if (region === undefined) return results;
  const { id, finding: ofCaller } = await caller(region);
  results.push({ check: "credentials", ...ofCaller });
  if (id === undefined) return results;
  const account: Account = { id, region, stage, clients: clientsIn(region) };
  return [...results, ...(await allResults(account))];
}

/**
 * The command without its process.
 *
 * @param args after `npm run preflight --`
 * @param print prints one line
 */
export async function preflight(
  args: readonly string[],
  print: (line: string) => void,
  environment: Environment = process.env,
  stages: readonly StageConfig[] = deployed,
): Promise<ExitCode> {
  const [name, ...more] = args;
  const stage = stages.find((candidate) => candidate.name === name);
  if (stage === undefined || more.length > 0) {
    print(name === undefined || more.length > 0 ? usage : `There is no stage "${name}" in AWS. ${usage}`);
    return 2;
  }
  const results = await look(stage, environment);
  for (const result of results) print(lineOf(result));
  print(summary(results));
  return results.some(({ level }) => level === "problem") ? 1 : 0;
}
