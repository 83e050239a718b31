import { formInput } from "#api/records/schemas.ts";
import { closed, described, EventId, oneOf, type Static, Type, WebUrl } from "#kit/schema.ts";

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
