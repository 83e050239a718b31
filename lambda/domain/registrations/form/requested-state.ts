/** The state that a request asks for by its two status fields (`docs/contract.md`, "Registrations"). Pure. */
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

/** A status in any case and with spaces around it; undefined when the text is none. */
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

/** Reads a status in any case. Blank asks for nothing, because the web application sends back fields as it got them. */
function read<T>(text: string | undefined, known: ReadonlyMap<string, T>, problem: Issue): T | undefined {
  const word = text?.trim().toLowerCase();
  if (!word) return undefined;
  const meant = known.get(word);
  if (meant === undefined) throw new ValidationFailed([problem]);
  return meant;
}

/** Statuses that the web application's table sends as `applicationStatus`, although they are registration statuses. */
const sentAsApplication = new Set<RegistrationStatus>(["registered", "checkedIn", "cancelled"]);

/**
 * The two status fields of a row of a mass update (`docs/contract.md`, "Registrations").
 * @throws ValidationFailed the two contradict each other
 */
export function requestOfRow<R extends RequestedStatus>(row: R): R {
  const wordOf = (text: string | undefined) => byLowerCase.get(text?.trim().toLowerCase() ?? "");
  const meant = wordOf(row.applicationStatus);
  if (meant === undefined || !sentAsApplication.has(meant)) return row;
  if (row.registrationStatus?.trim() && wordOf(row.registrationStatus) !== meant) throw contradiction();
  const { applicationStatus: _, ...rest } = row;
  return { ...rest, registrationStatus: meant } as R;
}

/** The state that `applicationStatus` asks for. A status that the registration already has asks for no change. */
function stateFor(wanted: ApplicationStatus, current: RegistrationRecord, { priced }: Terms): State {
  if (wanted === applicationStatusOf(current)) return current.applicant ? "applicant" : (current.status as State);
  if (wanted === "accepted") return priced ? "acceptedPending" : "accepted";
  return wanted === "reviewing" ? "applicant" : wanted;
}

/** The state that `registrationStatus` asks for. `registered` undoes a check-in: it restores the state before it. */
function stateOfStatus(wanted: RegistrationStatus, current: RegistrationRecord): State {
  if (wanted === "registered" && current.status === "checkedIn") return current.cameFrom ?? "registered";
  return wanted === "registered" && current.applicant ? "applicant" : wanted;
}

/**
 * The state that a request asks for. Undefined when it asks for none.
 * @throws ValidationFailed when a status is unknown, or when the two contradict each other
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
    throw contradiction();
  }
  return byStatus;
}
