/** What a registration is, which of them hold a seat, and how it is answered. Pure. */
import type { Happening, RegistrationFact } from "../outbox/catalogue.ts";
import type { Choices, Place } from "../seats/seats.ts";
import type { CounterChanges, Holder } from "../seats/store.ts";
import type { NewRegistration, Registration, registrationStatuses } from "./schemas.ts";

export type RegistrationStatus = (typeof registrationStatuses)[number];

/** One person's registration for one event, as stored. */
export interface RegistrationRecord {
  readonly email: string;
  readonly eventID: string;
  readonly year: number;
  /** `deleted`: a tombstone that keeps the version; nobody sees it. */
  readonly status: RegistrationStatus | "deleted";
  /** `registered` on an application-based event: the application is in, nothing is confirmed. */
  readonly applicant?: boolean;
  /** Made while the event was application-based. */
  readonly applicationBased?: boolean;
  readonly fname: string;
  readonly studentId?: string;
  readonly basicInformation: NonNullable<NewRegistration["basicInformation"]>;
  readonly dynamicResponses: Readonly<Record<string, string | readonly string[]>>;
  readonly choices: Choices;
  readonly isPartner: boolean;
  readonly points: number;
  /** The arrival that this registration answers; its place in line while it waits. */
  readonly waitKey: string;
  /** The creation of the event that it belongs to. */
  readonly incarnation: string;
  /** Counts the writes, from 1; goes on over deleting and registering again. */
  readonly version: number;
  /** The arrival of the request that ended it, so that its retry recognizes its own work. */
  readonly endedBy?: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

const ended = new Set<RegistrationRecord["status"]>(["cancelled", "deleted"]);
const withoutSeat = new Set<RegistrationRecord["status"]>(["waitlist", "cancelled", "rejected", "deleted"]);

/** Whether it stands in the way of registering again for the same incarnation of the event. */
export const isLive = ({ status, incarnation }: RegistrationRecord, ofIncarnation: string): boolean =>
  !ended.has(status) && incarnation === ofIncarnation;

/** A function of the record alone, never of the clock: an unpaid seat is held until a transaction ends the hold. */
export const holdsSeat = ({ status, applicant }: Pick<RegistrationRecord, "status" | "applicant">): boolean =>
  !withoutSeat.has(status) && !(status === "registered" && applicant);

const counterOf: Partial<Record<RegistrationRecord["status"], keyof CounterChanges>> = {
  registered: "registered",
  checkedIn: "checkedIn",
  incomplete: "incomplete",
  accepted: "accepted",
  acceptedPending: "accepted",
  acceptedComplete: "accepted",
};

/** What one more registration like this adds to the counters of the event. */
export function countersOf(
  registration: Pick<RegistrationRecord, "status" | "applicant" | "isPartner">,
): CounterChanges {
  if (!holdsSeat(registration)) return registration.applicant ? { applicants: 1 } : {};
  const counter = counterOf[registration.status];
  return { seats: 1, ...(counter && { [counter]: 1 }), ...(registration.isPartner && { partners: 1 }) };
}

/** A seat holder as the seats count them. */
export const holderOf = (
  registration: Pick<RegistrationRecord, "status" | "applicant" | "isPartner" | "choices">,
): Holder => ({
  choices: registration.choices,
  counters: countersOf(registration),
});

/** The registration's place in line. */
export const placeOf = ({
  email,
  waitKey,
  choices,
  isPartner,
  fname,
  incarnation,
  version,
}: RegistrationRecord): Place => ({
  email,
  waitKey,
  choices,
  isPartner,
  fname,
  incarnation,
  version,
});

export const factOf = (
  registration: Pick<RegistrationRecord, "eventID" | "year" | "email" | "fname" | "status" | "version" | "isPartner">,
): RegistrationFact => ({
  eventID: registration.eventID,
  year: registration.year,
  email: registration.email,
  fname: registration.fname,
  registrationStatus: registration.status,
  version: registration.version,
  isPartner: registration.isPartner,
});

/** The news that this registration, as it was read, is deleted. */
export const deletionOf = (registration: RegistrationRecord): Happening => ({
  type: "registration.deleted",
  data: { ...factOf(registration), version: registration.version + 1, previousStatus: registration.status },
});

/** `applicationStatus` is derived, never stored (`contract.md`, section 2). */
function applicationStatus({ status, applicationBased }: RegistrationRecord): string {
  if (!applicationBased) return "";
  if (status === "registered") return "reviewing";
  if (status.startsWith("accepted") || status === "checkedIn") return "accepted";
  return status === "rejected" || status === "waitlist" ? status : "";
}

/** @param waitlistPosition from 1, where the answer names one person and one event */
export function registrationAnswer(record: RegistrationRecord, waitlistPosition?: number): Registration {
  return {
    id: record.email,
    email: record.email,
    eventID: record.eventID,
    year: record.year,
    "eventID;year": `${record.eventID};${record.year}`,
    registrationStatus: record.status as RegistrationStatus,
    applicationStatus: applicationStatus(record),
    fname: record.fname,
    ...(record.studentId !== undefined && { studentId: record.studentId }),
    basicInformation: record.basicInformation,
    dynamicResponses: record.dynamicResponses as Registration["dynamicResponses"],
    isPartner: record.isPartner,
    points: record.points,
    ...(waitlistPosition !== undefined && { waitlistPosition }),
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
  };
}
