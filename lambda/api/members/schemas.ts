import { formInput, Profile, User } from "#api/records/schemas.ts";
import { flagFields, textFields } from "#domain/people/members/form.ts";
import {
  changing,
  closed,
  described,
  Email,
  each,
  orNull,
  peoplePage,
  type Static,
  Timestamp,
  Type,
} from "#kit/schema/schema.ts";

const club = {
  cardCount: Type.Optional(orNull(Type.Integer({ minimum: 0, maximum: 1_000_000 }))),
};

const whose = {
  email: Type.Optional(described(Email, "Needed unless `id` is given.")),
  /** The web application sends the email under either name. */
  id: Type.Optional(described(Email, "Another name for `email`.")),
};

export const NewMember = closed({ ...whose, ...formInput, ...club });

/** `admin` is declared, so that a change of it can be refused instead of ignored. */
export const MemberChanges = changing({
  ...formInput,
  ...club,
  admin: Type.Optional(Type.Unknown()),
});
export type MemberChanges = Static<typeof MemberChanges>;

export const memberParams = closed({ email: Email });
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
  refunded: Type.Optional(
    Type.Literal(true, { description: "All of the money has gone back, or was lost in a dispute." }),
  ),
  owes: Type.Optional(Type.Integer({ description: "What is left to pay, in cents." })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Member = Static<typeof Member>;

export const MemberAnswer = closed({ message: Type.String(), member: Member });
export const GrantAnswer = closed({ message: Type.String(), user: User, member: Member, profile: Profile });
