/** Which state a request means by `registrationStatus` and `applicationStatus` (`contract.md`, section 2). Pure. */
import { type Issue, ValidationFailed } from "#kit/errors.ts";
import type { State, Terms } from "./moves.ts";
import { applicationStatusOf, type RegistrationRecord, type RegistrationStatus } from "./registration.ts";
import { registrationStatuses } from "./statuses.ts";

/** What may be asked for; either, both, or nothing. */
export interface RequestedStatus {
  readonly registrationStatus?: string;
  readonly applicationStatus?: string;
}

const byLowerCase = new Map<string, RegistrationStatus>([
  ...registrationStatuses.map((status) => [status.toLowerCase(), status] as const),
  ["waitlisted", "waitlist"],
]);

const applicationStatuses = ["accepted", "rejected", "waitlist", "reviewing"] as const;
type ApplicationStatus = (typeof applicationStatuses)[number];

const applicationByLowerCase = new Map<string, ApplicationStatus>([
  ...applicationStatuses.map((status) => [status, status] as const),
  ["waitlisted", "waitlist"],
]);

const unknown = (path: string, known: readonly string[]): Issue => ({
  path,
  message: `must be one of ${known.join(", ")}`,
});

/** Blank means that nothing is asked for: the web application sends fields back as it got them. */
function read<T>(text: string | undefined, known: ReadonlyMap<string, T>, problem: Issue): T | undefined {
  const word = text?.trim().toLowerCase();
  if (!word) return undefined;
  const meant = known.get(word);
  if (meant === undefined) throw new ValidationFailed([problem]);
  return meant;
}

/** Where `applicationStatus` leads from here. */
function stateFor(wanted: ApplicationStatus, current: RegistrationRecord, { priced }: Terms): State {
  if (wanted === applicationStatusOf(current)) return current.applicant ? "applicant" : (current.status as State);
  if (wanted === "accepted") return priced ? "acceptedPending" : "accepted";
  return wanted === "reviewing" ? "applicant" : wanted;
}

/** Where `registrationStatus` leads from here. Undoing a check-in restores the state it came from. */
function stateOfStatus(wanted: RegistrationStatus, current: RegistrationRecord): State {
  if (wanted === "registered" && current.status === "checkedIn") return current.cameFrom ?? "registered";
  return wanted === "registered" && current.applicant ? "applicant" : wanted;
}

/**
 * The state that a request asks for; undefined when it asks for none.
 * @throws ValidationFailed an unknown status, or two that contradict each other
 */
export function requestedState(request: RequestedStatus, current: RegistrationRecord, terms: Terms): State | undefined {
  const status = read(request.registrationStatus, byLowerCase, unknown("/registrationStatus", registrationStatuses));
  const application = read(
    request.applicationStatus,
    applicationByLowerCase,
    unknown("/applicationStatus", applicationStatuses),
  );
  const byStatus = status && stateOfStatus(status, current);
  const byApplication = application && stateFor(application, current, terms);
  if (byStatus === undefined || byApplication === undefined) return byStatus ?? byApplication;
  const { status: meant, applicant } =
    byStatus === "applicant"
      ? { status: "registered" as const, applicant: true }
      : { status: byStatus, applicant: false };
  if (applicationStatusOf({ status: meant, applicant, applicationBased: true }) !== application) {
    throw new ValidationFailed([{ path: "/applicationStatus", message: "contradicts registrationStatus" }]);
  }
  return byStatus;
}
