import {
  changing,
  closed,
  Email,
  EventId,
  Line,
  Name,
  orNull,
  type Static,
  Timestamp,
  Type,
  Year,
} from "#kit/schema.ts";

/** The details that a person may give. */
const userDetails = {
  fname: Type.Optional(Name),
  lname: Type.Optional(Name),
  faculty: Type.Optional(Line()),
  major: Type.Optional(Line()),
  year: Type.Optional(Line()),
  studentId: Type.Optional(Line()),
  diet: Type.Optional(Line()),
  gender: Type.Optional(Line()),
  education: Type.Optional(Line()),
  university: Type.Optional(Line()),
};

export const NewUser = closed({
  email: Type.Optional(Email),
  /** The web application sends the email under either name. */
  id: Type.Optional(Email),
  ...userDetails,
  isMember: Type.Optional(Type.Boolean()),
});

const changed = <S extends typeof Name>(schema: S) => Type.Optional(orNull(schema));

export const UserChanges = changing({
  fname: changed(Name),
  lname: changed(Name),
  faculty: changed(Line()),
  major: changed(Line()),
  year: changed(Line()),
  studentId: changed(Line()),
  diet: changed(Line()),
  gender: changed(Line()),
  education: changed(Line()),
  university: changed(Line()),
  /** Only admins may set it. */
  isMember: Type.Optional(Type.Boolean()),
  /** Immutable fields are declared, so that the handler can refuse them instead of ignoring them. */
  id: Type.Optional(Type.Unknown()),
  email: Type.Optional(Type.Unknown()),
  admin: Type.Optional(Type.Unknown()),
});

export const FavouriteChange = closed({
  eventID: EventId,
  year: Year,
  /** Absent: the opposite of the present state. */
  isFavourite: Type.Optional(Type.Boolean()),
});

export const User = closed({
  id: Type.String(),
  email: Type.String(),
  ...userDetails,
  admin: Type.Boolean(),
  isMember: Type.Boolean(),
  /** `<event id>;<year>` */
  favEvents: Type.Array(Type.String()),
  "favedEventsID;year": Type.Array(Type.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type User = Static<typeof User>;
