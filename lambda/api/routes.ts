/** All routes of the API as data, by function. docs/developing.md, "Add a route", has the steps. */

import { apiFunctions } from "#api/functions.ts";
import type { Route as RouteOf } from "#kit/request/route.ts";
import type { ClubContract } from "./refusals.ts";

export type Route = RouteOf<ClubContract>;

/** The routes of each function by operation id. */
export const namedRoutes: Readonly<Record<string, Readonly<Record<string, Route>>>> = Object.fromEntries(
  Object.entries(apiFunctions).map(([name, { routes }]) => [name, routes]),
);

export const capabilities: Readonly<Record<string, readonly Route[]>> = Object.fromEntries(
  Object.entries(namedRoutes).map(([name, declared]) => [name, Object.values(declared)]),
);

export const routes: readonly Route[] = Object.values(capabilities).flat();
