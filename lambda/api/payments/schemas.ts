import { formInput } from "#api/members/schemas.ts";
import { closed, EventId, oneOf, type Static, Type, WebUrl } from "#kit/schema.ts";

/** An event to pay for, or a membership with its form. The token names the payer. */
export const NewPayment = closed({
  ...formInput,
  /**
   * `OAuthMember`: the membership of a person who signed in through another service. The service treats it like
   * `Member`.
   */
  paymentType: oneOf(["Event", "Member", "OAuthMember"]),
  eventID: Type.Optional(EventId),
  /** The event's year; in a membership form the academic year. */
  year: Type.Optional(
    Type.Unsafe<number | string | null>({
      type: ["integer", "string", "null"],
      ...{ minimum: 0, maximum: 2200, format: "line", maxLength: 200 },
    }),
  ),
  success_url: Type.Optional(WebUrl),
  cancel_url: Type.Optional(WebUrl),
});
export type NewPayment = Static<typeof NewPayment>;
