import { formInput } from "#api/records/schemas.ts";
import { closed, described, EventId, oneOf, page, type Static, Timestamp, Type, WebUrl, Year } from "#kit/schema.ts";

const returnAddress = "An address at an origin of the stage. Absent: the web application.";

/** An event to pay for, or a membership with its form. The token names the payer. */
export const NewPayment = closed({
  ...formInput,
  paymentType: described(
    oneOf(["Event", "Member", "OAuthMember"]),
    "`Event` needs `eventID` and `year`. `Member` and `OAuthMember` are the same, and take the membership form.",
  ),
  eventID: Type.Optional(EventId),
  year: Type.Optional(
    Type.Unsafe<number | string | null>({
      type: ["integer", "string", "null"],
      ...{ minimum: 0, maximum: 2200, format: "line", maxLength: 200 },
      description: "The event's year, as a number or a text of four digits; in a membership form the academic year.",
    }),
  ),
  success_url: Type.Optional(described(WebUrl, returnAddress)),
  cancel_url: Type.Optional(described(WebUrl, returnAddress)),
});
export type NewPayment = Static<typeof NewPayment>;

/** An event, or memberships. */
export const PaymentsQuery = closed({
  eventID: Type.Optional(EventId),
  year: Type.Optional(Year),
  purpose: Type.Optional(described(oneOf(["membership"]), "Instead of `eventID` and `year`.")),
  ...page,
});
export type PaymentsQuery = Static<typeof PaymentsQuery>;

export const Payment = closed({
  paymentId: described(Type.String(), "The provider's checkout session."),
  paymentIntent: Type.Optional(described(Type.String(), "The provider's id of the transfer.")),
  email: Type.String(),
  amount: described(Type.Integer(), "In cents."),
  currency: Type.String(),
  settledAs: described(
    oneOf(["seat", "membership", "refund"]),
    "`refund`: it paid for nothing, and has to be sent back.",
  ),
  settledAt: Timestamp,
});
export type Payment = Static<typeof Payment>;
