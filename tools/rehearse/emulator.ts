/** An emulator of AWS. */
import { readFile } from "node:fs/promises";

export type Variables = Readonly<Record<string, string>>;

export const region = "us-west-2";

export interface Emulator {
  /** In a line of the report. */
  readonly name: string;
  /** Without a slash at its end. */
  readonly endpoint: string;
  /** The same without TLS, where there is such a port. */
  readonly plainEndpoint?: string;
  /** The variables with which a shell reaches it. */
  readonly variables: Variables;
  /** The certificates that its own must come from, in PEM. */
  readonly certificate?: string;
  /** Its warnings since the last call. */
  words(): readonly string[];
  stop(): Promise<void>;
}

/**
 * The emulator that the caller has started, with the caller's keys, region and certificates, or keys that emulators take.
 * @param environment of the caller, with AWS_ENDPOINT_URL
 * @throws Error when there is no file AWS_CA_BUNDLE
 */
export async function runningEmulator(endpoint: string, environment: NodeJS.ProcessEnv): Promise<Emulator> {
  const { AWS_ACCESS_KEY_ID = "test", AWS_SECRET_ACCESS_KEY = "test", AWS_SESSION_TOKEN, AWS_CA_BUNDLE } = environment;
  const { AWS_REGION = environment.AWS_DEFAULT_REGION ?? region, NODE_EXTRA_CA_CERTS = AWS_CA_BUNDLE } = environment;
  return {
    name: "the emulator of AWS_ENDPOINT_URL",
    endpoint: endpoint.replace(/\/+$/, ""),
    variables: {
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID,
      AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN !== undefined && { AWS_SESSION_TOKEN }),
      AWS_REGION,
      AWS_DEFAULT_REGION: AWS_REGION,
      ...(AWS_CA_BUNDLE !== undefined && { AWS_CA_BUNDLE }),
      ...(NODE_EXTRA_CA_CERTS !== undefined && { NODE_EXTRA_CA_CERTS }),
    },
    ...(AWS_CA_BUNDLE !== undefined && { certificate: await readFile(AWS_CA_BUNDLE, "utf8") }),
    words: () => [],
    stop: async () => undefined,
  };
}
