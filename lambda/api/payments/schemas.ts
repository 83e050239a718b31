import { formInput } from "#api/members/schemas.ts";
import { closed, EventId, type Static, Type, WebUrl } from "#kit/schema.ts";

const paymentTypes = ["Event", "Member", "OAuthMember"] as const;

/** An event to pay for, or the membership with what its form asks. Who pays is in the token. */
export const NewPayment = closed({
  ...formInput,
  /** `OAuthMember`: a membership of somebody who signed in through another service; the same here. */
  paymentType: Type.Unsafe<(typeof paymentTypes)[number]>({ type: "string", enum: [...paymentTypes] }),
  eventID: Type.Optional(EventId),
  /** Of the event; in a membership form the academic year. */
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
