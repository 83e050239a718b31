import { Conflicting } from "#kit/errors.ts";

/** The person cannot get this email, or not now. The message says why. */
export class EmailNotChangeable extends Conflicting {
  readonly code = "EMAIL_NOT_CHANGEABLE";
}
