/** What differs between a deployed stage and the laptop. */
import type { CleanUp } from "./clean-up.ts";

/** A person with an account that the run has made. */
export interface Person {
  readonly email: string;
  /** The ID token. */
  readonly token: string;
}

/** Temporary accounts. */
export interface People {
  /**
   * Makes an account with a verified email, and signs in to it.
   * @param made takes the account, so that it goes away again
   */
  signedIn(email: string, made: CleanUp, stop: AbortSignal): Promise<Person>;
}

/** The secret that signs payment events, or the reason why the run does not know it. */
export type WebhookSecret =
  | { readonly secret: string }
  /** `stored`: the function has a secret, only the run may not read it. */
  | { readonly why: string; readonly stored: boolean };

export interface Place {
  readonly people: People;
  webhookSecret(stop: AbortSignal): Promise<WebhookSecret>;
  /** Deletes an uploaded image. */
  removeImage(key: string, stop: AbortSignal): Promise<unknown>;
  /** The command that deletes an image. */
  removeImageCommand(key: string): string;
  /** Where the laptop keeps mails: the subjects of those to a person. A deployed stage sends them away. */
  subjectsTo?(email: string, stop: AbortSignal): Promise<string[]>;
  /** An ID token of an admin, as a shell command writes it. */
  readonly adminToken: string;
}
