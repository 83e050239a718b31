/** A club writes its own values into `lib/stages.ts` and into no other file: unit and infra stay green. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { StageConfig } from "../../lib/stages.ts";
import { type Command, cleared, command } from "../service/newcomers-project.ts";
import { stages as testStages } from "../stages.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Another club's value for each of the tests' values. */
const others: readonly (readonly [RegExp, string])[] = [
  [/club\.example/g, "boerse-buehne.de"],
  [/Club Events/g, "Börse & Bühne e.V."],
  [/club-events(?=[-"])/g, "boerse-buehne"],
  [/(?<=club-events\/\w+\/)([\w-]+)/g, "other-$1"],
  [/\/event\/\{id\}\/\{year\}\/register/g, "/abende/{year}/{id}"],
  [/America\/Vancouver/g, "Europe/Berlin"],
  [/"CAD"/g, '"EUR"'],
  [/"by hand"/g, '"automatic"'],
  [/"code"/g, '"link"'],
  [/"student\.example"/g, '"schule.example"'],
  [/:3000/g, ":5173"],
  [/github\.test\/club/g, "github.test/boerse"],
];

/** The stage of another club: other texts, larger numbers, and the opposite of what is public. */
function ofOtherClub(stage: StageConfig): StageConfig {
  const text = others.reduce((all, [from, to]) => all.replace(from, to), JSON.stringify(stage));
  return JSON.parse(text, (name, value) => {
    if (/^public/.test(name) && typeof value === "boolean") return !value;
    return typeof value === "number" ? value * 2 : value;
  });
}
const production = ofOtherClub(testStages.production);
const staging = ofOtherClub(testStages.staging);

/** What a stage must have as it is, and what need not differ from one club to another. */
const mayBeSame = ["name", "imageUrlScheme", "removalPolicy", "deletionProtection", "identity.passwordInPlain"];

/** The single values of a stage, by the path of their field; a list is one value. */
const valuesOf = (value: unknown, field = ""): [string, unknown][] =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([name, inner]) => valuesOf(inner, field === "" ? name : `${field}.${name}`))
    : [[field, value]];

/** The fields in which two stages have the same value. */
function sameIn(one: StageConfig, other: StageConfig): string[] {
  const others = new Map(valuesOf(other).map(([field, value]) => [field, JSON.stringify(value)]));
  return valuesOf(one)
    .filter(([field, value]) => others.get(field) === JSON.stringify(value))
    .map(([field]) => field);
}

/** `lib/stages.ts` with the values of this club. @throws Error when the file has another shape than is known here */
function withClubValues(source: string): string {
  const [first, second] = ["\nconst common = {\n", "\nexport const localVariables = "];
  for (const mark of [first, second]) {
    if (source.split(mark).length !== 2) throw new Error(`lib/stages.ts does not have ${JSON.stringify(mark)} once.`);
  }
  const stage = (value: StageConfig) =>
    `export const ${value.name}: StageConfig = ${JSON.stringify(value, null, 2)};\n`;
  const [before, rest = ""] = source.split(first);
  return `${before}\n${stage(production)}${stage(staging)}${second}${rest.split(second)[1]}`;
}

/** Copies the files of the repository, as they are in this folder, with its packages and bundles. @returns the folder */
async function givenProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "club-"));
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const file of listed.toString().split("\0")) {
    // A deleted file is listed until the deletion is committed.
    if (file === "" || !existsSync(join(root, file))) continue;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file));
  }
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await cp(join(root, "dist"), join(folder, "dist"), { recursive: true });
  return folder;
}

interface Results {
  readonly numPassedTests: number;
  readonly snapshot: { readonly added: number; readonly updated: number };
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

let folder: string;
const commands: Command[] = [];
const run = (...words: string[]) => {
  const started = command(folder, words);
  commands.push(started);
  return started.ended();
};
beforeAll(async () => {
  folder = await givenProject();
  const file = join(folder, "lib/stages.ts");
  await writeFile(file, withClubValues(await readFile(file, "utf8")));
});
afterAll(() => cleared(commands, folder));

test("the club's values are in the copy, and differ from those of the tests wherever a club's may", async () => {
  const print = 'import { stages } from "./lib/stages.ts"; console.log(JSON.stringify(stages));';
  const { status, said } = await run(process.execPath, "--import", "tsx/esm", "--input-type=module", "--eval", print);
  expect({ status, said }).toMatchObject({ status: 0 });
  expect(JSON.parse(said)).toEqual({ production, staging, local: testStages.local });
  for (const stage of [production, staging]) {
    expect(sameIn(stage, testStages[stage.name]).filter((field) => !mayBeSame.includes(field))).toEqual([]);
  }
  expect(sameIn(testStages.production, testStages.production)).toContain("holds.promotion"); // control
});

test("unit and infra are green with them", async () => {
  const jest = ["npm", "run", "-s", "test:only", "--", "--selectProjects", "unit", "infra"];
  const { status, said } = await run(...jest, "--ci", "--maxWorkers", "2", "--json", "--outputFile", "results.json");
  const file = join(folder, "results.json");
  if (!existsSync(file)) throw new Error(`There are no results:\n${said}`);
  const { numPassedTests, snapshot, testResults } = JSON.parse(await readFile(file, "utf8")) as Results;
  const red = testResults
    .filter((one) => one.status === "failed")
    .map(({ name, assertionResults, message }) => {
      const titles = assertionResults.filter((one) => one.status === "failed").map(({ fullName }) => fullName);
      return { file: name.slice(folder.length + 1), failed: titles.length > 0 ? titles : message };
    });
  console.info(`${numPassedTests} tests passed.`);
  expect({ status, red, added: snapshot.added, updated: snapshot.updated }).toEqual({
    status: 0,
    red: [],
    added: 0,
    updated: 0,
  });
  expect(numPassedTests).toBeGreaterThan(2_000);
}, 1_200_000);
