/** Converts the two status fields of a request to a state (`docs/contract.md`, "Registrations"). Pure. */
import { type Issue, ValidationFailed } from "#kit/errors.ts";
import type { Terms } from "../record/moves.ts";
import { applicationStatusOf, type RegistrationRecord, type RegistrationStatus } from "../record/registration.ts";
import { registrationStatuses, type State } from "../record/statuses.ts";

/** The two status fields of a request. Each may be absent. */
export interface RequestedStatus {
  readonly registrationStatus?: string;
  readonly applicationStatus?: string;
}

const byLowerCase = new Map<string, RegistrationStatus>([
  ...registrationStatuses.map((status) => [status.toLowerCase(), status] as const),
  ["waitlisted", "waitlist"],
]);

/** Parses a status, ignoring case and surrounding spaces; undefined for an unknown one. */
export const statusFrom = (text: string): RegistrationStatus | undefined => byLowerCase.get(text.trim().toLowerCase());

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

const contradiction = () =>
  new ValidationFailed([{ path: "/applicationStatus", message: "contradicts registrationStatus" }]);

/** Parses a status, ignoring case. Blank means no change, because the web application sends unchanged fields back. */
function read<T>(text: string | undefined, known: ReadonlyMap<string, T>, problem: Issue): T | undefined {
  const word = text?.trim().toLowerCase();
  if (!word) return undefined;
  const meant = known.get(word);
  if (meant === undefined) throw new ValidationFailed([problem]);
  return meant;
}

/** Registration statuses that the web application's table of registrations sends as `applicationStatus`. */
const sentAsApplication = new Set<RegistrationStatus>(["registered", "checkedIn", "cancelled"]);

/** The two fields, each under its own name. @throws ValidationFailed they contradict each other */
function inPlace(request: RequestedStatus): RequestedStatus {
  const meant = statusFrom(request.applicationStatus ?? "");
  if (meant === undefined || !sentAsApplication.has(meant)) return request;
  const { registrationStatus = "" } = request;
  if (registrationStatus.trim() && statusFrom(registrationStatus) !== meant) throw contradiction();
  return { registrationStatus: meant };
}

/** The state requested by `applicationStatus`. The current status means no change. */
function stateFor(wanted: ApplicationStatus, current: RegistrationRecord, { priced }: Terms): State {
  if (wanted === applicationStatusOf(current)) return current.applicant ? "applicant" : (current.status as State);
  if (wanted === "accepted") return priced ? "acceptedPending" : "accepted";
  return wanted === "reviewing" ? "applicant" : wanted;
}

/** The state requested by `registrationStatus`. `registered` undoes a check-in and restores the state before it. */
function stateOfStatus(wanted: RegistrationStatus, current: RegistrationRecord): State {
  if (wanted === "registered" && current.status === "checkedIn") return current.cameFrom ?? "registered";
  return wanted === "registered" && current.applicant ? "applicant" : wanted;
}

/**
 * The requested state. Undefined when none is requested.
 * @throws ValidationFailed a status is unknown, or the two contradict each other
 */
export function requestedState(request: RequestedStatus, current: RegistrationRecord, terms: Terms): State | undefined {
  const { registrationStatus, applicationStatus } = inPlace(request);
  const status = read(registrationStatus, byLowerCase, unknown("/registrationStatus", registrationStatuses));
  const application = read(
    applicationStatus,
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
    throw contradiction();
  }
  return byStatus;
}
