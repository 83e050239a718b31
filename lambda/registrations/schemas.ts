import {
  closed,
  Email,
  EventId,
  Line,
  Name,
  page,
  QueryEmail,
  type Static,
  Text,
  Timestamp,
  Type,
  Year,
} from "#kit/schema.ts";

/** What registration forms ask of everybody. */
const BasicInformation = closed({
  fname: Type.Optional(Name),
  lname: Type.Optional(Line()),
  year: Type.Optional(Line()),
  faculty: Type.Optional(Line()),
  major: Type.Optional(Line()),
  gender: Type.Optional(Line()),
  diet: Type.Optional(Line()),
  heardFrom: Type.Optional(Line()),
});

/** Keyed by question id; what the questions demand is checked against the event. */
const DynamicResponses = Type.Record(
  Type.String({ maxLength: 100 }),
  Type.Unsafe<string | string[] | null>({
    type: ["string", "array", "null"],
    maxLength: 4_000,
    items: Text(4_000),
    maxItems: 100,
  }),
);

export const NewRegistration = closed({
  eventID: EventId,
  year: Year,
  email: Email,
  fname: Type.Optional(Name),
  studentId: Type.Optional(Line()),
  basicInformation: Type.Optional(BasicInformation),
  dynamicResponses: Type.Optional(DynamicResponses),
  isPartner: Type.Optional(Type.Boolean()),
});
export type NewRegistration = Static<typeof NewRegistration>;

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

export const Registration = closed({
  id: Type.String(),
  email: Type.String(),
  eventID: EventId,
  year: Year,
  "eventID;year": Type.String(),
  registrationStatus: Type.Unsafe<(typeof registrationStatuses)[number]>({
    type: "string",
    enum: [...registrationStatuses],
  }),
  applicationStatus: Type.String(),
  fname: Type.String(),
  studentId: Type.Optional(Type.String()),
  basicInformation: BasicInformation,
  dynamicResponses: Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())])),
  isPartner: Type.Boolean(),
  points: Type.Integer(),
  /** Place in line from 1; only where one person and one event are named. */
  waitlistPosition: Type.Optional(Type.Integer({ minimum: 1 })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Registration = Static<typeof Registration>;

export const Registered = closed({
  message: Type.String(),
  registrationStatus: Type.String(),
  registration: Registration,
});

export const RegistrationFilters = closed({
  eventID: Type.Optional(EventId),
  year: Type.Optional(Year),
  email: Type.Optional(QueryEmail),
  "eventID;year": Type.Optional(Type.String({ maxLength: 100 })),
  ...page,
});
export type RegistrationFilters = Static<typeof RegistrationFilters>;

/** Which registration of a person: stands in the body or in the query. */
export const whichEvent = { eventID: Type.Optional(EventId), year: Type.Optional(Year) };
