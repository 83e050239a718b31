/** Sign-ins that wait for their next request. */
import { randomBytes } from "node:crypto";

/** Seconds to answer: the validity of an authentication session that a client has by default. */
const validity = 180;

export class Challenges<Challenge> {
  readonly #open = new Map<string, { readonly challenge: Challenge; readonly expiresAt: number }>();

  /** @param now epoch seconds @returns the text that names the challenge in the next request, in base64 */
  open(challenge: Challenge, now: number): string {
    const name = randomBytes(192).toString("base64");
    this.#open.set(name, { challenge, expiresAt: now + validity });
    return name;
  }

  /** Undefined when it is unknown or answered. */
  find(name: string, now: number): { readonly challenge: Challenge; readonly isExpired: boolean } | undefined {
    const found = this.#open.get(name);
    return found && { challenge: found.challenge, isExpired: found.expiresAt <= now };
  }

  close(name: string): void {
    this.#open.delete(name);
  }
}
