import { Profile, profileID } from "#api/profiles/schemas.ts";
import { User } from "#api/users/schemas.ts";
import { flagSpellings, textSpellings } from "#domain/people/members/form.ts";
import { changing, closed, Email, each, Line, orNull, peoplePage, type Static, Timestamp, Type } from "#kit/schema.ts";

/** The membership form with all its spellings; `formOf` makes one of them. */
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
    }),
  ),
};

const club = {
  cardCount: Type.Optional(orNull(Type.Integer({ minimum: 0, maximum: 1_000_000 }))),
};

const whose = {
  email: Type.Optional(Email),
  /** The web application sends the email under either name. */
  id: Type.Optional(Email),
};

export const NewMember = closed({ ...whose, ...formInput, ...club });
export type NewMember = Static<typeof NewMember>;

/** Forbidden fields are declared, so that the handler can refuse them instead of ignoring them. */
export const MemberChanges = changing({
  ...formInput,
  ...club,
  id: Type.Optional(Type.Unknown()),
  email: Type.Optional(Type.Unknown()),
  admin: Type.Optional(Type.Unknown()),
});
export type MemberChanges = Static<typeof MemberChanges>;

export const MembershipGrant = closed({ ...whose, ...formInput, ...club });

export const memberParams = closed({ email: Email });
export const profileParams = closed({ profileID });
export const peopleQuery = closed(peoplePage);

export const Member = closed({
  id: Type.String(),
  email: Type.String(),
  profileID: Type.Optional(Type.String()),
  firstName: Type.Optional(Type.String()),
  lastName: Type.Optional(Type.String()),
  pronouns: Type.Optional(Type.String()),
  faculty: Type.Optional(Type.String()),
  major: Type.Optional(Type.String()),
  year: Type.Optional(Type.String()),
  education: Type.Optional(Type.String()),
  studentNumber: Type.Optional(Type.String()),
  international: Type.Optional(Type.Boolean()),
  prevMember: Type.Optional(Type.Boolean()),
  diet: Type.Optional(Type.String()),
  heardFrom: Type.Optional(Type.String()),
  heardFromSpecify: Type.Optional(Type.String()),
  university: Type.Optional(Type.String()),
  highSchool: Type.Optional(Type.String()),
  topics: Type.Array(Type.String()),
  admin: Type.Boolean(),
  discordId: Type.Optional(Type.String()),
  cardCount: Type.Optional(Type.Integer()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Member = Static<typeof Member>;

export const MemberAnswer = closed({ message: Type.String(), member: Member });
export const GrantAnswer = closed({ message: Type.String(), user: User, member: Member, profile: Profile });
