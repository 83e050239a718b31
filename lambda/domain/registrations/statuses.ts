/** The statuses of a registration, as the specification names them. */
export const registrationStatuses = [
  "registered",
  "waitlist",
  "checkedIn",
  "incomplete",
  "cancelled",
  "accepted",
  "acceptedPending",
  "acceptedComplete",
  "rejected",
] as const;

export type RegistrationStatus = (typeof registrationStatuses)[number];
