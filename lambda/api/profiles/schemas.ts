import { viewableFields } from "#domain/people/profiles/profile.ts";
import {
  changing,
  closed,
  described,
  each,
  Line,
  Link,
  oneOf,
  orNull,
  type Static,
  Text,
  Timestamp,
  Type,
} from "#kit/schema.ts";

/** Any line is valid: an unknown id is not found, whatever its format. */
export const profileID = Line(100);
export const profileParams = closed({ profileID });

/** The fields that the owner of a profile may change, and their visibility. */
const ownChoice = {
  ...each(["hobby1", "hobby2"], Type.Optional(orNull(Line()))),
  ...each(["funQuestion1", "funQuestion2"], Type.Optional(orNull(Text(4_000)))),
  ...each(["linkedIn", "profilePictureURL", "additionalLink"], Type.Optional(orNull(Link))),
  description: Type.Optional(orNull(Text(10_000))),
  viewableMap: Type.Optional(
    described(
      orNull(closed(each(viewableFields, Type.Optional(Type.Boolean())))),
      "Whether other people see the field. What is absent stays as it is.",
    ),
  ),
};

export const NewProfile = closed(ownChoice);
export const ProfileChanges = changing({
  ...ownChoice,
  /** The web application sends the whole profile back. These are declared, so that another profile can be refused. */
  ...each(["profileID", "compositeID", "email", "id"], Type.Optional(Type.Unknown())),
});

const profileType = described(oneOf(["EXEC", "ATTENDEE"]), "`EXEC`: an email of the admin domain.");
const identity = {
  compositeID: Type.String({ description: "`PROFILE#<profileID>`" }),
  profileID: Type.String({ description: "Three readable words. Unique; never changes." }),
  type: oneOf(["PROFILE"]),
  profileType,
};

export const Profile = closed({
  ...identity,
  ...each(viewableFields, Type.String()),
  viewableMap: closed(each(viewableFields, Type.Boolean())),
  ...each(["createdAt", "updatedAt"], Timestamp),
});
export type Profile = Static<typeof Profile>;

export const VisibleProfile = closed({ ...identity, ...each(viewableFields, Type.Optional(Type.String())) });
export type VisibleProfile = Static<typeof VisibleProfile>;

export const ProfileAnswer = closed({ message: Type.String(), profile: Profile });
