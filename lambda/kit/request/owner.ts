/** Enforces whose record a request is about: the `owner` of its route (`contract.ts`). Pure. */

import { NotAllowed, Unauthenticated } from "../errors.ts";
import type { RequestParts } from "../schema/validation.ts";
import { type Answer, ok } from "./answer.ts";
import type { Caller } from "./caller.ts";
import type { Owner } from "./contract.ts";

type Parts = Readonly<Record<"path" | "query" | "body", Record<string, unknown>>>;
const partsOf = ({ pathParameters: path, queryStringParameters: query, body }: RequestParts): Parts => ({
  path,
  query,
  body: body as Record<string, unknown>,
});

/**
 * Writes the caller's email into the path where the request is about the caller: for `self`, and on routes about others'
 * records for admins only. Before validation, because neither `self` nor what such a caller names need be an email.
 */
export function addressCaller(owner: Owner | undefined, { pathParameters }: RequestParts, caller: Caller | undefined) {
  if (!caller || !owner || !("of" in owner) || !owner.of.includes("path.email" as never)) return;
  const isOwn = owner.who === "self unless admin" && !caller.isAdmin;
  if (isOwn || pathParameters.email === "self") pathParameters.email = caller.email;
}

/**
 * Refuses a request about another person's record. After validation, which makes emails canonical.
 * @returns the route's answer to such a request, if it is not refused
 * @throws NotAllowed
 */
export function answerToForeign(owner: Owner | undefined, request: RequestParts, caller: Caller | undefined) {
  if (owner?.who !== "self or admin" || caller?.isAdmin) return undefined;
  if (!caller) throw new Unauthenticated();
  const parts = partsOf(request);
  for (const [place, field] of owner.of.entries()) {
    const [part, name] = field.split(".", 2) as [keyof Parts, string];
    if (place === 0) parts[part][name] ??= caller.email;
    if ((parts[part][name] ?? caller.email) === caller.email) continue;
    if (typeof owner.foreign === "string") throw new NotAllowed(owner.foreign);
    return ok(owner.foreign) satisfies Answer;
  }
  return undefined;
}
