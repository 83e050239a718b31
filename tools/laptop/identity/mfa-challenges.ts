import { randomBytes } from "node:crypto";
import { notAuthorized } from "./problem.ts";

interface MfaChallenge {
  readonly sub: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  isUsed: boolean;
}

/** Seconds to answer: the validity of an authentication session that a client has by default. */
const VALIDITY = 180;
/** More challenges than a laptop needs; the oldest are dropped. */
const MAXIMUM_OPEN = 5000;

/** The sign-ins that wait for the code of an authenticator app. A wrong code leaves the sign-in waiting. */
export class MfaChallenges {
  readonly #open = new Map<string, MfaChallenge>();

  /** @param now epoch seconds @returns the session that names the challenge */
  open(sub: string, now: number): string {
    const session = randomBytes(192).toString("base64url");
    this.#open.set(session, { sub, expiresAt: now + VALIDITY, isUsed: false });
    if (this.#open.size > MAXIMUM_OPEN) this.#open.delete(this.#open.keys().next().value!);
    return session;
  }

  /**
   * The person of a challenge that can be answered.
   * @throws IdentityProblem NotAuthorizedException for an unknown, used or old session
   */
  find(session: string, now: number): { readonly sub: string; close(): void } {
    const challenge = this.#open.get(session);
    if (!challenge) throw notAuthorized("Invalid session for the user.");
    if (challenge.isUsed) throw notAuthorized("Invalid session for the user, session can only be used once.");
    if (challenge.expiresAt <= now) throw notAuthorized("Invalid session for the user, session is expired.");
    return {
      sub: challenge.sub,
      close: () => {
        challenge.isUsed = true;
      },
    };
  }
}
