/** All routes of the API as data, by function. docs/developing.md, "Add a route", has the steps. */

import * as btx from "#api/btx/routes.ts";
import * as calendar from "#api/calendar/routes.ts";
import * as door from "#api/door/routes.ts";
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
import type { Route as RouteOf } from "#kit/request/route.ts";
import type { ClubContract } from "./refusals.ts";

export type Route = RouteOf<ClubContract>;

/** The routes of each function by operation id. */
export const namedRoutes: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  btx,
  calendar,
  door,
  emails,
  events,
  feedback,
  images,
  members,
  "payment-webhook": paymentWebhook,
  payments,
  prizes,
  profiles,
  registrations,
  users,
};

export const capabilities: Readonly<Record<string, readonly Route[]>> = Object.fromEntries(
  Object.entries(namedRoutes).map(([name, declared]) => [name, Object.values(declared)]),
);

export const routes: readonly Route[] = Object.values(capabilities).flat();
