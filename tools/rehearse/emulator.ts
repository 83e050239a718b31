/** An emulator of AWS. */
export type Variables = Readonly<Record<string, string>>;

export const region = "us-west-2";

/** Where the account has a second stage. */
const otherRegion = "us-west-1";

/** The emulator as those use it who work in another region. */
export const elsewhere = (emulator: Emulator): Emulator => ({
  ...emulator,
  variables: { ...emulator.variables, AWS_REGION: otherRegion, AWS_DEFAULT_REGION: otherRegion },
});

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
  /** What went wrong in the emulator itself since that call, not in what it was asked for; undefined: nothing. */
  fault(): string | undefined;
  stop(): Promise<void>;
}

/**
 * The emulator that the caller has started, with the caller's keys and region, or those that emulators take. One with TLS
 * needs its certificate in NODE_EXTRA_CA_CERTS.
 * @param environment of the caller, with AWS_ENDPOINT_URL
 */
export function runningEmulator(endpoint: string, environment: NodeJS.ProcessEnv): Emulator {
  const { AWS_ACCESS_KEY_ID = "test", AWS_SECRET_ACCESS_KEY = "test" } = environment;
  const { AWS_REGION = environment.AWS_DEFAULT_REGION ?? region } = environment;
  return {
    name: "the emulator of AWS_ENDPOINT_URL",
    endpoint: endpoint.replace(/\/+$/, ""),
    variables: {
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID,
      AWS_SECRET_ACCESS_KEY,
      AWS_REGION,
      AWS_DEFAULT_REGION: AWS_REGION,
    },
    words: () => [],
    fault: () => undefined,
    stop: async () => undefined,
  };
}
