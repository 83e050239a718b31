/** The statuses of a registration (`docs/contract.md`, "Moves of a registration"). */
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
