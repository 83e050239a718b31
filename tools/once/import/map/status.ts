/** Maps the status spellings of the source to a state. Pure. */
import { registrationStatuses, type State } from "#domain/registrations/record/statuses.ts";

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, "");

const byLetters = new Map<string, State>([
  ...registrationStatuses.map((status) => [lettersOf(status), status] as const),
  ["waitlisted", "waitlist"],
  ["canceled", "cancelled"],
  ["attended", "checkedIn"],
  ["reviewing", "applicant"],
  ["applied", "applicant"],
  ["declined", "rejected"],
]);

/** Both status fields of a source row. */
export interface SourceStatus {
  readonly registrationStatus: string;
  readonly applicationStatus: string;
}

/**
 * The state for the two fields. At an event that takes applications, `registered` means an application, and
 * `applicationStatus` is its outcome. Undefined for a row with neither, or with an unknown status.
 */
export function stateFrom(
  { registrationStatus, applicationStatus }: SourceStatus,
  isApplicationBased: boolean,
): State | undefined {
  const [registration, application] = [lettersOf(registrationStatus), lettersOf(applicationStatus)];
  const said = byLetters.get(registration);
  if (registration !== "" && said === undefined) return undefined;
  if (!isApplicationBased) {
    if (said === "applicant") return "registered";
    return said ?? (application === "" ? undefined : byLetters.get(application));
  }
  if (said !== undefined && said !== "registered") return said;
  const decided = byLetters.get(application);
  if (application !== "" && decided === undefined) return undefined;
  if (decided === undefined) return said === undefined ? undefined : "applicant";
  return decided === "registered" ? "applicant" : decided;
}
