import { randomBytes } from "node:crypto";
import { createServerKeys, fromHex, type ServerKeys } from "./srp.ts";
import type { User } from "./user-store.ts";

/** An SRP sign-in between its two requests. */
export interface SrpChallenge {
  /** The id that the client hashes and answers with. */
  userId: string;
  /** Absent for an account that does not exist: every answer is wrong then. */
  user?: User;
  /** The stored verifier at the time of the first request. */
  verifier: bigint;
  clientPublic: bigint;
  keys: ServerKeys;
  expiresAt: number;
}

/** Seconds to answer a challenge. */
const VALIDITY = 180;

/** The sign-ins that wait for their second request; each can be answered once. */
export class SrpChallenges {
  readonly #open = new Map<string, SrpChallenge>();

  /** Opens a challenge and returns it with the block that names it. `verifier` is hexadecimal, `now` in epoch seconds. */
  open(
    who: { userId: string; user?: User; verifier: string },
    clientPublic: bigint,
    now: number,
  ): { secretBlock: string; challenge: SrpChallenge } {
    const verifier = fromHex(who.verifier) ?? 0n;
    const challenge = { ...who, verifier, clientPublic, keys: createServerKeys(verifier), expiresAt: now + VALIDITY };
    const secretBlock = randomBytes(64).toString("base64");
    this.#open.set(secretBlock, challenge);
    return { secretBlock, challenge };
  }

  /** Takes a challenge out; undefined when it is unknown, used or too old. */
  take(secretBlock: string, now: number): SrpChallenge | undefined {
    const challenge = this.#open.get(secretBlock);
    this.#open.delete(secretBlock);
    return challenge && challenge.expiresAt > now ? challenge : undefined;
  }
}
