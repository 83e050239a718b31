/** `npm start -- --watch`: it builds what changed, and says what it does. */
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { freePort, givenCopy, givenTerminal } from "../service/newcomers-project.ts";

const terminal = givenTerminal();
const { run } = terminal;

test("npm start -- --watch builds what changed, and shows a mistake as one block", async () => {
  terminal.folder = await givenCopy();
  const port = await freePort();
  const npm = run(["npm", "start", "--", "--watch", "--memory", "--no-seed"], { PORT: `${port}` });
  const introduced = await npm.until(/^ready$/m);
  for (const [name, path] of [
    ["start page", "/"],
    ["reference", "/docs"],
  ] as const) {
    const address = `http://localhost:${port}${path}`;
    expect(introduced).toMatch(new RegExp(`^${name} +${address}$`, "m"));
    expect((await fetch(address)).status).toBe(200);
  }
  const file = join(terminal.folder, "lambda/api/events/index.ts");
  const source = await readFile(file, "utf8");

  const status = async () => (await fetch(`http://127.0.0.1:${port}/events/getActiveEvent`)).status;
  await writeFile(file, "export const handler = async () => ({ statusCode: 418 });\n");
  expect(await npm.until(/^ready; .*$/m)).toMatch(/^rebuilding events …\nready; a new route, .* needs a restart$/m);
  expect(await status()).toBe(418);

  await writeFile(file, `${source}const a = ;\n`);
  const block = await npm.until(/^not built: .*$/m);
  const line = source.split("\n").length;
  expect(block.trim()).toBe(
    [
      "rebuilding events …",
      `lambda/api/events/index.ts:${line}:11: Unexpected ";"`,
      "  const a = ;",
      "            ^",
      "not built: the stage goes on with its code",
    ].join("\n"),
  );
  expect(await status()).toBe(418);

  await writeFile(file, source);
  await npm.until(/^ready; .*$/m);
  expect(await status()).toBe(404);

  // A schema is not bundled itself: the validator that is made of it is.
  await appendFile(join(terminal.folder, "lambda/api/feedback/schemas.ts"), "// A comment.\n");
  expect(await npm.until(/^ready; .*$/m)).toMatch(/^rebuilding .*feedback/m);
  process.kill(npm.process.pid as number, "SIGTERM");
  await npm.ended();
});

test("a broken build is one block, without a stack", async () => {
  terminal.folder = await givenCopy();
  await appendFile(join(terminal.folder, "lambda/kit/table/table.ts"), "const a = ;\n");
  const { status, said } = await run(["npm", "-s", "start"], { PORT: `${await freePort()}` }).ended();
  expect(status).toBe(1);
  expect(said.replace(/^This is Node .*\n/, "")).toMatch(
    /^building the functions and the template …\nlambda\/kit\/table\/table\.ts:\d+:11: Unexpected ";"\n {2}const a = ;\n {12}\^$/,
  );
});
