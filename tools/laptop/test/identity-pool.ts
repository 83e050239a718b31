import { afterEach, expect } from "@jest/globals";
import { Secret, TOTP } from "otpauth";
import { nextKeyPair } from "../../../test/service/signing-keys.ts";
import type { IdentityOptions } from "../identity/identity-service.ts";
import { type CodeMessage, type IdentityService, startIdentity } from "../identity/index.ts";
import type { PoolSettings } from "../identity/pool/pool-settings.ts";

/** The settings that the stack gives its pool. */
const settings: PoolSettings = {
  passwordPolicy: { MinimumLength: 8 },
  tokenValidity: { id: 3600, access: 3600, refresh: 7 * 86_400 },
  confirmByLink: false,
  authFlows: ["ALLOW_USER_PASSWORD_AUTH", "ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"],
};

/** A JSON answer of the identity service. */
export interface Answer {
  status: number;
  /** Cognito's error name, without the colon of the header. */
  error?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape
  body: any;
}

/** A running pool, and the mails that it sends. */
export type GivenPool = Awaited<ReturnType<typeof givenPool>>;

/** The account of most tests. */
export const email = "ada@student.example";
export const password = "First-Words-1";

const running: IdentityService[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.close()));
});

type Options = Partial<Pick<IdentityOptions, "directory" | "preSignUp" | "customMessage" | "sendCode">>;

/** Starts a pool on a free port; it is closed after the test. */
export async function givenPool({
  settings: changes,
  ...options
}: Options & { readonly settings?: Partial<PoolSettings> } = {}) {
  const mails: CodeMessage[] = [];
  // The clock stands still but for `wait`, so that no test hangs on the second in which it runs.
  let now = Date.now();
  const service = await startIdentity({
    accessKeyPrefix: "LOCAL",
    pool: { ...settings, ...changes },
    region: "us-west-2",
    poolId: "us-west-2_TestPool1",
    clientId: "testclient000000000000000",
    sendCode: async (message) => void mails.push(message),
    clock: () => now,
    makeKeyPair: nextKeyPair,
    ...options,
  });
  running.push(service);
  const { clientId: ClientId, poolId: UserPoolId } = service;

  const call = async (operation: string, body: object | string, headers = {}): Promise<Answer> => {
    const response = await fetch(service.url, {
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": `AWSCognitoIdentityProviderService.${operation}`,
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    return {
      status: response.status,
      error: response.headers.get("x-amzn-errortype")?.replace(/:$/, ""),
      body: await response.json(),
    };
  };
  const credential = "LOCALTest/20310101/us-west-2/cognito-idp/aws4_request";
  return {
    service,
    mails,
    call: (operation: string, body: object | string) => call(operation, body),
    /** A call that only the account's own functions may make. */
    administer: (operation: string, body: object) =>
      call(operation, { UserPoolId, ...body }, { authorization: `AWS4-HMAC-SHA256 Credential=${credential}` }),
    /** The newest code mailed to an address. */
    codeFor: (email: string) => mails.findLast(({ to }) => to === email)?.code ?? "no code was mailed",
    signIn: (USERNAME: string, PASSWORD: string) =>
      call("InitiateAuth", { ClientId, AuthFlow: "USER_PASSWORD_AUTH", AuthParameters: { USERNAME, PASSWORD } }),
    /** A person asks for an account with `password`. */
    signUp: (Username = email, more = {}) => call("SignUp", { ClientId, Username, Password: password, ...more }),
    /** The person with `email` sends the code from the mailbox. */
    confirm: (ConfirmationCode: string) => call("ConfirmSignUp", { ClientId, Username: email, ConfirmationCode }),
    /** Moves the pool's clock, in seconds. */
    wait: (seconds: number) => {
      now += seconds * 1000;
    },
    /** The code that an authenticator app with this key shows at the pool's time, or so many seconds later. */
    appCode: (secret: string, later = 0) =>
      TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: now + later * 1_000 }),
  };
}

/** The tokens of a seeded account that has just signed in. */
export async function signedIn(pool: GivenPool, username = email, secret = password) {
  await pool.service.ensureUser({ email: username, password: secret });
  return (await pool.signIn(username, secret)).body.AuthenticationResult as {
    AccessToken: string;
    IdToken: string;
    RefreshToken: string;
  };
}

/** A refusal in Cognito's shape. */
export const refused = (error: string, message: string | RegExp = /./) => ({
  status: 400,
  error,
  body: { __type: error, message: typeof message === "string" ? message : expect.stringMatching(message) },
});
