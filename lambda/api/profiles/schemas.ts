import { isShown, Profile } from "#api/records/schemas.ts";
import { viewableFields } from "#domain/people/profiles/profile.ts";
import { changing, closed, described, each, Line, Link, orNull, Text, Type } from "#kit/schema/schema.ts";

/** The fields that the owner of a profile may change, and their visibility. */
const ownChoice = {
  ...each(["hobby1", "hobby2"], Type.Optional(orNull(Line()))),
  ...each(["funQuestion1", "funQuestion2"], Type.Optional(orNull(Text(4_000)))),
  ...each(["linkedIn", "profilePictureURL", "additionalLink"], Type.Optional(orNull(Link))),
  description: Type.Optional(orNull(Text(10_000))),
  viewableMap: Type.Optional(
    described(
      orNull(closed(each(viewableFields, Type.Optional(Type.Boolean({ description: isShown }))))),
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

export const ProfileAnswer = closed({ message: Type.String(), profile: Profile });
