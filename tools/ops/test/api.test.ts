/** `npm run ops -- api` on a running stage: what its callers get, and that all limits come back. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ApiGatewayV2Client, GetStageCommand, UpdateStageCommand } from "@aws-sdk/client-apigatewayv2";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { clubClient } from "../../../client/index.ts";
import { givenStage, type ServiceStage } from "../../../test/service/stage.ts";
import { givenSettings } from "../../../test/settings.ts";
import { givenFolder } from "../../../test/unit/folder.ts";
import { ops } from "../command.ts";

const open: (() => unknown)[] = [];
let stage: ServiceStage;
let file: string;
let gateway: ApiGatewayV2Client;
beforeAll(async () => {
  givenSettings();
  stage = await givenStage({ publicEvents: true });
  file = join(await givenFolder(open), "outputs.json");
  await writeFile(file, JSON.stringify(stage.outputs));
  gateway = new ApiGatewayV2Client({ region: stage.outputs.region, endpoint: stage.outputs.gatewayUrl });
});
afterAll(async () => {
  gateway.destroy();
  await stage.close();
  for (const close of open) await close();
});

async function api(...words: readonly string[]) {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const code = await ops(["api", ...words, "--stage-outputs", file], { print, note: print });
  return { code, said: lines.join("\n") };
}
const inStage = () => ({ ApiId: stage.outputs.apiId, StageName: "$default" });
async function limits() {
  const { DefaultRouteSettings, RouteSettings } = await gateway.send(new GetStageCommand(inStage()));
  return { DefaultRouteSettings, RouteSettings };
}
/** What a page shows: a status, or nothing when the call worked. */
async function shown() {
  const client = clubClient({ baseUrl: stage.outputs.apiUrl, pause: async () => undefined });
  const { error } = await client.GET("/events");
  return error && { status: error.status, message: error.message };
}

test("a closed API answers 429, which the client shows; an opened one has the limits of the template again", async () => {
  const before = await limits();
  expect(await shown()).toBeUndefined();

  expect(await api("close")).toMatchObject({ code: 1, said: expect.stringContaining("add --apply") });
  expect([await limits(), await shown()]).toEqual([before, undefined]);

  expect(await api("close", "--apply")).toMatchObject({
    code: 0,
    said: expect.stringMatching(/all other routes +1000 a second, 2000 at once -> 0 a second, 0 at once/),
  });
  expect(await shown()).toEqual({ status: 429, message: "Too Many Requests" });
  expect((await stage.fetch("/payments/webhook", { method: "POST", body: "{}" })).status).toBe(429);
  expect(await api("close", "--apply")).toMatchObject({
    code: 0,
    said: expect.stringContaining("Nothing has to change"),
  });

  expect((await api("limit", "GET /users/self", "--apply")).code).toBe(0);
  expect((await api("open", "--apply")).code).toBe(0);
  expect([await limits(), await shown()]).toEqual([before, undefined]);
});

test("control: settings sent back by UpdateStage leave the limit of another route; `open` removes it", async () => {
  const before = await limits();
  expect((await api("limit", "GET /users/self", "--apply")).code).toBe(0);
  await gateway.send(new UpdateStageCommand({ ...inStage(), ...before }));
  expect(await limits()).not.toEqual(before);
  expect((await api("open", "--apply")).said).toMatch(
    /GET \/users\/self +5 a second, 5 at once -> as all other routes/,
  );
  expect(await limits()).toEqual(before);
});

test.each([
  [["shut"], "none of close, limit and open"],
  [["close", "GET /nothing"], 'no route "GET /nothing"'],
])("%p is refused", async (words, said) => {
  expect(await api(...words)).toMatchObject({ code: 2, said: expect.stringContaining(said) });
});
