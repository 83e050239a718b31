import { createHash, randomBytes, randomUUID } from "node:crypto";
import { JsonFile } from "../../service-kit/json-file.ts";

/** One sign-in. All tokens refreshed from it share these values. */
export interface Session {
  /** Claim `origin_jti`. */
  id: string;
  /** Claim `event_id`. */
  eventId: string;
  sub: string;
  /** Epoch seconds of the sign-in; claim `auth_time`. */
  authTime: number;
  /** Epoch seconds at which the refresh token ends. */
  expiresAt: number;
}

interface StoredSession extends Session {
  /** Only the hash is kept, so that a copy of the file cannot be used to sign in. */
  refreshTokenHash: string;
}

/** All sign-ins that were neither signed out nor revoked. */
export class SessionStore {
  readonly #file: JsonFile;
  readonly #byId = new Map<string, StoredSession>();
  readonly #byToken = new Map<string, StoredSession>();
  /** Seconds that a session is remembered past its refresh token, because access tokens may outlive it. */
  readonly #grace: number;

  constructor(path: string | undefined, grace: number) {
    this.#file = new JsonFile(path);
    this.#grace = grace;
    const stored = this.#file.read() as { sessions: StoredSession[] } | undefined;
    for (const session of stored?.sessions ?? []) this.#keep(session);
  }

  /** Opens a session. Only this answer contains the refresh token. */
  open(sub: string, now: number, validity: number): { session: Session; refreshToken: string } {
    const refreshToken = randomBytes(64).toString("base64url");
    const session = {
      id: randomUUID(),
      eventId: randomUUID(),
      sub,
      authTime: now,
      expiresAt: now + validity,
      refreshTokenHash: hash(refreshToken),
    };
    for (const old of this.#byId.values()) if (old.expiresAt + this.#grace < now) this.#drop(old);
    this.#keep(session);
    this.#save();
    return { session, refreshToken };
  }

  find(id: string): Session | undefined {
    return this.#byId.get(id);
  }

  findByRefreshToken(refreshToken: string): Session | undefined {
    return this.#byToken.get(hash(refreshToken));
  }

  /** Ends one session: its refresh token, and its access tokens for calls to this service. */
  revoke(session: Session): void {
    const stored = this.#byId.get(session.id);
    if (stored) this.#drop(stored);
    this.#save();
  }

  /** Ends every session of a user. */
  revokeAll(sub: string): void {
    for (const session of this.#byId.values()) if (session.sub === sub) this.#drop(session);
    this.#save();
  }

  #keep(session: StoredSession): void {
    this.#byId.set(session.id, session);
    this.#byToken.set(session.refreshTokenHash, session);
  }

  #drop(session: StoredSession): void {
    this.#byId.delete(session.id);
    this.#byToken.delete(session.refreshTokenHash);
  }

  #save(): void {
    this.#file.write(() => ({ sessions: [...this.#byId.values()] }));
  }
}

const hash = (token: string): string => createHash("sha256").update(token).digest("base64url");
