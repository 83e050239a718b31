/** The function of each capability with its routes, by its folder: the only list of them. No bundle contains it (`lib/entries.ts`). */
import { btx } from "#api/btx/function.ts";
import { calendar } from "#api/calendar/function.ts";
import { door } from "#api/door/function.ts";
import { emails } from "#api/emails/function.ts";
import { events } from "#api/events/function.ts";
import { feedback } from "#api/feedback/function.ts";
import { images } from "#api/images/function.ts";
import { members } from "#api/members/function.ts";
import { pages } from "#api/pages/function.ts";
import { paymentWebhook } from "#api/payment-webhook/function.ts";
import { payments } from "#api/payments/function.ts";
import { prizes } from "#api/prizes/function.ts";
import { profiles } from "#api/profiles/function.ts";
import { registrations } from "#api/registrations/function.ts";
import { users } from "#api/users/function.ts";

export const apiFunctions = {
  btx,
  calendar,
  door,
  emails,
  events,
  feedback,
  images,
  members,
  pages,
  "payment-webhook": paymentWebhook,
  payments,
  prizes,
  profiles,
  registrations,
  users,
} as const;
