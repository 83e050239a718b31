/** `README.md`: the commands of "Register a person" with the answers that it shows, and the program of the typed client. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { localStage } from "../../lib/stages.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

interface Example {
  readonly method: string;
  readonly path: string;
  readonly as: string;
  readonly body?: string;
  /** The shown answer, without what it leaves out. */
  readonly answer: object;
}

let readme: string;
let stage: ServiceStage;
beforeAll(async () => {
  readme = await readFile(fileURLToPath(new URL("../../README.md", import.meta.url)), "utf8");
  stage = await givenStage({ seed: true });
});
afterAll(() => stage.close());

/** The commands with an answer below, from one heading to the next. */
function examplesIn(text: string, heading: string): Example[] {
  const part = text.slice(text.indexOf(`## ${heading}\n`)).split("\n## ")[0] as string;
  const people = Object.fromEntries(
    [...part.matchAll(/^(\w+)="authorization: Bearer \$\(token (\S+)\)"$/gm)].map(([, name, email]) => [name, email]),
  );
  return [...part.matchAll(/^(curl -s .*(?:\\\n.*)*)\n((?:# .*\n)+)/gm)].map(([, command = "", shown = ""]) => {
    const [, body] = /-d '(.*)'/.exec(command) ?? [];
    const [, path = ""] = /\$api([^\s"]+)/.exec(command) ?? [];
    const [, method = body === undefined ? "GET" : "POST"] = /-X (\w+)/.exec(command) ?? [];
    const [, name = ""] = /-H "\$(?!json)(\w+)"/.exec(command) ?? [];
    const answer = JSON.parse(shown.replaceAll(/^# /gm, "").replaceAll(", …", ""));
    return { method, path, as: people[name] ?? "", answer, ...(body !== undefined && { body }) };
  });
}

test("the commands have the answers that are shown", async () => {
  const examples = examplesIn(readme, "Register a person");
  expect(examples.map(({ method }) => method)).toEqual(["POST", "POST", "POST", "POST", "DELETE", "GET"]);
  for (const { method, path, as, body, answer } of examples) {
    await stage.settled();
    const { body: said } = await stage.api(method, path, { as, ...(body !== undefined && { body }) });
    expect(said).toMatchObject(answer);
  }
});

describe("the program of the typed client", () => {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const program = join(root, "client/example.ts");
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "client-example-"));
    await mkdir(join(folder, ".local"));
    await writeFile(join(folder, ".local/outputs.json"), JSON.stringify(stage.outputs));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("is a screen long", async () => {
    expect((await readFile(program, "utf8")).trimEnd().split("\n").length).toBeLessThanOrEqual(40);
  });

  test("registers a person; a second run is told so", async () => {
    const run = async () => {
      const { stdout } = await promisify(execFile)(join(root, "node_modules/.bin/tsx"), [program], { cwd: folder });
      return stdout.trimEnd().split("\n").slice(-4);
    };
    const same = ["user@student.example is no member.", "/dynamicResponses/workshop is required"];
    expect(await run()).toEqual([
      expect.stringMatching(/^A page: /),
      ...same,
      expect.stringMatching(/^You are registered\. V2\./),
    ]);
    expect(await run()).toEqual([expect.stringMatching(/^A page: /), ...same, "You are registered already."]);
    const { status, body } = await stage.api("GET", "/registrations?eventID=kickoff", { as: "user@student.example" });
    expect([status, body.data]).toMatchObject([
      200,
      [{ registrationStatus: "registered", dynamicResponses: { workshop: "Pitching" } }],
    ]);
  });
});

test("the dates have an offset, so that they do not depend on the zone of a stage", () => {
  const dates = readme.match(/"startDate":"[^"]*"/g) ?? [];
  expect(dates.length).toBeGreaterThan(0);
  for (const date of dates) expect(date).toMatch(/(?:Z|[+-]\d\d:\d\d)"$/);
});

test("the time zone of the laptop is that of lib/stages.ts", () => {
  expect(readme).toContain(`on the laptop \`${localStage({}).timeZone}\``);
});
