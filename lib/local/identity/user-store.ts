import { JsonFile } from "./json-file.ts";
import type { PasswordVerifier } from "./srp.ts";
import type { CodeKind, IssuedCode } from "./verification-code.ts";

/** An account of the pool. */
export interface User {
  /** A UUID; also the user's name in tokens and in SRP, since people sign in with their email. */
  sub: string;
  /** Everything but `sub` and the verified flags, `email` included. */
  attributes: Record<string, string>;
  emailVerified: boolean;
  /** True once the sign-up code was entered. */
  confirmed: boolean;
  password: PasswordVerifier;
  /** An email that replaces the present one when its code is entered. */
  pendingEmail?: string;
  codes: Partial<Record<CodeKind, IssuedCode>>;
}

/** All accounts, found by `sub` or email. Changes count once {@link UserStore.save} resolves. */
export class UserStore {
  readonly #file: JsonFile;
  readonly #caseSensitive: boolean;
  readonly #users = new Map<string, User>();
  readonly #subByEmail = new Map<string, string>();

  constructor(path: string | undefined, caseSensitive: boolean) {
    this.#file = new JsonFile(path);
    this.#caseSensitive = caseSensitive;
    const stored = this.#file.read() as { users: User[] } | undefined;
    for (const user of stored?.users ?? []) this.add(user);
  }

  /** The spelling under which an email is looked up. */
  key(email: string): string {
    return this.#caseSensitive ? email : email.toLowerCase();
  }

  /** Finds by `sub` or email, undefined when there is no such account. */
  find(username: string): User | undefined {
    return this.#users.get(username) ?? this.#users.get(this.#subByEmail.get(this.key(username)) ?? "");
  }

  add(user: User): void {
    this.#users.set(user.sub, user);
    this.#subByEmail.set(this.key(emailOf(user)), user.sub);
  }

  remove(user: User): void {
    this.#users.delete(user.sub);
    this.#subByEmail.delete(this.key(emailOf(user)));
  }

  /** Gives a user another email, under which they sign in from now on. */
  changeEmail(user: User, email: string): void {
    this.#subByEmail.delete(this.key(emailOf(user)));
    user.attributes.email = email;
    this.#subByEmail.set(this.key(email), user.sub);
  }

  save(): Promise<void> {
    return this.#file.write(() => ({ users: [...this.#users.values()] }));
  }

  settled(): Promise<void> {
    return this.#file.settled();
  }
}

/** A user's email; every account of this pool has one. */
export const emailOf = (user: User): string => user.attributes.email ?? "";
