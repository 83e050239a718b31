import { Duplicate } from "#kit/errors.ts";
import type { RegistrationRecord } from "../record/registration.ts";

/** The person already has a registration for the event, which the response includes. */
export class AlreadyRegistered extends Duplicate {
  readonly registration: RegistrationRecord;
  constructor(registration: RegistrationRecord) {
    super("There is a registration for this person and event already.");
    this.registration = registration;
  }
}
