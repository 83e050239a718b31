import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import type { Session } from "./session-store.ts";
import type { SigningKey } from "./signing-key.ts";
import { emailOf, type User, usernameOf } from "./user-store.ts";

/** The scope of every access token. */
const SCOPE = "aws.cognito.signin.user.admin";

/** Signs the pool's tokens. */
export class TokenIssuer {
  readonly #key: SigningKey;
  readonly #issuer: string;
  readonly #clientId: string;
  readonly #validity: { id: number; access: number };

  constructor(key: SigningKey, issuer: string, clientId: string, validity: { id: number; access: number }) {
    this.#key = key;
    this.#issuer = issuer;
    this.#clientId = clientId;
    this.#validity = validity;
  }

  /** An ID token, `now` in epoch seconds. `overrides` replace claims; undefined removes one. */
  idToken(
    user: User,
    session: Session,
    now: number,
    overrides: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    return this.#sign({
      ...user.attributes,
      sub: user.sub,
      email_verified: user.emailVerified,
      iss: this.#issuer,
      "cognito:username": usernameOf(user),
      ...(user.identities && { identities: user.identities.map((identity) => ({ ...identity })) }),
      origin_jti: session.id,
      aud: this.#clientId,
      event_id: session.eventId,
      token_use: "id",
      auth_time: session.authTime,
      exp: now + this.#validity.id,
      iat: now,
      jti: randomUUID(),
      email: emailOf(user),
      ...overrides,
    });
  }

  /** An access token, `now` in epoch seconds. */
  accessToken(user: User, session: Session, now: number): Promise<string> {
    return this.#sign({
      sub: user.sub,
      iss: this.#issuer,
      client_id: this.#clientId,
      origin_jti: session.id,
      event_id: session.eventId,
      token_use: "access",
      scope: SCOPE,
      auth_time: session.authTime,
      exp: now + this.#validity.access,
      iat: now,
      jti: randomUUID(),
      username: usernameOf(user),
    });
  }

  #sign(claims: Record<string, unknown>): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ kid: this.#key.kid, alg: "RS256" }).sign(this.#key.privateKey);
  }
}
