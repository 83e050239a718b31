/** Whose record a request is about, by the owner that its route declares. */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { NotAllowed, Unauthenticated } from "#kit/errors.ts";
import type { Caller } from "#kit/request/caller.ts";
import type { Owner } from "#kit/request/contract.ts";
import { addressCaller, answerToForeign } from "#kit/request/owner.ts";
import { route } from "#kit/request/route.ts";
import { closed, Email, Type } from "#kit/schema/schema.ts";

const admin = { email: "exec@club.example", isAdmin: true };
const person = { email: "ada@unit.example", isAdmin: false };

const request = (path = {}, query = {}, body = {}) => ({
  pathParameters: path as Record<string, string>,
  queryStringParameters: query as Record<string, string>,
  body: body as Record<string, unknown>,
});

test.each([
  ["self unless admin", "self", admin, admin.email],
  ["self unless admin", "bob@unit.example", admin, "bob@unit.example"],
  ["self unless admin", "self", person, person.email],
  ["self unless admin", "bob@unit.example", person, person.email],
  ["self or admin", "self", person, person.email],
  ["self or admin", "bob@unit.example", person, "bob@unit.example"],
] as const)("%s: %s in the path", (who, named, caller, email) => {
  const asked = request({ email: named });
  addressCaller({ who, of: ["path.email"], foreign: "No." } as Owner, asked, caller);
  expect(asked.pathParameters.email).toBe(email);
});

describe("a request about another person", () => {
  const owner: Owner = {
    who: "self or admin",
    of: ["body.email", "body.id"],
    foreign: "You can change only your own.",
  };
  const named = fc.constantFrom(undefined, person.email, "bob@unit.example");

  test("is refused, whichever of the fields names them, but for an admin", () => {
    fc.assert(
      fc.property(named, named, fc.constantFrom<Caller>(admin, person), (email, id, caller) => {
        const asked = request({}, {}, { ...(email && { email }), ...(id && { id }) });
        const isForeign = [email, id].includes("bob@unit.example");
        const answer = () => answerToForeign(owner, asked, caller);
        if (isForeign && !caller.isAdmin)
          return expect(answer).toThrow(new NotAllowed("You can change only your own."));
        expect(answer()).toBeUndefined();
        if (!caller.isAdmin) expect(asked.body.email).toBe(person.email);
      }),
    );
  });

  test("may have an answer of its own", () => {
    const list: Owner = { who: "self or admin", of: ["query.email"], foreign: { size: 0, data: [] } };
    const answer = answerToForeign(list, request({}, { email: "bob@unit.example" }), person);
    expect(answer).toMatchObject({ statusCode: 200, body: { size: 0, data: [] } });
    expect(answerToForeign(list, request(), person)).toBeUndefined();
  });

  test("needs a caller", () => {
    expect(() => answerToForeign(owner, request(), undefined)).toThrow(Unauthenticated);
  });
});

test("a route that names a person does not compile without an owner", () => {
  const rest = { access: "caller", summary: "Some route", responses: { 200: Type.Null() } } as const;
  const email = closed({ email: Email });
  // Each of these lines is an error of the compiler. If one were not, the comment above it would be.
  // @ts-expect-error in the path
  route("GET /events/{eventId}/{year}/waitlist-position/{email}", { ...rest, params: email });
  // @ts-expect-error in the path, without a schema
  route("GET /places/{email}", rest);
  // @ts-expect-error in the query
  route("GET /places", { ...rest, query: email });
  // @ts-expect-error in the body
  route("POST /places", { ...rest, body: email });
  // @ts-expect-error everybody may call it, so it is no caller's own
  route("GET /places", { ...rest, access: "public", query: email, owner: { who: "self" } });
  expect(route("GET /places", { ...rest, query: email, owner: { who: "anybody" } }).owner).toEqual({ who: "anybody" });
});
