import { Profile, profileID } from "#api/profiles/schemas.ts";
import { User } from "#api/users/schemas.ts";
import { flagFields, flagSpellings, textFields, textSpellings } from "#domain/people/members/form.ts";
import {
  changing,
  closed,
  described,
  Email,
  each,
  Line,
  orNull,
  peoplePage,
  type Static,
  Timestamp,
  Type,
} from "#kit/schema.ts";

/** The membership form with all spellings; `formOf` normalizes them. */
export const formInput = {
  ...each(textSpellings, Type.Optional(orNull(Line()))),
  ...each(flagSpellings, Type.Optional(orNull(Type.Boolean()))),
  topics: Type.Optional(
    Type.Unsafe<string[] | string | null>({
      type: ["array", "string", "null"],
      items: Line(100),
      maxItems: 50,
      format: "line",
      maxLength: 2_000,
      description: "A list, or a text with commas.",
    }),
  ),
};

const club = {
  cardCount: Type.Optional(orNull(Type.Integer({ minimum: 0, maximum: 1_000_000 }))),
};

const whose = {
  email: Type.Optional(described(Email, "Needed unless `id` is given.")),
  /** The web application sends the email under either name. */
  id: Type.Optional(described(Email, "Another name for `email`.")),
};

export const NewMember = closed({ ...whose, ...formInput, ...club });

/** Forbidden fields are declared, so that the handler can refuse them instead of ignoring them. */
export const MemberChanges = changing({
  ...formInput,
  ...club,
  ...each(["id", "email", "admin"], Type.Optional(Type.Unknown())),
});
export type MemberChanges = Static<typeof MemberChanges>;

export const memberParams = closed({ email: Email });
export const profileParams = closed({ profileID });
export const peopleQuery = closed(peoplePage);

export const Member = closed({
  id: Type.String(),
  email: Type.String(),
  profileID: Type.Optional(Type.String()),
  ...each(textFields, Type.Optional(Type.String())),
  ...each(flagFields, Type.Optional(Type.Boolean())),
  topics: Type.Array(Type.String()),
  admin: Type.Boolean(),
  cardCount: Type.Optional(Type.Integer()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Member = Static<typeof Member>;

export const MemberAnswer = closed({ message: Type.String(), member: Member });
export const GrantAnswer = closed({ message: Type.String(), user: User, member: Member, profile: Profile });
