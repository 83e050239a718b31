import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, jest, test } from "@jest/globals";

// Each test starts a process.
jest.setTimeout(30_000);

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The output of `npm start` and its exit status. Only for starts that end before the build. */
async function start(args: readonly string[], variables: Record<string, string> = {}) {
  const { NODE_OPTIONS: _jest, ...env } = process.env;
  const child = spawn(process.execPath, ["--import", "tsx", "bin/local.ts", ...args], {
    cwd: root,
    env: { ...env, ...variables },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text) => {
      said += text;
    });
  }
  const [status] = await once(child, "close");
  return { status, said };
}

test("a port in use is a clear sentence", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const { status, said } = await start([], { PORT: `${port}` });
  other.close();

  expect(status).toBe(1);
  expect(said.trim()).toBe(`Port ${port} is in use. Stop what listens there, or choose others: PORT=5000 npm start`);
});

test.each(["0", "abc", "70000", "-1", ""])("PORT=%j is refused", async (PORT) => {
  const { status, said } = await start([], { PORT });
  expect(status).toBe(1);
  expect(said).toContain(`PORT is "${PORT}"`);
});

test("an unknown flag shows the known ones", async () => {
  const { status, said } = await start(["--frobnicate"]);
  expect(status).toBe(1);
  expect(said).toContain("--frobnicate");
  expect(said).toContain("--no-conflicts");
});
