/** An emulator of AWS. */

export type Variables = Readonly<Record<string, string>>;

export const region = "us-west-2";

export interface Emulator {
  /** In a line of the report. */
  readonly name: string;
  readonly endpoint: string;
  /** The same without TLS, where there is such a port. */
  readonly plainEndpoint?: string;
  /** The variables with which a shell reaches it. */
  readonly variables: Variables;
  /** The certificate that it shows, in PEM. */
  readonly certificate?: string;
  /** Its warnings since the last call. */
  words(): readonly string[];
  stop(): Promise<void>;
}

/** The emulator that the caller has started. Its keys are the caller's, or those that every emulator takes. */
export function runningEmulator(endpoint: string, environment: NodeJS.ProcessEnv): Emulator {
  const { AWS_ACCESS_KEY_ID = "test", AWS_SECRET_ACCESS_KEY = "test", AWS_REGION = region } = environment;
  const keys = { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
  return {
    name: "the emulator of AWS_ENDPOINT_URL",
    endpoint,
    variables: { AWS_ENDPOINT_URL: endpoint, ...keys, AWS_REGION, AWS_DEFAULT_REGION: AWS_REGION },
    words: () => [],
    stop: async () => undefined,
  };
}
