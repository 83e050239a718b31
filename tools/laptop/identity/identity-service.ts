import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { JWK } from "jose";
import type { CopiedAccount } from "../../kit/copy/whole-copy.ts";
import { accessKeyIdOf } from "../service-kit/authorize.ts";
import { confirmationLink } from "./confirm-page.ts";
import { type FederatedPerson, federatedSignIn } from "./federation.ts";
import { usersIn } from "./listed-accounts.ts";
import type { SignedIn } from "./operations/sign-in.ts";
import { Challenges } from "./pool/challenges.ts";
import type { CodeMessage, Pool, Trigger } from "./pool/pool.ts";
import type { PoolSettings } from "./pool/pool-settings.ts";
import { SessionStore } from "./pool/session-store.ts";
import { loadSigningKey, newKeyPair } from "./pool/signing-key.ts";
import { createVerifier, matchesVerifier } from "./pool/srp.ts";
import { TokenIssuer } from "./pool/token-issuer.ts";
import { inventedSub, noPassword, type User, UserStore } from "./pool/user-store.ts";
import { startIdentityServer } from "./server.ts";
import { createTokenVerifier } from "./token-verifier.ts";

/** Options of the identity service. */
export interface IdentityOptions {
  /** 0 or absent: any free port. */
  port?: number;
  /** Where accounts, sessions and the signing key are kept. Absent: in memory only. */
  directory?: string;
  pool: PoolSettings;
  region: string;
  /** `<region>_<name>`. */
  poolId: string;
  clientId: string;
  sendCode(message: CodeMessage): Promise<void>;
  /** The pool's pre-sign-up trigger. Absent: every sign-up is allowed. */
  preSignUp?: Trigger;
  /** The pool's custom message trigger. Absent: every code is mailed. */
  customMessage?: Trigger;
  /** Requests that are signed with an access key of this prefix may administer users. Absent: no request may. */
  accessKeyPrefix?: string;
  /** Authorizes each of these requests. @returns AWS's message for a denied one. Absent: they may do everything. */
  refusalOf?: (accessKeyId: string, operation: string) => string | undefined;
  /** Epoch milliseconds. */
  clock?: () => number;
  /** Makes the key pair of a pool that has none yet, as its private key. Absent: a new one. For tests. */
  makeKeyPair?: (() => Promise<JWK>) | undefined;
}

/** An account that is created at startup. */
export interface SeedUser {
  email: string;
  password: string;
  /** Further attributes, such as `given_name`. */
  attributes?: Readonly<Record<string, string>>;
  /** True when absent. */
  emailVerified?: boolean;
}

/** A running user pool. */
export interface IdentityService {
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly url: string;
  readonly poolId: string;
  readonly clientId: string;
  /** Claim `iss` of its tokens: the address that the pool would have in AWS. */
  readonly issuer: string;
  readonly jwks: { keys: JWK[] };
  /** Makes sure that a confirmed account with this password exists; an existing account gets this password back. */
  ensureUser(user: SeedUser): void;
  /** Adds accounts that another pool has listed, without passwords: their people forgot them. */
  takeOver(accounts: readonly CopiedAccount[]): void;
  /** An ID token without signing in. The account need not exist. `overrides` replace claims; undefined removes one. */
  idToken(email: string, overrides?: Readonly<Record<string, unknown>>): Promise<string>;
  /**
   * Signs in a person who comes back from a provider's page; the laptop has no such page.
   * @throws ServiceProblem when the pre-sign-up trigger refuses
   */
  federatedSignIn(person: FederatedPerson): Promise<SignedIn["AuthenticationResult"]>;
  /** Stops listening. */
  close(): Promise<void>;
}

/** Starts the local stage's identity service on the loopback interface. */
export async function startIdentity(options: IdentityOptions): Promise<IdentityService> {
  const { pool: settings, region, poolId, clientId, clock = Date.now } = options;
  const file = (name: string) => (options.directory ? join(options.directory, name) : undefined);
  const issuer = `https://cognito-idp.${region}.amazonaws.com/${poolId}`;
  const key = await loadSigningKey(file("signing-key.json"), options.makeKeyPair ?? newKeyPair);
  const jwks = { keys: [key.publicJwk] };
  const users = new UserStore(file("users.json"));
  const sessions = new SessionStore(file("sessions.json"), settings.tokenValidity.access);
  const tokens = new TokenIssuer(key, issuer, clientId, settings.tokenValidity);
  const pool: Pool = {
    settings,
    region,
    id: poolId,
    name: poolId.slice(poolId.indexOf("_") + 1),
    clientId,
    users,
    sessions,
    srpChallenges: new Challenges(),
    mfaChallenges: new Challenges(),
    tokens,
    verify: createTokenVerifier({ issuer, audience: [clientId], jwks, clock }),
    sendCode: options.sendCode,
    // The service listens when the first link is made.
    confirmationLink: (username, code) => confirmationLink(url, { clientId, username, code }),
    now: () => Math.floor(clock() / 1000),
    ...(options.preSignUp && { preSignUp: options.preSignUp }),
    ...(options.customMessage && { customMessage: options.customMessage }),
  };

  const { url, close } = await startIdentityServer(pool, {
    port: options.port,
    jwks,
    isSigned: isSignedBy(options.accessKeyPrefix),
    refusalOf: (authorization, operation) => options.refusalOf?.(accessKeyIdOf(authorization), operation),
  });

  return {
    url,
    poolId,
    clientId,
    issuer,
    jwks,
    ensureUser: (seed) => ensureUser(pool, seed),
    takeOver: (accounts) => {
      for (const user of usersIn(accounts)) users.add(user);
      users.save();
    },
    idToken: (email, overrides) => {
      const now = pool.now();
      const user = users.find(email) ?? passerBy(pool, email);
      const session = { id: randomUUID(), eventId: randomUUID(), sub: user.sub, authTime: now, expiresAt: now };
      return tokens.idToken(user, session, now, overrides);
    },
    federatedSignIn: async (person) => (await federatedSignIn(pool, person)).AuthenticationResult,
    close,
  };
}

/** The signature itself is not verified: only this machine reaches the port. */
const isSignedBy =
  (prefix: string | undefined) =>
  (authorization: string): boolean =>
    prefix !== undefined && authorization.startsWith(`AWS4-HMAC-SHA256 Credential=${prefix}`);

function ensureUser(pool: Pool, seed: SeedUser): void {
  const user = pool.users.find(seed.email) ?? passerBy(pool, seed.email);
  const identity = { poolName: pool.name, userId: user.sub };
  Object.assign(user.attributes, seed.attributes);
  user.confirmed = true;
  user.emailVerified = seed.emailVerified ?? true;
  if (!matchesVerifier(identity, seed.password, user.password)) user.password = createVerifier(identity, seed.password);
  pool.users.add(user);
  pool.users.save();
}

/** A confirmed account that is not stored. The same email always gets the same `sub`. */
function passerBy(pool: Pool, email: string): User {
  return {
    sub: inventedSub(pool.users.key(email)),
    attributes: { email },
    emailVerified: true,
    confirmed: true,
    password: noPassword,
    codes: {},
  };
}
