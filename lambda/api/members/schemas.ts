import { detailed } from "#api/records/details.ts";
import { formInput, profile, profileID, someEnd, topics, user } from "#api/records/schemas.ts";
import { flagFields, textFields } from "#domain/people/members/form.ts";
import {
  changing,
  closed,
  described,
  Email,
  EmailText,
  IsoDateOrNull,
  Message,
  oneOf,
  optional,
  orNull,
  peoplePage,
  type Static,
  Type,
  times,
} from "#kit/schema/schema.ts";

const cards = ["How many membership cards the person has.", 1] as const;
const club = {
  cardCount: optional(orNull(Type.Integer({ minimum: 0, maximum: 1_000_000 })), ...cards),
};

const whose = {
  email: optional(Email, "Needed unless `id` is given."),
  /** The web application sends the email under either name. */
  id: optional(Email, "Another name for `email`."),
};

export const NewMember = closed({ ...whose, ...formInput, ...club });

/** `admin` is declared, so that a change of it can be refused instead of ignored. */
export const MemberChanges = changing({
  ...formInput,
  ...club,
  until: optional(
    IsoDateOrNull,
    "The last day of the membership, or its last moment. `null`: it has no end.",
    "2030-08-31",
  ),
  admin: Type.Optional(Type.Unknown()),
});
export type MemberChanges = Static<typeof MemberChanges>;

export const memberParams = closed({ email: Email });
export const membersQuery = closed({
  ...peoplePage,
  state: optional(oneOf(["current", "former"]), "Only those whose membership goes on, or has ended.", "current"),
});

export const Member = closed({
  id: EmailText,
  email: EmailText,
  profileID: optional(Type.String(), ...profileID),
  ...detailed(textFields, Type.Optional(Type.String())),
  ...detailed(flagFields, Type.Optional(Type.Boolean())),
  topics: described(Type.Array(Type.String()), "What interests the person.", topics),
  admin: described(Type.Boolean(), "Whether the email is of the admin domain.", false),
  cardCount: optional(Type.Integer(), ...cards),
  refunded: Type.Optional(
    Type.Literal(true, { description: "All of the money has gone back, or was lost in a dispute." }),
  ),
  owes: optional(Type.Integer(), "What is left to pay, in cents.", 500),
  until: optional(
    Type.String(),
    "The last moment of the membership; a former one's is over. Absent: it has no end.",
    someEnd,
  ),
  ...times,
});
export type Member = Static<typeof Member>;

const member = described(Member, "The member as they are now.");
export const MemberAnswer = closed({ message: Message, member });
export const GrantAnswer = closed({ message: Message, user, member, profile });
