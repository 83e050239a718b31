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

test("a PORT that is no port number is refused", async () => {
  const { status, said } = await start([], { PORT: "abc" });
  expect(status).toBe(1);
  expect(said.trim()).toBe('PORT is "abc", not a port number between 1 and 65000.');
});

test("an unknown flag shows the known ones", async () => {
  const { status, said } = await start(["--frobnicate"]);
  expect(status).toBe(1);
  expect(said).toContain("--frobnicate");
  expect(said).toContain("--no-conflicts");
  for (const flag of ["--unverified-sender", "--sandbox", "--mail-rate <n>", "--mail-quota <n>"]) {
    expect(said).toContain(flag);
  }
});

test("a number of mails that is no number is refused", async () => {
  const { status, said } = await start(["--mail-rate", "many"]);
  expect(status).toBe(1);
  expect(said).toContain('--mail-rate is "many", not a whole number above 0.');
});
