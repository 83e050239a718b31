/** The smoke run against the local stage (`docs/deploy.md`, "Smoke run"). */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CognitoIdentityProviderClient, ListUsersCommand } from "@aws-sdk/client-cognito-identity-provider";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { capabilities } from "../../../lambda/api/routes.ts";
import { exec } from "../../../test/service/given.ts";
import { givenStage, type ServiceStage } from "../../../test/service/stage.ts";
import { smoke } from "../command.ts";
import { functionNameOf } from "../step-kit/function-of.ts";
import { steps } from "../steps.ts";

let stage: ServiceStage;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "smoke-"));
  stage = await givenStage();
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

/** Writes an outputs file. @returns its path */
async function givenFile(content: unknown): Promise<string> {
  const file = join(folder, "outputs.json");
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

async function run(args: readonly string[], interrupted?: AbortSignal) {
  const lines: string[] = [];
  const code = await smoke(args, (line) => void lines.push(line), interrupted);
  return { code, lines, text: lines.join("\n") };
}

/** The id of a run, from its first line. */
const idIn = (lines: readonly string[]): string => lines[0]?.split(" ")[0] ?? "";

/** What is still there of a run: callers of the API would see it, or the pool and the bucket have it. */
async function leftOf(id: string) {
  await stage.indexed();
  const get = async (path: string) => (await stage.api("GET", path, { as: exec })).body;
  const [events, users, members, { emailTemplates: templates }] = await Promise.all(
    ["/events", "/users", "/members", "/emails/templates"].map(get),
  );
  const { region, userPoolId: UserPoolId, identityUrl: endpoint } = stage.outputs;
  const credentials = { accessKeyId: "LOCALTest", secretAccessKey: "local" };
  const pool = new CognitoIdentityProviderClient({ region, endpoint, credentials });
  const { Users: accounts } = await pool.send(new ListUsersCommand({ UserPoolId }));
  const items = await stage.storedItems();
  const registrations = items.filter(({ SK, status }) => `${SK}`.startsWith("REG#") && status !== "deleted");
  const all = { events, users, members, templates, accounts, registrations };
  const ofRun = (list: object[]) => list.filter((item) => JSON.stringify(item).includes(id));
  return Object.fromEntries(Object.entries(all).map(([name, list]) => [name, ofRun(list)]));
}

const nothing = { events: [], users: [], members: [], templates: [], accounts: [], registrations: [] };

test("every step works, and nothing is left", async () => {
  const { code, lines, text } = await run([await givenFile(stage.outputs)]);
  // The times, and what no emulator can tell.
  console.info(text);
  expect({ code, text }).toMatchObject({ code: 0 });
  const ok = lines.filter((line) => /^ok {7}.* \(\d+ ms\)$/.test(line)).map((line) => line.slice(9).split(":")[0]);
  expect(ok).toEqual([...steps.map(({ name }) => name), "clean-up", "rights"]);
  const measured = lines.filter((line) => line.startsWith("measured")).map((line) => line.slice(9).split(":")[0]);
  expect(new Set(measured)).toEqual(
    new Set(["own errors", "first and second answer in milliseconds", "index lag", "conflicts", "promotion", "image"]),
  );
  expect(await leftOf(idIn(lines))).toEqual(nothing);
});

test("an interrupted run deletes what it made; the event of production is for admins only", async () => {
  const interrupted = new AbortController();
  const lines: string[] = [];
  const print = (line: string) => {
    lines.push(line);
    if (line.includes(" payment:")) interrupted.abort();
  };
  const code = await smoke([await givenFile(stage.outputs), "--hidden"], print, interrupted.signal);
  const text = lines.join("\n");
  expect({ code, text }).toEqual({ code: 1, text: expect.stringMatching(/^ok {7}payment: .*settles no payment\./m) });
  expect(text).toMatch(/^ok {7}event: .*, and only admins see it\./m);
  expect(text).toMatch(/^failed {3}mail: the run was interrupted\./m);
  expect(text).toMatch(/^ok {7}clean-up: /m);
  expect(text).not.toContain("account deletion:");
  expect(await leftOf(idIn(lines))).toEqual(nothing);
});

test("the log of each function of the API is known by its capability", () => {
  const names = Object.keys(capabilities);
  const found = names.map((name) => stage.environmentOf(functionNameOf(name)).POWERTOOLS_SERVICE_NAME);
  expect(found).toEqual(names);
});

describe("a broken stage", () => {
  /** Plays an API without paths that end in a slash, and without accounts. */
  async function givenBrokenStage(): Promise<{ server: Server; url: string }> {
    const server = createServer((request, response) => {
      const isHome = request.url === "/events/getActiveEvent";
      response.writeHead(404, { "content-type": "application/json" });
      response.end(JSON.stringify({ message: "Not Found", ...(isHome && { code: "NOT_FOUND" }) }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  test("fails, and the run names the steps and what may be left", async () => {
    const { server, url } = await givenBrokenStage();
    const { code, lines, text } = await run([
      await givenFile({ ...stage.outputs, apiUrl: `${url}/`, identityUrl: url }),
    ]);
    server.close();
    expect({ code, text }).toMatchObject({ code: 1 });
    expect(lines[1]).toBe(`ok       api: ${url} answers. (${/\((\d+) ms\)/.exec(text)?.[1]} ms)`);
    expect(text).toMatch(/^failed {3}slash paths, no token: .*GET \/registrations\/ is 404.*; each must be 401\./m);
    expect(text).toMatch(/^failed {3}sign-in: /m);
    expect(text).toMatch(/^skipped {2}registrations: it needs the step "event"\./m);
    expect(text).toMatch(/^failed {3}payment webhook: an event with a wrong signature answered 404/m);
    expect(text).toMatch(/^failed {3}clean-up: 1 of 1 things are left\./m);
    expect(text).toMatch(/^failed {3}slash paths, no token: .* The logs cannot be read: .*\/local\/errors is 404\./m);
    expect(text).toMatch(/^skipped {2}rights: The logs cannot be read: /m);
    expect(text).toMatch(/^left {5}the account smoke-\w+@club\.example: .* Delete it: npm start -- --reset$/m);
  });
});

describe("wrong use:", () => {
  const deployed = {
    ApiUrl: "https://api.test",
    UserPoolId: "ca-central-1_own",
    UserPoolClientId: "client",
    ImageBucketName: "images",
    TableName: "Table",
  };
  const { ApiUrl: _, ...withoutApi } = deployed;

  test.each<[string, unknown, string]>([
    ["a file that is not JSON", "{", "is not JSON"],
    ["two stacks", { "ClubEvents-staging": deployed, "ClubEvents-production": deployed }, "of one stack"],
    ["a missing output", { "ClubEvents-staging": withoutApi }, "has no output ApiUrl"],
    ["production", { "ClubEvents-production": deployed }, "Add --yes-production"],
  ])("%s", async (_name, content, sentence) => {
    const { code, lines } = await run([await givenFile(content)]);
    expect({ code, lines }).toEqual({ code: 2, lines: [expect.stringContaining(sentence)] });
  });

  test.each<[string, readonly string[], string]>([
    ["a missing file", ["gone.json"], "gone.json cannot be read (ENOENT)."],
    ["no time", ["a.json", "--minutes", "0"], "--minutes must be a number up to 60."],
  ])("%s", async (_name, args, sentence) => {
    const { code, lines } = await run(args);
    expect({ code, lines }).toEqual({ code: 2, lines: [expect.stringContaining(sentence)] });
  });
});
