import { afterEach, expect } from "@jest/globals";
import { Secret, TOTP } from "otpauth";
import { nextKeyPair } from "../../../test/service/signing-keys.ts";
import type { IdentityOptions } from "../identity/identity-service.ts";
import {
  type CodeMessage,
  type IdentityService,
  type PoolSettings,
  readPoolSettings,
  startIdentity,
} from "../identity/index.ts";

/** The settings that the stack gives its pool. */
const settings = readPoolSettings(
  {
    UsernameConfiguration: { CaseSensitive: false },
    UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ["email"] },
    MfaConfiguration: "OPTIONAL",
    EnabledMfas: ["SOFTWARE_TOKEN_MFA"],
  },
  { PreventUserExistenceErrors: "ENABLED", RefreshTokenValidity: 7 },
);

/** A JSON answer of the identity service. */
export interface Answer {
  status: number;
  /** Cognito's error name, without the colon of the header. */
  error?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape
  body: any;
}

/** A running pool, and the mails that it sends. */
export interface GivenPool {
  service: IdentityService;
  mails: CodeMessage[];
  call(operation: string, body: object | string): Promise<Answer>;
  /** A call that only the account's own functions may make. */
  administer(operation: string, body: object): Promise<Answer>;
  /** The newest code mailed to an address. */
  codeFor(email: string): string;
  signIn(email: string, password: string): Promise<Answer>;
  /** A person asks for an account with `password`. */
  signUp(username?: string, more?: object): Promise<Answer>;
  /** The person with `email` sends the code from the mailbox. */
  confirm(code: string): Promise<Answer>;
  /** Moves the pool's clock, in seconds. */
  wait(seconds: number): void;
  /** The code that an authenticator app with this key shows at the pool's time, or so many seconds later. */
  appCode(secret: string, later?: number): string;
}

/** The account of most tests. */
export const email = "ada@student.example";
export const password = "First-Words-1";

const running: IdentityService[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.close()));
});

/** Starts a pool on a free port; it is closed after the test. */
export async function givenPool({
  settings: changes,
  ...options
}: Partial<Pick<IdentityOptions, "directory" | "preSignUp" | "customMessage" | "sendCode">> & {
  settings?: Partial<PoolSettings>;
} = {}): Promise<GivenPool> {
  const mails: CodeMessage[] = [];
  // The clock stands still but for `wait`, so that no test hangs on the second in which it runs.
  let now = Date.now();
  const service = await startIdentity({
    accessKeyPrefix: "LOCAL",
    pool: { ...settings, ...changes },
    region: "us-west-2",
    poolId: "us-west-2_TestPool1",
    clientId: "testclient000000000000000",
    sendCode: async (message) => {
      mails.push(message);
    },
    clock: () => now,
    makeKeyPair: nextKeyPair,
    ...options,
  });
  running.push(service);

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
  return {
    service,
    mails,
    call: (operation, body) => call(operation, body),
    administer: (operation, body) =>
      call(
        operation,
        { UserPoolId: service.poolId, ...body },
        { authorization: "AWS4-HMAC-SHA256 Credential=LOCALTest/20310101/us-west-2/cognito-idp/aws4_request" },
      ),
    codeFor: (email) => mails.findLast(({ to }) => to === email)?.code ?? "no code was mailed",
    signIn: (email, password) =>
      call("InitiateAuth", {
        ClientId: service.clientId,
        AuthFlow: "USER_PASSWORD_AUTH",
        AuthParameters: { USERNAME: email, PASSWORD: password },
      }),
    signUp: (username = email, more = {}) =>
      call("SignUp", { ClientId: service.clientId, Username: username, Password: password, ...more }),
    confirm: (ConfirmationCode) =>
      call("ConfirmSignUp", { ClientId: service.clientId, Username: email, ConfirmationCode }),
    wait: (seconds) => {
      now += seconds * 1000;
    },
    appCode: (secret, later = 0) =>
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

/** A code that is certainly not the given one. */
export const otherThan = (code: string) => (code === "000000" ? "000001" : "000000");
