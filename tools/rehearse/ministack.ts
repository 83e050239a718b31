/** MiniStack, the emulator that a rehearsal starts. https://github.com/ministackorg/ministack */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { pythonTool } from "../kit/python/environment.ts";
import { type Emulator, region, type Variables } from "./emulator.ts";

/**
 * An exception in MiniStack's own code: a traceback through its package, which one of a function in Python has not; or the
 * words of one in Python, about a dictionary that two of its threads use, for a function in Node.
 * @param output what it has printed
 * @returns the exception
 */
export function faultIn(output: string): string | undefined {
  const [race] = / ERROR \[lambda\] .*: dictionary changed size during iteration$/m.exec(output) ?? [];
  if (race !== undefined) return race.trim();
  const tracebacks = output.matchAll(/^Traceback \(most recent call last\):\n((?:[ \t].*\n)+)(\S.*)$/gm);
  const own = [...tracebacks].find(([, frames = ""]) => /[/\\]site-packages[/\\]ministack[/\\]/.test(frames));
  return own?.[2];
}

const longestStart = 60_000;
const longestStop = 5_000;

interface Ports {
  readonly secure: number;
  /** MiniStack's authorizer of HTTP APIs reads the keys of a pool without TLS. */
  readonly plain: number;
}

async function freePorts(): Promise<Ports> {
  const servers = [createServer(), createServer()];
  const ports: number[] = [];
  for (const server of servers) {
    await once(server.listen(0, "127.0.0.1"), "listening");
    ports.push((server.address() as AddressInfo).port);
  }
  for (const server of servers) await once(server.close(), "close");
  const [secure = 0, plain = 0] = ports;
  return { secure, plain };
}

/**
 * A certificate for 127.0.0.1. Policies of the stage and of the CDK's bucket refuse requests without TLS.
 * @throws Error without the command openssl
 */
async function certificateIn(folder: string): Promise<{ readonly certificate: string; readonly key: string }> {
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"];
  const files = ["-keyout", key, "-out", certificate];
  const args = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject, ...files];
  await promisify(execFile)("openssl", args).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? new Error("MiniStack needs the command openssl.") : error;
  });
  return { certificate, key };
}

/** Each request has the rights of its caller: root for these keys, and for a function those of its role. */
const callerSettings = ({ secure }: Ports, certificate: string): Variables => ({
  AWS_ENDPOINT_URL: `https://127.0.0.1:${secure}`,
  AWS_ACCESS_KEY_ID: "test",
  AWS_SECRET_ACCESS_KEY: "test",
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
  // Of Node, and of the CDK and the AWS CLI.
  NODE_EXTRA_CA_CERTS: certificate,
  AWS_CA_BUNDLE: certificate,
});

/**
 * Only what MiniStack needs: no setting of this machine changes a rehearsal, and it keeps nothing outside of the folder.
 * Functions inherit these variables, and have the keys of their roles.
 */
const ministackSettings = (folder: string, ports: Ports, certificate: string): Variables => ({
  // Functions run in this Node.
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  HOME: folder,
  TMPDIR: folder,
  STATE_DIR: join(folder, "state"),
  S3_DATA_DIR: join(folder, "s3"),
  BIND_HOST: "127.0.0.1",
  GATEWAY_PORT: String(ports.plain),
  MINISTACK_HOST: "127.0.0.1",
  MINISTACK_REGION: region,
  AWS_ENDPOINT_URL: `https://127.0.0.1:${ports.secure}`,
  NODE_EXTRA_CA_CERTS: certificate,
  // Policies count.
  AUTH: "true",
  LAMBDA_EXECUTOR: "local",
  LOG_LEVEL: "WARNING",
  // Listeners that no stage needs.
  IOT_MTLS_ENABLED: "0",
  SFTP_ENABLED: "0",
});

/** Ends a process and those that it has started: they are a group. */
async function endGroup(child: ChildProcess): Promise<void> {
  const closed = child.exitCode === null ? once(child, "close") : undefined;
  signalGroup(child, "SIGTERM");
  await Promise.race([closed, pause(longestStop, undefined, { ref: false })]);
  signalGroup(child, "SIGKILL");
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

/** Waits until MiniStack answers. @returns its version @throws Error when it ends, or does not answer in time */
async function versionOf(child: ChildProcess, { plain }: Ports): Promise<string> {
  const end = Date.now() + longestStart;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${plain}/_ministack/health`).catch(() => undefined);
    if (answer?.ok) return ((await answer.json()) as { version: string }).version;
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}.`);
    if (Date.now() > end) throw new Error(`it does not answer within ${longestStart / 1000} seconds.`);
    await pause(100);
  }
}

/**
 * Installs MiniStack when it is not there yet.
 * @returns the folder with its commands
 * @throws NoPythonTool
 */
export const installMiniStack = (): Promise<string> => pythonTool("ministack");

/**
 * Starts MiniStack on free ports of 127.0.0.1. Installs it first when it is not there yet.
 * @param folder for all that it keeps
 * @throws NoPythonTool; Error with its last words when it does not start
 */
export async function startMiniStack(folder: string): Promise<Emulator> {
  const bin = await installMiniStack();
  await mkdir(folder, { recursive: true });
  const ports = await freePorts();
  const { certificate, key } = await certificateIn(folder);
  // The command `ministack` has one port only, and with TLS also takes 443.
  const bind = ["--bind", `127.0.0.1:${ports.secure}`, "--insecure-bind", `127.0.0.1:${ports.plain}`];
  const tls = ["--certfile", certificate, "--keyfile", key];
  const how = ["--keep-alive", "75", "--log-level", "WARNING"];
  const child = spawn(join(bin, "hypercorn"), ["ministack.app:app", ...bind, ...tls, ...how], {
    cwd: folder,
    env: ministackSettings(folder, ports, certificate),
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own: the processes of the functions end with it, and a Ctrl-C does not reach it first.
    detached: true,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  process.once("exit", () => signalGroup(child, "SIGKILL"));
  const variables = callerSettings(ports, certificate);
  const version = await versionOf(child, ports).catch(async (error: Error) => {
    await endGroup(child);
    throw new Error(`MiniStack does not start: ${error.message} ${said.trim()}`.trim());
  });
  return {
    name: `MiniStack ${version}`,
    endpoint: String(variables.AWS_ENDPOINT_URL),
    plainEndpoint: `http://127.0.0.1:${ports.plain}`,
    variables,
    certificate: await readFile(certificate, "utf8"),
    words() {
      const lines = said
        .split("\n")
        .filter((line) => /\b(?:WARNING|ERROR|CRITICAL)\b|^\w*(?:Error|Exception)\b/.test(line));
      said = "";
      return lines.slice(-10);
    },
    fault: () => (child.exitCode === null ? faultIn(said) : `it ended with ${child.exitCode}`),
    stop: () => endGroup(child),
  };
}
