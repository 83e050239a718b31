/** All routes of the API as data, by the function that answers them. */

import * as btx from "#api/btx/routes.ts";
import * as emails from "#api/emails/routes.ts";
import * as events from "#api/events/routes.ts";
import * as feedback from "#api/feedback/routes.ts";
import * as images from "#api/images/routes.ts";
import * as members from "#api/members/routes.ts";
import * as paymentWebhook from "#api/payment-webhook/routes.ts";
import * as payments from "#api/payments/routes.ts";
import * as prizes from "#api/prizes/routes.ts";
import * as profiles from "#api/profiles/routes.ts";
import * as registrations from "#api/registrations/routes.ts";
import * as users from "#api/users/routes.ts";
import type { Route } from "#kit/route.ts";

export const capabilities: Readonly<Record<string, readonly Route[]>> = {
  btx: Object.values(btx),
  emails: Object.values(emails),
  events: Object.values(events),
  feedback: Object.values(feedback),
  images: Object.values(images),
  members: Object.values(members),
  "payment-webhook": Object.values(paymentWebhook),
  payments: Object.values(payments),
  prizes: Object.values(prizes),
  profiles: Object.values(profiles),
  registrations: Object.values(registrations),
  users: Object.values(users),
};

export const routes: readonly Route[] = Object.values(capabilities).flat();
