/** The settings of the repository on GitHub, asked of a server with the answers of GitHub's REST documentation. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { preflight } from "../command.ts";

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const repository = { id: 22, full_name: "bizclub/club-events", private: false, owner: { login: "bizclub", id: 11 } };
const path = "/repos/bizclub/club-events";
const environmentOf = (name: string, rules: readonly object[] = []) => ({
  id: 161088068,
  name,
  protection_rules: [{ id: 3736, type: "branch_policy" }, ...rules],
  deployment_branch_policy: { protected_branches: false, custom_branch_policies: true },
});
const reviewed = { id: 3755, type: "required_reviewers", reviewers: [{ type: "User", reviewer: { id: 1 } }] };
const onlyMain = { total_count: 1, branch_policies: [{ id: 361471, name: "main", type: "branch" }] };
const active = (name: string, state = "active") => ({ id: 1, path: `.github/workflows/${name}`, state });

let answers: Record<string, Answer>;
let asked: { authorization?: string | undefined }[];
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push({ authorization: request.headers.authorization });
    const { status, headers, body } = answers[request.url?.split("?")[0] ?? ""] ?? notFound;
    response.writeHead(status ?? 200, headers).end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const notFound: Answer = { status: 404, body: { message: "Not Found" } };
const notInPlan: Answer = {
  status: 403,
  body: { message: "Upgrade to GitHub Pro or make this repository public to enable this feature." },
};

beforeEach(() => {
  asked = [];
  answers = {
    [path]: { body: repository },
    [`${path}/actions/oidc/customization/sub`]: {
      body: { use_default: true, use_immutable_subject: true, sub_claim_prefix: "repo:bizclub@11/club-events@22" },
    },
    [`${path}/environments/staging`]: { body: environmentOf("staging") },
    [`${path}/environments/staging/deployment-branch-policies`]: { body: onlyMain },
    [`${path}/environments/production`]: { body: environmentOf("production", [reviewed]) },
    [`${path}/environments/production/deployment-branch-policies`]: { body: onlyMain },
    [`${path}/rules/branches/main`]: {
      body: [
        { type: "deletion" },
        { type: "pull_request", parameters: { required_approving_review_count: 1 } },
        { type: "required_status_checks", parameters: { required_status_checks: [{ context: "CodeQL" }] } },
      ],
    },
    [`${path}/codeowners/errors`]: { body: { errors: [] } },
    [`${path}/actions/workflows`]: {
      body: {
        total_count: 2,
        workflows: [active("deploy.yml"), { ...active("x"), path: "dynamic/dependabot", state: "deleted" }],
      },
    },
  };
});

/** What preflight prints. */
async function run(gitHub = "bizclub@11/club-events@22", environment: Record<string, string> = { GH_TOKEN: "t" }) {
  const lines: string[] = [];
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const all = { GITHUB_API_URL: address, ...environment };
  const code = await preflight(["--github"], (line) => lines.push(line), all, [], gitHub);
  return { code, lines };
}

/** The lines that are not `ok`, except for the last one. */
const findings = async (...args: Parameters<typeof run>) =>
  (await run(...args)).lines.filter((line) => /^(?:problem|warning) /.test(line));

test("a repository without a problem", async () => {
  expect(await run()).toEqual({
    code: 0,
    lines: [
      "ok       repository: bizclub/club-events, public.",
      "ok       tokens: tokens name bizclub@11/club-events@22, as delivery.gitHub does.",
      "ok       staging: only main deploys.",
      "ok       production: only main deploys.",
      "ok       production: reviewers who must approve, one of: 1.",
      "ok       main: takes only what a reviewer has approved.",
      "ok       main: required checks: 1.",
      "ok       owners: GitHub knows all owners.",
      "ok       workflows: on: 1.",
      "0 problems, 0 warnings",
    ],
  });
  expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set(["Bearer t"]));
});

test.each<[string, string, Answer, RegExp]>([
  [
    "no reviewers",
    "/environments/production",
    { body: environmentOf("production") },
    /problem +production: production needs no approval/,
  ],
  [
    "reviewers of nobody",
    "/environments/production",
    { body: environmentOf("production", [{ ...reviewed, reviewers: [] }]) },
    /production needs no approval/,
  ],
  [
    "no rule of branches",
    "/environments/staging",
    { body: { ...environmentOf("staging"), deployment_branch_policy: null } },
    /problem +staging: every branch may deploy/,
  ],
  [
    "protected branches",
    "/environments/staging",
    {
      body: {
        ...environmentOf("staging"),
        deployment_branch_policy: { protected_branches: true, custom_branch_policies: false },
      },
    },
    /problem +staging: every protected branch/,
  ],
  [
    "no approvals of main",
    "/rules/branches/main",
    { body: [{ type: "pull_request", parameters: { required_approving_review_count: 0 } }] },
    /problem +main: takes commits that no reviewer has approved/,
  ],
  [
    "no checks of main",
    "/rules/branches/main",
    { body: [{ type: "deletion" }] },
    /problem +main: takes commits without any required check/,
  ],
  [
    "the team of the code owners",
    "/codeowners/errors",
    { body: { errors: [{ line: 3, kind: "Unknown owner", path: ".github/CODEOWNERS" }] } },
    /warning +owners: line 3: unknown owner; GitHub asks for no review there/,
  ],
  [
    "ids of tokens",
    "/actions/oidc/customization/sub",
    { body: { use_default: true, sub_claim_prefix: "repo:bizclub/club-events" } },
    /problem +tokens: tokens name bizclub\/club-events, .*set delivery\.gitHub to "bizclub\/club-events"/,
  ],
  [
    "a quiet schedule",
    "/actions/workflows",
    { body: { workflows: [active("drift.yml", "disabled_inactivity")] } },
    /warning +workflows: \.github\/workflows\/drift\.yml is off \(disabled_inactivity\)\. Fix: gh workflow enable drift\.yml -R bizclub\/club-events/,
  ],
])("%s", async (_name, at, answer, line) => {
  answers[`${path}${at}`] = answer;
  expect((await findings()).join("\n")).toMatch(line);
});

test("a classic protection of main counts as rules do", async () => {
  answers[`${path}/rules/branches/main`] = { body: [] };
  expect(await findings()).toHaveLength(2);
  answers[`${path}/branches/main/protection`] = {
    body: {
      required_pull_request_reviews: { required_approving_review_count: 1 },
      required_status_checks: { strict: true, contexts: ["CodeQL"], checks: [{ context: "CodeQL", app_id: null }] },
    },
  };
  expect(await findings()).toEqual([]);
});

test("a private repository in GitHub Free: problems, until the club accepts them", async () => {
  answers[path] = { body: { ...repository, private: true } };
  for (const at of [
    "/environments/staging",
    "/environments/production",
    "/rules/branches/main",
    "/branches/main/protection",
  ]) {
    answers[`${path}${at}`] = notInPlan;
  }
  const levels = async () => (await findings()).map((line) => line.split(":")[0]?.replace(/ +/, " "));
  const lacking = ["staging", "production", "main", "main"];
  expect(await levels()).toEqual(lacking.map((check) => `problem ${check}`));
  const variable = `${path}/actions/variables/PRIVATE_PRODUCTION`;
  answers[variable] = { body: { name: "PRIVATE_PRODUCTION", value: "no" } };
  expect(await levels()).toEqual(lacking.map((check) => `problem ${check}`));
  answers[variable] = { body: { name: "PRIVATE_PRODUCTION", value: "yes" } };
  expect(await levels()).toEqual(lacking.map((check) => `warning ${check}`));
  expect(await run()).toMatchObject({ code: 0 });
});

test("a public repository accepts nothing", async () => {
  answers[`${path}/environments/production`] = notFound;
  answers[`${path}/actions/variables/PRIVATE_PRODUCTION`] = { body: { name: "PRIVATE_PRODUCTION", value: "yes" } };
  expect((await findings()).join()).toMatch(/^problem +production/);
});

test.each<[string, string, Answer, RegExp]>([
  ["no repository", "bizclub/other", notFound, /shows no repository bizclub\/other.*GH_TOKEN/],
  ["an address", "https://github.com/bizclub/club-events", {}, /is an address/],
])("%s: one problem", async (_name, setting, answer, line) => {
  answers[path] = answer;
  const { code, lines } = await run(setting);
  expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringMatching(line), "1 problem, 0 warnings"] });
});

test("no network", async () => {
  expect(await findings(undefined, { GITHUB_API_URL: "http://127.0.0.1:1" })).toEqual([
    expect.stringMatching(/^problem +repository: GitHub does not answer/),
  ]);
});
