/**
 * `npm run preflight -- <stage>`: checks the account for everything that a deploy and an opening night depend on.
 * `npm run preflight -- --github`: the settings of the repository.
 */
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { delivery, production, type StageConfig, staging } from "../../lib/stages.ts";
import { type Finding, ok } from "../kit/finding.ts";
import { commandWords, UsageError } from "../kit/npm-flags.ts";
import { chosenRegion, type Environment } from "../kit/region.ts";
import { usageOf } from "../kit/usage.ts";
import { clientsIn } from "./check-kit/account.ts";
import { asking, failure } from "./check-kit/asking.ts";
import { forDeploy, lineOf, type Result, summary } from "./check-kit/report.ts";
import { allResults } from "./checks.ts";
import { gitHubResults } from "./git-hub/checks.ts";

/** 0: no problem. 1: a problem. 2: usage error. */
export type ExitCode = 0 | 1 | 2;

const deployed: readonly StageConfig[] = [staging, production];

const usage = usageOf("preflight");

const options = {
  // Whether the question is only whether a running stage can be deployed.
  deploy: { type: "boolean", default: false },
  // Whether the question is about the repository instead of a stage.
  github: { type: "boolean", default: false },
} as const;

/**
 * @returns "repository" for --github
 * @throws UsageError
 */
function asked(args: readonly string[], stages: readonly StageConfig[]) {
  const { values, positionals } = commandWords("preflight", args, options);
  if (values.github) {
    if (args.length > 1) throw new UsageError(`--github asks about the repository: leave out the rest. ${usage}`);
    return "repository";
  }
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UsageError(usage);
  const stage = stages.find((candidate) => candidate.name === name);
  if (stage === undefined) throw new UsageError(`There is no stage "${name}" in AWS. ${usage}`);
  return { stage, deploy: values.deploy };
}

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

/** Runs all checks of a stage. Stops without a region or credentials, because there is no account to check. */
async function look(stage: StageConfig, environment: Environment): Promise<Result[]> {
  const { region, finding: ofRegion } = await chosenRegion(environment, regionOfProfile);
  const results: Result[] = [{ check: "region", isForDeploy: true, ...ofRegion }];
  if (region === undefined) return results;
  const { id, finding: ofCaller } = await caller(region);
  results.push({ check: "credentials", isForDeploy: true, ...ofCaller });
  if (id === undefined) return results;
  return [...results, ...(await allResults({ id, region, stage, clients: clientsIn(region) }))];
}

/**
 * The command without its process. With `--deploy`, what does not concern the deploy of a running stage is a warning: a
 * rollback must not wait for SES. With `--github` it asks GitHub about the repository, and AWS nothing.
 *
 * @param args after `npm run preflight --`
 * @param print prints one line
 */
export async function preflight(
  args: readonly string[],
  print: (line: string) => void,
  environment: Environment = process.env,
  stages: readonly StageConfig[] = deployed,
  repository: string = delivery.gitHub,
): Promise<ExitCode> {
  let question: ReturnType<typeof asked>;
  try {
    question = asked(args, stages);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    print(error.message);
    return 2;
  }
  const found =
    question === "repository" ? await gitHubResults(repository, environment) : await look(question.stage, environment);
  const results = question !== "repository" && question.deploy ? found.map(forDeploy) : found;
  for (const result of results) print(lineOf(result));
  print(summary(results));
  return results.some(({ level }) => level === "problem") ? 1 : 0;
}
