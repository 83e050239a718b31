/** The fields of a registration form (`docs/contract.md`, "Registrations"). */

/** The fields that every registration form has. */
export interface BasicInformation {
  readonly fname?: string;
  readonly lname?: string;
  readonly year?: string;
  readonly faculty?: string;
  readonly major?: string;
  readonly gender?: string;
  readonly diet?: string;
  readonly heardFrom?: string;
  readonly phone?: string;
  readonly studentId?: string;
  /** Of a partner: company and role. */
  readonly companyName?: string;
  readonly role?: string;
}

/** Answers by question id, as sent. `null` and blank values count as no answer. */
export type DynamicResponses = Readonly<Record<string, string | readonly string[] | null>>;

/** A form without its blank fields. */
export interface NewRegistration {
  readonly eventID: string;
  readonly year: number;
  readonly email: string;
  readonly fname?: string;
  readonly studentId?: string;
  readonly basicInformation?: BasicInformation;
  readonly dynamicResponses?: DynamicResponses;
  readonly isPartner?: boolean;
  /** As it was typed. */
  readonly code?: string;
  /** The people whom the person brings. */
  readonly plusOnes?: readonly AskedPlusOne[];
}

/** A plus-one, as sent. */
export interface AskedPlusOne {
  readonly fname: string;
}

/** The most that an event can allow. */
export const mostPlusOnes = 5;
