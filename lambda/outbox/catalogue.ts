/** The events that leave the service, by their detail type (`contract.md`, section 9). */

/** A person's registration as it stands after the change, as far as a consumer needs it when the record is gone. */
export interface RegistrationFact {
  readonly eventID: string;
  readonly year: number;
  readonly email: string;
  readonly fname: string;
  readonly registrationStatus: string;
  /** Counts the writes of this registration, from 1. */
  readonly version: number;
  readonly isPartner: boolean;
}

export interface EventFact {
  readonly id: string;
  readonly year: number;
  readonly ename: string;
  /** Counts the writes of this event, from 1. */
  readonly version: number;
}

export interface Catalogue {
  "registration.registered": RegistrationFact;
  "registration.waitlisted": RegistrationFact;
  "registration.promoted": RegistrationFact;
  "registration.deleted": RegistrationFact & { readonly previousStatus: string };
  "event.created": EventFact;
  "event.updated": EventFact & { readonly changed: readonly string[] };
  "event.rescheduled": EventFact & { readonly changed: readonly string[] };
  "event.capacityChanged": EventFact & { readonly capac: number | null };
  "event.deleted": EventFact & { readonly incarnation: string };
  "user.created": { readonly email: string };
}

export type DetailType = keyof Catalogue;

/** What happened: one entry of the catalogue. */
export type Happening = { [T in DetailType]: { readonly type: T; readonly data: Catalogue[T] } }[DetailType];
