/**
 * The fields of each message that consumers use. Schemas are open: a message may have more fields. `test/types/schemas.ts`
 * checks that they match the catalogue.
 */

import type { TProperties } from "typebox";
import { bodySchema } from "#kit/schema/body-schema.ts";
import { Type } from "#kit/schema/schema.ts";
import { channelsOf, type NoticeKind } from "./notice-kinds.ts";

const text = Type.String();
const number = Type.Number();

/** A message as EventBridge delivers it, with unvalidated data. */
export const envelope = bodySchema(
  Type.Object({
    "detail-type": text,
    detail: Type.Object({
      metadata: Type.Object({
        ...{ id: text, occurredAt: text, actor: text, correlationId: text },
        // Messages of before have none.
        version: Type.Optional(Type.Literal(1)),
      }),
      data: Type.Object({}),
    }),
  }),
);

const registrationFields = {
  eventID: text,
  year: number,
  generation: text,
  email: text,
  fname: text,
  version: number,
};
const kinds = Object.keys(channelsOf) as NoticeKind[];

export const registration = bodySchema(
  Type.Object({
    ...registrationFields,
    notice: Type.Optional(Type.Unsafe<NoticeKind>({ type: "string", enum: kinds })),
  }),
);

/** With the notice `moved`, the message has the schedule version. */
export const movedRegistration = bodySchema(Type.Object({ ...registrationFields, scheduleVersion: number }));

/** With the notice `reminder`, it has the hours before the start. */
export const remindedRegistration = bodySchema(Type.Object({ ...registrationFields, hours: number }));

export const account = bodySchema(Type.Object({ email: text }));
export const deletedAccount = bodySchema(Type.Object({ email: text, origin: Type.Optional(text) }));

export const guest = bodySchema(
  Type.Object({ email: text, eventID: text, year: number, generation: text, requestId: text }),
);

export const membership = bodySchema(
  Type.Object({
    ...{ email: text, until: Type.Optional(number) },
    paid: Type.Optional(Type.Object({ amount: number, currency: text })),
  }),
);
export const endOfMembership = bodySchema(Type.Object({ email: text, until: number }));

/** A message about a payment for a membership, or for an event that it then names. */
const aboutPayment = <P extends TProperties>(more: P) => {
  const fields = { email: text, paymentId: text, amount: number, currency: text, ...more };
  const forEvent = Type.Object({ ...fields, purpose: Type.Literal("event"), eventID: text, year: number });
  const forMembership = Type.Object({ ...fields, purpose: Type.Literal("membership") });
  return bodySchema(Type.Union([forEvent, forMembership]));
};

export const requiredRefund = aboutPayment({ reason: text });
export const refundByHand = aboutPayment({ reason: text, because: text });
export const orderedRefund = aboutPayment({ refundId: text });
export const startedRefund = aboutPayment({ refundId: text });
export const troubledRefund = aboutPayment({ refundId: text, because: text });
export const dispute = aboutPayment({ disputeId: text, state: text });

export const heardDispute = bodySchema(Type.Object({ disputeId: text, payment: text }));

export const unheardCheckout = bodySchema(Type.Object({ email: text, eventID: text, year: number }));

export const payout = bodySchema(Type.Object({ payoutId: text }));
export const failedPayout = bodySchema(Type.Object({ payoutId: text, amount: number, currency: text, because: text }));

export const changedEvent = bodySchema(Type.Object({ id: text, year: number }));

export const rescheduledEvent = bodySchema(
  Type.Object({
    ...{ id: text, year: number, generation: text, scheduleVersion: number },
    isBack: Type.Optional(Type.Boolean()),
  }),
);

const dueMail = { id: text, year: number, generation: text };
export const dueReminder = bodySchema(
  Type.Object({ ...dueMail, mail: Type.Literal("reminder"), hours: number, day: text }),
);
export const dueFeedback = bodySchema(Type.Object({ ...dueMail, mail: Type.Literal("feedback"), form: text }));

export const endedEvent = bodySchema(Type.Object({ id: text, year: number, generation: text }));

/**
 * An SES event about a mail, with the fields that are used here.
 * https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html
 */
export const mailEvent = bodySchema(
  Type.Object({
    id: text,
    "detail-type": text,
    detail: Type.Object({ mail: Type.Object({ messageId: text, destination: Type.Array(text) }) }),
  }),
);

const recipients = Type.Array(Type.Object({ emailAddress: text }));

export const mailBounce = bodySchema(
  Type.Object({
    bounce: Type.Object({ timestamp: text, bounceType: text, bounceSubType: text, bouncedRecipients: recipients }),
  }),
);

/** The type is absent if the report of the recipient's provider has none. */
export const mailComplaint = bodySchema(
  Type.Object({
    complaint: Type.Object({
      timestamp: text,
      complaintFeedbackType: Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"] })),
      complainedRecipients: recipients,
    }),
  }),
);

export const startedCampaign = bodySchema(Type.Object({ campaignId: text }));

export const campaignBatch = bodySchema(Type.Object({ campaignId: text, batch: number }));
