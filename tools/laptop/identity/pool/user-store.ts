import { createHash } from "node:crypto";
import { JsonFile } from "../../service-kit/json-file.ts";
import type { SoftwareToken } from "./software-token.ts";
import type { PasswordVerifier } from "./srp.ts";
import type { CodeKind, IssuedCode } from "./verification-code.ts";

/** A provider's account that signs a person in to an account of the pool. */
export interface ExternalIdentity {
  /** As `Google`. */
  providerName: string;
  /** The provider's id of the account. */
  userId: string;
  /** Epoch milliseconds. */
  dateCreated: number;
}

/** An account of the pool. */
export interface User {
  /** A UUID; also the user's name in tokens and in SRP, since people sign in with their email. */
  sub: string;
  /** All attributes except `sub` and the verified flags; `email` included. */
  attributes: Record<string, string>;
  emailVerified: boolean;
  /** True once the sign-up code was entered. */
  confirmed: boolean;
  password: PasswordVerifier;
  /** The providers' accounts with which the person signs in besides the password. */
  identities?: ExternalIdentity[];
  /** True for an account that an operator has disabled: no sign-in succeeds. */
  disabled?: true;
  /** True for an account that an operator has made, until it has a password. */
  mustChangePassword?: true;
  /** True for an account that came from a provider and has no password; several may have the same email. */
  external?: true;
  /** The authenticator app whose codes the person has proved. */
  softwareToken?: SoftwareToken;
  /** A key that the person has not proved yet. */
  pendingSoftwareToken?: SoftwareToken;
  /** Whether a sign-in asks for a code of the app. Absent: it does not. */
  mfa?: { isPreferred: boolean };
  /** An email that replaces the present one when its code is entered. */
  pendingEmail?: string;
  codes: Partial<Record<CodeKind, IssuedCode>>;
}

/** The `sub` of an account that is not stored: a UUID that is always the same for a name. */
export function inventedSub(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** No password matches this verifier. */
export const noPassword: PasswordVerifier = { salt: "1", verifier: "1" };

/** All accounts, found by `sub`, or by email where they have a password. Changes count once {@link UserStore.save} returns. */
export class UserStore {
  readonly #file: JsonFile;
  readonly #users = new Map<string, User>();
  /** The key is the email, or the user name for an account without a password; the two never collide. */
  readonly #subByName = new Map<string, string>();

  constructor(path: string | undefined) {
    this.#file = new JsonFile(path);
    const stored = this.#file.read() as { users: User[] } | undefined;
    for (const user of stored?.users ?? []) this.add(user);
  }

  /** The spelling under which an email is looked up. */
  key(email: string): string {
    return email.toLowerCase();
  }

  /** Finds by `sub`, by email or by a provider's user name; undefined when there is no such account. */
  find(username: string): User | undefined {
    return this.#users.get(username) ?? this.#users.get(this.#subByName.get(this.key(username)) ?? "");
  }

  /** Finds the user whom a provider's account signs in. */
  findExternal(providerName: string, userId: string): User | undefined {
    return this.all().find((user) =>
      user.identities?.some((one) => one.providerName === providerName && one.userId === userId),
    );
  }

  all(): User[] {
    return [...this.#users.values()];
  }

  add(user: User): void {
    this.#users.set(user.sub, user);
    this.#subByName.set(this.#nameOf(user), user.sub);
  }

  remove(user: User): void {
    this.#users.delete(user.sub);
    this.#subByName.delete(this.#nameOf(user));
  }

  /** Gives a user another email. A user with a password signs in with the new email from now on. */
  changeEmail(user: User, email: string): void {
    this.#subByName.delete(this.#nameOf(user));
    user.attributes.email = email;
    this.#subByName.set(this.#nameOf(user), user.sub);
  }

  link(user: User, identity: ExternalIdentity): void {
    user.identities = [...(user.identities ?? []), identity];
  }

  #nameOf(user: User): string {
    return this.key(user.external ? usernameOf(user) : emailOf(user));
  }

  save(): void {
    this.#file.write(() => ({ users: [...this.#users.values()] }));
  }
}

/** The user name in tokens: `sub`, or `Google_<subject>` for an account without a password. */
export function usernameOf({ sub, external, identities: [first] = [] }: User): string {
  return external && first ? `${first.providerName}_${first.userId}` : sub;
}

/** A user's email; every account of this pool has one. */
export const emailOf = (user: User): string => user.attributes.email ?? "";
