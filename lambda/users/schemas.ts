import { closed, Email, Line, Name, type Static, Timestamp, Type } from "#kit/schema.ts";

/** What a person may tell about themselves. */
export const userDetails = {
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
export type NewUser = Static<typeof NewUser>;

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
