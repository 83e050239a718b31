import { userDetails } from "#domain/people/users/details.ts";
import {
  changing,
  closed,
  Email,
  EventId,
  each,
  Line,
  Name,
  orNull,
  type Static,
  Timestamp,
  Type,
  Year,
} from "#kit/schema.ts";

/** The details that a person may give. */
const details = {
  ...each(["fname", "lname"], Type.Optional(Name)),
  ...each(userDetails, Type.Optional(Line())),
};

export const NewUser = closed({
  email: Type.Optional(Email),
  /** The web application sends the email under either name. */
  id: Type.Optional(Email),
  ...details,
  isMember: Type.Optional(Type.Boolean()),
});

export const UserChanges = changing({
  ...each(["fname", "lname"], Type.Optional(orNull(Name))),
  ...each(userDetails, Type.Optional(orNull(Line()))),
  /** Only admins may set it. */
  isMember: Type.Optional(Type.Boolean()),
  /** Immutable fields are declared, so that the handler can refuse them instead of ignoring them. */
  ...each(["id", "email", "admin"], Type.Optional(Type.Unknown())),
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
  ...details,
  admin: Type.Boolean(),
  isMember: Type.Boolean(),
  /** `<event id>;<year>` */
  favEvents: Type.Array(Type.String()),
  "favedEventsID;year": Type.Array(Type.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type User = Static<typeof User>;
