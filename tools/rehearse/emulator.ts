/** The emulator of AWS: MiniStack, which a rehearsal starts, or one that already runs. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { pythonTool } from "../python/environment.ts";

type Variables = Readonly<Record<string, string>>;

export interface Emulator {
  /** In a line of the report. */
  readonly name: string;
  readonly endpoint: string;
  /** The variables with which a shell reaches it. */
  readonly variables: Variables;
  /** The certificate that it shows, in PEM. */
  readonly certificate?: string;
  /** Its warnings since the last call. */
  words(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

const region = "us-west-2";
const longestStart = 60_000;
const longestStop = 5_000;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
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
const own = (port: number, certificate: string): Variables => ({
  AWS_ENDPOINT_URL: `https://127.0.0.1:${port}`,
  AWS_ACCESS_KEY_ID: "test",
  AWS_SECRET_ACCESS_KEY: "test",
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
  // Of Node, and of the CDK and the AWS CLI.
  NODE_EXTRA_CA_CERTS: certificate,
  AWS_CA_BUNDLE: certificate,
});

/** Only what MiniStack needs: no setting of this machine changes a rehearsal, and it keeps nothing outside of the folder. */
const ministackSettings = (folder: string, port: number, certificate: string, key: string): Variables => ({
  // Functions run in this Node.
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  HOME: folder,
  TMPDIR: folder,
  STATE_DIR: join(folder, "state"),
  S3_DATA_DIR: join(folder, "s3"),
  BIND_HOST: "127.0.0.1",
  GATEWAY_PORT: String(port),
  MINISTACK_HOST: "127.0.0.1",
  MINISTACK_REGION: region,
  MINISTACK_SSL_CERT: certificate,
  MINISTACK_SSL_KEY: key,
  USE_SSL: "1",
  // Policies count.
  AUTH: "true",
  LAMBDA_EXECUTOR: "local",
  LOG_LEVEL: "WARNING",
  // Listeners that no stage needs.
  IOT_MTLS_ENABLED: "0",
  SFTP_ENABLED: "0",
});

/**
 * Starts MiniStack on a free port of 127.0.0.1. Installs it first when it is not there yet.
 * @param folder an empty one, for all that it keeps
 * @throws Error with its last words when it does not start
 */
export async function startMiniStack(folder: string): Promise<Emulator> {
  const bin = await pythonTool("ministack");
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const { certificate, key } = await certificateIn(folder);
  // The command `ministack` would listen on port 443, too.
  const bind = ["--bind", `127.0.0.1:${port}`, "--certfile", certificate, "--keyfile", key];
  const log = join(folder, "ministack.log");
  const args = ["ministack.app:app", ...bind, "--keep-alive", "75", "--log-level", "WARNING", "--error-logfile", log];
  const child = spawn(join(bin, "hypercorn"), args, {
    cwd: folder,
    env: ministackSettings(folder, port, certificate, key),
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own: the processes of the functions end with it, and a Ctrl-C reaches it last.
    detached: true,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  const closed = once(child, "close");
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(-(child.pid as number), name);
    } catch {
      // It has ended.
    }
  };
  const kill = () => signal("SIGKILL");
  process.once("exit", kill);
  const stop = async () => {
    signal("SIGTERM");
    await Promise.race([closed, pause(longestStop, undefined, { ref: false })]);
    kill();
    process.off("exit", kill);
  };
  const words = async () => {
    const lines = said
      .split("\n")
      .filter((line) => / (?:WARNING|ERROR|CRITICAL) |^\w*(?:Error|Exception)\b/.test(line));
    said = "";
    return lines.slice(-10);
  };
  const variables = own(port, certificate);
  const end = Date.now() + longestStart;
  const version = await ready().catch(async (error: Error) => {
    await stop();
    throw new Error(`MiniStack does not start: ${error.message} ${said.trim()}`.trim());
  });
  /** @returns its version, as soon as it answers */
  async function ready(): Promise<string> {
    // A process that trusts the certificate: this one read its variables when it started.
    const ask = `fetch(process.argv[1]).then(async (answer) => console.log(await answer.text()))`;
    const health = `${variables.AWS_ENDPOINT_URL}/_ministack/health`;
    for (;;) {
      const environment = { env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate } };
      const answer = promisify(execFile)(process.execPath, ["-e", ask, health], environment);
      const { stdout } = await answer.catch(() => ({ stdout: "" }));
      if (stdout !== "") return (JSON.parse(stdout) as { version: string }).version;
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}.`);
      if (Date.now() > end) throw new Error(`it does not answer within ${longestStart / 1000} seconds.`);
      await pause(200);
    }
  }
  return {
    name: `MiniStack ${version}`,
    endpoint: String(variables.AWS_ENDPOINT_URL),
    variables,
    certificate: await readFile(certificate, "utf8"),
    words,
    stop,
  };
}

/** The emulator that the caller has started. Its keys are the caller's, or those that every emulator takes. */
export function runningEmulator(endpoint: string, environment: NodeJS.ProcessEnv): Emulator {
  const { AWS_ACCESS_KEY_ID = "test", AWS_SECRET_ACCESS_KEY = "test", AWS_REGION = region } = environment;
  return {
    name: "the emulator of AWS_ENDPOINT_URL",
    endpoint,
    variables: {
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID,
      AWS_SECRET_ACCESS_KEY,
      AWS_REGION,
      AWS_DEFAULT_REGION: AWS_REGION,
    },
    words: async () => [],
    stop: async () => undefined,
  };
}
