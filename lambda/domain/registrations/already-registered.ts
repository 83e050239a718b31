import { Duplicate } from "#kit/errors.ts";
import type { RegistrationRecord } from "./registration.ts";

/** The person has a registration for the event, and a new one would replace it. */
export class AlreadyRegistered extends Duplicate {
  readonly registration: RegistrationRecord;
  constructor(registration: RegistrationRecord) {
    super("There is a registration for this person and event already.");
    this.registration = registration;
  }
}
