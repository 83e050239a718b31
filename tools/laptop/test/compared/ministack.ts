/** MiniStack, which others have written: the partner with which the laptop's services are compared, where it is installed. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isInstalled } from "../../../kit/python/environment.ts";
import { startMiniStack } from "../../../rehearse/ministack.ts";

/** Whether this machine compares. `npm run upkeep -- python` installs MiniStack; a comparison does not. */
export const isCompared = await isInstalled("ministack");
if (!isCompared)
  console.warn("SKIPPED: the laptop is NOT compared with MiniStack, which `npm run upkeep -- python` installs.");

export interface MiniStack {
  /** The settings of a client of AWS's SDK. It is the root of the account 000000000000, and its requests are tried once. */
  readonly client: {
    readonly endpoint: string;
    readonly region: string;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
    readonly maxAttempts: 1;
  };
  stop(): Promise<void>;
}

/** Starts a MiniStack of its own in about two seconds. @throws Error with its last words when it does not start */
export async function startPartner(): Promise<MiniStack> {
  const folder = await mkdtemp(join(tmpdir(), "compared-"));
  const emulator = await startMiniStack(folder);
  const { AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "", AWS_REGION = "" } = emulator.variables;
  return {
    client: {
      endpoint: String(emulator.plainEndpoint),
      region: AWS_REGION,
      credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
      maxAttempts: 1,
    },
    stop: async () => {
      await emulator.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
