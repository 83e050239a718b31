import type { Challenges } from "./challenges.ts";
import type { PoolSettings } from "./pool-settings.ts";
import type { Fields } from "./request-fields.ts";
import type { SessionStore } from "./session-store.ts";
import type { ServerKeys } from "./srp.ts";
import type { TokenIssuer } from "./token-issuer.ts";
import type { User, UserStore } from "./user-store.ts";
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

/** An SRP sign-in between its two requests; it can be answered once. */
export interface SrpChallenge {
  /** The id that the client hashes and answers with. */
  readonly userId: string;
  /** Absent for an account that does not exist: every answer is wrong then. */
  readonly user: User | undefined;
  /** The stored verifier at the time of the first request. */
  readonly verifier: bigint;
  readonly clientPublic: bigint;
  readonly keys: ServerKeys;
}

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
  srpChallenges: Challenges<SrpChallenge>;
  /** By the `sub` of the person whose app is asked for a code. A wrong code leaves the sign-in waiting. */
  mfaChallenges: Challenges<string>;
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
