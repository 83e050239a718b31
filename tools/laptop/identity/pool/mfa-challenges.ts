import { randomBytes } from "node:crypto";
import { notAuthorized } from "./problem.ts";

/** Seconds to answer: the validity of an authentication session that a client has by default. */
const VALIDITY = 180;

/** The sign-ins that wait for the code of an authenticator app. A wrong code leaves the sign-in waiting. */
export class MfaChallenges {
  readonly #open = new Map<string, { readonly sub: string; readonly expiresAt: number }>();

  /** @param now epoch seconds @returns the session that names the challenge */
  open(sub: string, now: number): string {
    const session = randomBytes(192).toString("base64url");
    this.#open.set(session, { sub, expiresAt: now + VALIDITY });
    return session;
  }

  /**
   * The person of a challenge that can be answered.
   * @throws ServiceProblem NotAuthorizedException for an unknown, used or old session
   */
  find(session: string, now: number): { readonly sub: string; close(): void } {
    const challenge = this.#open.get(session);
    if (!challenge) throw notAuthorized("Invalid session for the user.");
    if (challenge.expiresAt <= now) throw notAuthorized("Invalid session for the user, session is expired.");
    return { sub: challenge.sub, close: () => void this.#open.delete(session) };
  }
}
