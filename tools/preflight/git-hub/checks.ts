/** `npm run preflight -- --github`: what the repository's settings must be, so that only reviewed code is deployed. */
import { repositoryOf, repositoryProblem } from "../../../lib/delivery/git-hub-repository.ts";
import { placeholders } from "../../../lib/placeholders.ts";
import type { StageName } from "../../../lib/stages.ts";
import { type Finding, ok, problem, warning } from "../../kit/finding.ts";
import type { Environment } from "../../kit/region.ts";
import type { Result } from "../check-kit/report.ts";
import type {
  BranchPolicies,
  BranchProtection,
  BranchRule,
  CodeOwners,
  DeploymentEnvironment,
  Repository,
  SubjectTemplate,
  Workflows,
} from "./answers.ts";
import { GitHub, gitHubFailure, giveToken } from "./api.ts";

/** What every check is about. */
interface Asked {
  readonly gitHub: GitHub;
  readonly repository: Repository;
  /** `DeliveryConfig.gitHub`. */
  readonly setting: string;
  /** `/repos/<owner>/<repository>` */
  readonly path: string;
  /** A finding about a protection that lacks: a private repository may accept that (`PRIVATE_PRODUCTION`). */
  readonly lacks: typeof problem;
}

const guide = "docs/deploy.md, Set up GitHub";
const setAgain = (gitHub: string): string =>
  `set delivery.gitHub to "${gitHub}" in lib/stages.ts, and npm run once -- delivery deploy ClubDelivery in each account.`;

const withIds = ({ full_name, id, owner }: Repository): string =>
  full_name.replace("/", `@${owner.id}/`).concat(`@${id}`);

function repositoryFindings({ repository, setting }: Asked): Finding[] {
  const { owner, name } = repositoryOf(setting);
  const found = ok(`${repository.full_name}, ${repository.private ? "private" : "public"}.`);
  if (repository.full_name === `${owner}/${name}`) return [found];
  // GitHub follows former names, and ignores upper and lower case. AWS does neither.
  return [problem(`${owner}/${name} is called ${repository.full_name}.`, setAgain(withIds(repository)))];
}

async function subjectFindings({ gitHub, repository, setting, path }: Asked): Promise<Finding[]> {
  const template = await gitHub.get<SubjectTemplate>(`${path}/actions/oidc/customization/sub`);
  if (template === undefined) return [problem("GitHub does not show how tokens name the repository.", giveToken)];
  if (!template.use_default) {
    const fix = `gh api --method PUT ${path.slice(1)}/actions/oidc/customization/sub -F use_default=true`;
    return [problem("tokens have a subject of the repository's own; the roles trust GitHub's default.", fix)];
  }
  const own = template.use_immutable_subject ? withIds(repository) : repository.full_name;
  const inTokens = template.sub_claim_prefix?.replace(/^repo:/, "") ?? own;
  return inTokens === setting
    ? [ok(`tokens name ${inTokens}, as delivery.gitHub does.`)]
    : [problem(`tokens name ${inTokens}, and delivery.gitHub ${setting}: AWS refuses them.`, setAgain(inTokens))];
}

/** Who may deploy the stage: `main` only, and production only after an approval. */
async function environmentFindings(stage: StageName, { gitHub, repository, path, lacks }: Asked): Promise<Finding[]> {
  const address = `${path}/environments/${stage}`;
  const environment = await gitHub.getIfAllowed<DeploymentEnvironment>(address);
  // A run that names an environment creates it, without rules.
  if (environment === undefined) return [lacks("there is no such environment.", `create it: ${guide}, step 2.`)];
  const { deployment_branch_policy: policy, protection_rules: rules = [] } = environment;
  const { branch_policies: names = [] } = policy?.custom_branch_policies
    ? ((await gitHub.get<BranchPolicies>(`${address}/deployment-branch-policies?per_page=100`)) ?? {})
    : {};
  const branches = names.map(({ name, type }) => (type === "tag" ? `the tag ${name}` : name)).join(", ");
  const findings = [
    branches === "main"
      ? ok("only main deploys.")
      : lacks(
          // With protected branches only, and none protected, every branch deploys.
          `${policy === null ? "every branch" : branches || "every protected branch"} may deploy, not only main.`,
          `choose main as the only deployment branch: ${guide}, step 2.`,
        ),
  ];
  if (stage !== "production") return findings;
  const reviewers = rules.find(({ type }) => type === "required_reviewers")?.reviewers?.length ?? 0;
  if (reviewers > 0) return [...findings, ok(`reviewers who must approve, one of: ${reviewers}.`)];
  const fix = repository.private
    ? `required reviewers of a private repository need GitHub Enterprise: ${guide}, A private repository.`
    : `add required reviewers: ${guide}, step 2.`;
  return [...findings, lacks("production needs no approval.", fix)];
}

/** Whether rulesets or a classic protection require reviews and checks of `main`. */
async function mainFindings({ gitHub, repository, path, lacks }: Asked): Promise<Finding[]> {
  const rules = (await gitHub.getIfAllowed<BranchRule[]>(`${path}/rules/branches/main?per_page=100`)) ?? [];
  const classic = await gitHub.getIfAllowed<BranchProtection>(`${path}/branches/main/protection`);
  const approvals = [
    ...rules.map(({ parameters }) => parameters?.required_approving_review_count ?? 0),
    classic?.required_pull_request_reviews?.required_approving_review_count ?? 0,
  ];
  const checks = new Set([
    ...rules.flatMap(({ parameters }) => parameters?.required_status_checks?.map(({ context }) => context) ?? []),
    ...(classic?.required_status_checks?.contexts ?? []),
  ]);
  const fix = repository.private
    ? `GitHub Free protects no branch of a private repository: ${guide}, A private repository.`
    : `protect main: ${guide}, step 3. Only the token of an administrator sees a classic protection.`;
  return [
    Math.max(...approvals) > 0
      ? ok("takes only what a reviewer has approved.")
      : lacks("takes commits that no reviewer has approved.", fix),
    checks.size > 0 ? ok(`required checks: ${checks.size}.`) : lacks("takes commits without any required check.", fix),
  ];
}

/** GitHub asks no owner that it does not know, and says so nowhere else. */
async function ownerFindings({ gitHub, path }: Asked): Promise<Finding[]> {
  const { errors = [] } = (await gitHub.getIfAllowed<CodeOwners>(`${path}/codeowners/errors`)) ?? {};
  const [first] = errors;
  if (first === undefined) return [ok("GitHub knows all owners.")];
  const fix = `name the club's team, which may write, in .github/CODEOWNERS: ${guide}, step 3.`;
  return [warning(`line ${first.line}: ${first.kind.toLowerCase()}; GitHub asks for no review there.`, fix)];
}

/** GitHub disables schedules of a public repository after 60 quiet days. */
async function workflowFindings({ gitHub, repository, path }: Asked): Promise<Finding[]> {
  const { workflows = [] } = (await gitHub.get<Workflows>(`${path}/actions/workflows?per_page=100`)) ?? {};
  const own = workflows.filter(({ path }) => path.startsWith(".github/workflows/"));
  const off = own.filter(({ state }) => state !== "active");
  if (off.length === 0) return [ok(`on: ${own.length}.`)];
  return off.map(({ path, state }) =>
    warning(`${path} is off (${state}).`, `gh workflow enable ${path.split("/").at(-1)} -R ${repository.full_name}`),
  );
}

const checks: readonly { readonly name: string; readonly look: (asked: Asked) => Promise<Finding[]> | Finding[] }[] = [
  { name: "repository", look: repositoryFindings },
  { name: "tokens", look: subjectFindings },
  { name: "staging", look: (asked) => environmentFindings("staging", asked) },
  { name: "production", look: (asked) => environmentFindings("production", asked) },
  { name: "main", look: mainFindings },
  { name: "owners", look: ownerFindings },
  { name: "workflows", look: workflowFindings },
];

const resultOf = (check: string, finding: Finding): Result => ({ check, isForDeploy: false, ...finding });

/**
 * @param setting `DeliveryConfig.gitHub`
 * @returns the results in the order of the checks; only the first when there is no repository to ask about
 */
export async function gitHubResults(setting: string, environment: Environment): Promise<Result[]> {
  const wrong = placeholders({ setting }).length > 0 ? "is a placeholder" : repositoryProblem(setting);
  const stop = (text: string, fix: string) => [resultOf("repository", problem(text, fix))];
  if (wrong) return stop(`delivery.gitHub "${setting}" ${wrong}.`, "write the club's own value into lib/stages.ts.");
  const gitHub = new GitHub(environment);
  const { owner, name } = repositoryOf(setting);
  try {
    const repository = await gitHub.get<Repository>(`/repos/${owner}/${name}`);
    if (repository === undefined) {
      return stop(`GitHub shows no repository ${owner}/${name}.`, `check delivery.gitHub; ${giveToken}`);
    }
    const path = `/repos/${repository.full_name}`;
    const accepts = repository.private
      ? await gitHub.getIfAllowed<{ value: string }>(`${path}/actions/variables/PRIVATE_PRODUCTION`)
      : undefined;
    const lacks = accepts?.value === "yes" ? warning : problem;
    const results = checks.map(async ({ name, look }) => {
      const findings = await Promise.resolve(look({ gitHub, repository, setting, path, lacks })).catch(
        (error: unknown) => [gitHubFailure(error)],
      );
      return findings.map((finding) => resultOf(name, finding));
    });
    return (await Promise.all(results)).flat();
  } catch (error) {
    return [resultOf("repository", gitHubFailure(error))];
  }
}
