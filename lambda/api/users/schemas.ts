import { userDetails } from "#domain/people/users/details.ts";
import {
  changing,
  closed,
  described,
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
  email: Type.Optional(described(Email, "Absent: the caller's.")),
  /** The web application sends the email under either name. */
  id: Type.Optional(described(Email, "Another name for `email`.")),
  ...details,
  isMember: Type.Optional(Type.Boolean({ description: "Counts from an admin only." })),
});

export const UserChanges = changing({
  ...each(["fname", "lname"], Type.Optional(orNull(Name))),
  ...each(userDetails, Type.Optional(orNull(Line()))),
  isMember: Type.Optional(Type.Boolean({ description: "Admins only." })),
  /** Immutable fields are declared, so that the handler can refuse them instead of ignoring them. */
  ...each(["id", "email", "admin"], Type.Optional(Type.Unknown())),
});

export const FavouriteChange = closed({
  eventID: EventId,
  year: Year,
  isFavourite: Type.Optional(Type.Boolean({ description: "Absent: the opposite of the present state." })),
});

export const User = closed({
  id: Type.String({ description: "The email." }),
  email: Type.String(),
  ...details,
  admin: Type.Boolean({ description: "Set at creation by the email's domain. Access does not depend on it." }),
  isMember: Type.Boolean(),
  favEvents: Type.Array(Type.String(), { description: "`<event id>;<year>`, at most 500." }),
  "favedEventsID;year": Type.Array(Type.String(), { description: "The same as `favEvents`." }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type User = Static<typeof User>;
