/**
 * `npm run preflight -- <stage>`: checks the account for everything that a deploy and an opening night depend on.
 * `npm run preflight -- --github`: the settings of the repository.
 */
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { placeholders } from "../../lib/placeholders.ts";
import { delivery, production, type StageConfig, staging } from "../../lib/stages.ts";
import { type Finding, ok, problem } from "../kit/finding.ts";
import { commandWords, UsageError } from "../kit/npm-flags.ts";
import { chosenRegion, type Environment } from "../kit/region.ts";
import { type Account, clientsIn } from "./check-kit/account.ts";
import { asking, failure } from "./check-kit/asking.ts";
import { forDeploy, lineOf, type Result, summary } from "./check-kit/report.ts";
import { allResults } from "./checks.ts";
import { gitHubResults } from "./git-hub/checks.ts";
import { makeAll, planLine, planned, planSummary } from "./plan.ts";

/** 0: no problem. 1: a problem. 2: usage error. */
export type ExitCode = 0 | 1 | 2;

const deployed: readonly StageConfig[] = [staging, production];

const usage = `Usage: npm run preflight -- <${deployed.map(({ name }) => name).join("|")}> [--deploy | --mend [--apply]] | --github`;

const options = {
  // Whether the question is only whether a running stage can be deployed.
  deploy: { type: "boolean", default: false },
  // Whether to plan the changes that fix the findings.
  mend: { type: "boolean", default: false },
  // Whether to make them.
  apply: { type: "boolean", default: false },
  // Whether the question is about the repository instead of a stage.
  github: { type: "boolean", default: false },
} as const;

/**
 * @returns "repository" for --github
 * @throws UsageError
 */
function asked(args: readonly string[], stages: readonly StageConfig[]) {
  const { values, positionals } = commandWords("preflight", args, options, usage);
  if (values.github) {
    if (args.length > 1) throw new UsageError(`--github asks about the repository: leave out the rest. ${usage}`);
    return "repository";
  }
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UsageError(usage);
  const stage = stages.find((candidate) => candidate.name === name);
  if (stage === undefined) throw new UsageError(`There is no stage "${name}" in AWS. ${usage}`);
  // The pipeline asks with --deploy, and has no permission to change anything.
  if (values.mend && values.deploy) throw new UsageError(`--deploy only checks: leave out --mend. ${usage}`);
  if (values.apply && !values.mend) throw new UsageError(`--apply is for the plan of --mend. ${usage}`);
  return { stage, ...values };
}

/** Prints the results of the checks, and the last line. */
function report(results: readonly Result[], print: (line: string) => void): ExitCode {
  for (const result of results) print(lineOf(result));
  print(summary(results));
  return results.some(({ level }) => level === "problem") ? 1 : 0;
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
async function look(
  stage: StageConfig,
  environment: Environment,
): Promise<{ readonly results: Result[]; readonly region?: string }> {
  const results: Result[] = [{ check: "values", isForDeploy: true, ...values(stage) }];
  const { region, finding: ofRegion } = await chosenRegion(environment, regionOfProfile);
  results.push({ check: "region", isForDeploy: true, ...ofRegion });
  if (region === undefined) return { results };
  const { id, finding: ofCaller } = await caller(region);
  results.push({ check: "credentials", isForDeploy: true, ...ofCaller });
  if (id === undefined) return { results, region };
  const account: Account = {
    id,
    region,
    stage,
    clients: clientsIn(region),
    stripeKey: environment.STRIPE_API_KEY,
    alarmLink: environment.ALARM_LINK,
  };
  return { results: [...results, ...(await allResults(account))], region };
}

/**
 * The command without its process. With `--deploy`, what does not concern the deploy of a running stage is a warning: a
 * rollback must not wait for SES. With `--mend` it prints the changes that it could make, and makes them with `--apply`.
 * With `--github` it asks GitHub about the repository, and AWS nothing.
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
  if (question === "repository") return report(await gitHubResults(repository, environment), print);
  const { results: found, region = "" } = await look(question.stage, environment);
  const results = question.deploy ? found.map(forDeploy) : found;
  for (const result of results) print(lineOf(result));
  const plan = question.mend ? planned(results) : [];
  const made = question.apply ? await makeAll(plan, region, print) : undefined;
  if (made === undefined) for (const change of plan) print(planLine(change));
  print(summary(results) + (question.mend ? `. ${planSummary(plan, made)}` : ""));
  const isLeft = ({ level, mend }: Result) => level === "problem" && !(mend && made?.has(mend));
  return results.some(isLeft) || (made !== undefined && made.size < plan.length) ? 1 : 0;
}
