/** The differences between a deployed stage and the laptop. */
import type { CleanUp } from "./clean-up.ts";
import type { Logs } from "./logs.ts";

/** A person with a temporary account. */
export interface Person {
  readonly email: string;
  /** The ID token. */
  readonly token: string;
}

/** Temporary accounts. */
export interface People {
  /**
   * Creates an account with a verified email, and signs in.
   * @param made receives the account, to delete it
   */
  signedIn(email: string, made: CleanUp, stop: AbortSignal): Promise<Person>;
}

/** The secret that signs payment events, or the reason why it is unknown. */
export type WebhookSecret =
  | { readonly secret: string }
  /** `stored`: the function has a secret, but the run may not read it. */
  | { readonly why: string; readonly stored: boolean };

export interface Place {
  /** The address at which the run reaches an address that the stage has made. */
  reached(url: string): string;
  readonly people: People;
  readonly logs: Logs;
  /** Why nothing can be said here of missing rights; undefined: it can. */
  lack(stop: AbortSignal): Promise<string | undefined>;
  webhookSecret(stop: AbortSignal): Promise<WebhookSecret>;
  /** Deletes an uploaded image. */
  removeImage(key: string, stop: AbortSignal): Promise<unknown>;
  /** The command that deletes an image. */
  removeImageCommand(key: string): string;
  /** The subjects of the mails to a person, in the laptop's mailbox. */
  subjectsTo?(email: string, stop: AbortSignal): Promise<string[]>;
  /** A shell expression for an admin's ID token. */
  readonly adminToken: string;
}
