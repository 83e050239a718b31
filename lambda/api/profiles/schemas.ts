import { detailed } from "#api/records/details.ts";
import { isShown, profile } from "#api/records/schemas.ts";
import { viewableFields } from "#domain/people/profiles/profile.ts";
import { changing, closed, each, Line, Link, Message, optional, orNull, Text, Type } from "#kit/schema/schema.ts";

/** The fields that the owner of a profile may change, and their visibility. */
const ownChoice = {
  ...detailed(["hobby1", "hobby2"], Type.Optional(orNull(Line()))),
  ...detailed(["funQuestion1", "funQuestion2"], Type.Optional(orNull(Text(4_000)))),
  ...detailed(["linkedIn", "profilePictureURL", "additionalLink"], Type.Optional(orNull(Link))),
  ...detailed(["description"], Type.Optional(orNull(Text(10_000)))),
  viewableMap: optional(
    orNull(closed(each(viewableFields, optional(Type.Boolean(), isShown, true)))),
    "Whether other people see the field. What is absent stays as it is.",
  ),
};

export const NewProfile = closed(ownChoice);
export const ProfileChanges = changing({
  ...ownChoice,
  /** The web application sends the whole profile back. These are declared, so that another profile can be refused. */
  ...each(["profileID", "compositeID", "email", "id"], Type.Optional(Type.Unknown())),
});

export const ProfileAnswer = closed({ message: Message, profile });
