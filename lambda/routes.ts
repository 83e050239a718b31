/** Every route of the API, as data, by the function that answers it. */
import type { Route } from "#kit/route.ts";
import * as btx from "./btx/routes.ts";
import * as emails from "./emails/routes.ts";
import * as events from "./events/routes.ts";
import * as feedback from "./feedback/routes.ts";
import * as images from "./images/routes.ts";
import * as members from "./members/routes.ts";
import * as paymentWebhook from "./payment-webhook/routes.ts";
import * as payments from "./payments/routes.ts";
import * as prizes from "./prizes/routes.ts";
import * as profiles from "./profiles/routes.ts";
import * as registrations from "./registrations/routes.ts";
import * as users from "./users/routes.ts";

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
