/** A request to each route: the body of its example in the reference, about records that the test names. */
import { type Route, routes } from "#api/routes.ts";
import { operationsOf } from "./document/operations.ts";
import { committed } from "./documented.ts";
import { exec, newEmail } from "./given.ts";
import { exportLinkOf, guestLinkOf, linkOf, newEmailLinkOf } from "./link-of.ts";
import type { ServiceStage } from "./stage.ts";

const documented = operationsOf(committed());

/** What a field names, by its name. */
export type Named = Readonly<Record<string, string | number>>;

/** @throws Error there is no such route */
export function routeOf(key: string): Route {
  const found = routes.find(({ keys }) => keys.includes(key));
  if (!found) throw new Error(`There is no route ${key}.`);
  return found;
}

/** The example of a body, in which these fields name other records. @returns undefined for a route without a body */
export function bodyOf(key: string, named: Named): Record<string, unknown> | undefined {
  if (routeOf(key).body === undefined) return undefined;
  const operation = documented.find(({ method, paths }) => paths.some((path) => `${method} ${path}` === key));
  const example = operation?.bodyExample as Record<string, unknown>;
  const here = Object.entries(named).filter(([name, value]) => typeof example[name] === typeof value);
  return { ...example, ...Object.fromEntries(here) };
}

export const pathOf = (path: string, named: Named): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(named[name] ?? "x"));

/** The secrets of a device at the door of an event, and of the links to a registration for it, as headers. */
export async function givenSecrets(stage: ServiceStage, of: { email: string; eventID: string; year: number }) {
  const path = `/events/${of.eventID}/${of.year}`;
  const { secret } = (await stage.api("POST", `${path}/door-links`, { as: exec })).body;
  const device = { body: { secret, name: "door 1" } };
  const { token } = (await stage.api("POST", `${path}/door/devices`, device)).body;
  const moving = await stage.givenUser();
  await stage.api("POST", `/users/${moving}/new-email`, { as: moving, body: { email: newEmail() } });
  const registration = await linkOf(stage, "registration", of);
  const others: Readonly<Record<string, string>> = {
    "/links/feedback": await linkOf(stage, "feedback", of),
    "/links/erasure": await exportLinkOf(stage, await stage.givenUser()),
    "/links/new-email": await newEmailLinkOf(stage, moving, "next"),
    "/links/export": await exportLinkOf(stage, of.email),
    "/links/guest": await guestLinkOf(stage, { ...of, email: newEmail() }),
  };
  return { door: () => `Door ${token}`, link: (path: string) => `Link ${others[path] ?? registration}` };
}
