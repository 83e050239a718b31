import type { MfaChallenges } from "./mfa-challenges.ts";
import type { PoolSettings } from "./pool-settings.ts";
import type { Fields } from "./request-fields.ts";
import type { SessionStore } from "./session-store.ts";
import type { SrpChallenges } from "./srp-challenges.ts";
import type { TokenIssuer } from "./token-issuer.ts";
import type { UserStore } from "./user-store.ts";
import type { CodeKind } from "./verification-code.ts";

/** A verification code on its way to a person. */
export interface CodeMessage {
  /** Email address. */
  to: string;
  kind: CodeKind;
  code: string;
  /** URL of the page that confirms the account with this code; only where the pool confirms accounts by a link. */
  link?: string;
}

/** Calls a function; fails with an `errorType` as Lambda reports it. */
export type Trigger = (event: unknown) => Promise<unknown>;

/** The pool that operations work on. */
export interface Pool {
  settings: PoolSettings;
  region: string;
  /** `<region>_<name>`. */
  id: string;
  /** The part of the pool's id after the underscore, which SRP mixes in. */
  name: string;
  clientId: string;
  users: UserStore;
  sessions: SessionStore;
  challenges: SrpChallenges;
  mfaChallenges: MfaChallenges;
  tokens: TokenIssuer;
  /** The claims of a valid token of this pool; undefined for any other token. */
  verify(token: string): Promise<Record<string, unknown> | undefined>;
  /** The pool asks this trigger before it creates an account. */
  preSignUp?: Trigger;
  /** The pool calls this trigger before it mails a code. */
  customMessage?: Trigger;
  sendCode(message: CodeMessage): Promise<void>;
  /** The URL with which a user confirms the account by this code. */
  confirmationLink(username: string, code: string): string;
  /** Epoch seconds. */
  now(): number;
}

/** One operation of the protocol: request body in, response body out. */
export type Operation = (pool: Pool, request: Fields) => Promise<object>;
