/** Access: every route with every kind of caller (`docs/contract.md`, "Access"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import Stripe from "stripe";
import { routes } from "#api/routes.ts";
import type { Access, PersonField } from "#kit/request/contract.ts";
import { anonymousTokens, forgedTokens } from "./bad-tokens.ts";
import { type Answer, exec, member, newEmail, user } from "./given.ts";
import { partnersOf } from "./quick-run.ts";
import { bodyOf, givenSecrets, pathOf, routeOf } from "./sample-requests.ts";
import { type ServiceStage, sharedStage, withoutRelay } from "./stage.ts";

let stage: ServiceStage;
/** Of a device at the door of the shared event, and of links to the user's registration for it. */
let secrets: Awaited<ReturnType<typeof givenSecrets>>;
beforeAll(async () => {
  stage = await sharedStage(withoutRelay);
  await stage.api("POST", "/events", { as: exec, body: anEvent("access-0") });
  await stage.api("POST", "/registrations", { as: user, body: { eventID: "access-0", year, email: user } });
  secrets = await givenSecrets(stage, { email: user, eventID: "access-0", year });
});

const year = 2031;
const anEvent = (id: string) => ({
  id,
  year,
  ename: "An event",
  isPublished: true,
  guests: "everyone",
  transfers: 1,
  attendeeFeedbackEnabled: true,
});
const keys = routes.flatMap((route) => route.keys);
const those = (...access: Access[]) => keys.filter((key) => access.includes(routeOf(key).access));

const paymentMessage = JSON.stringify({ id: "evt_1", object: "event", type: "charge.refunded", data: { object: {} } });
/** The signature is the only authentication of the webhook. */
const signed = () => ({
  "stripe-signature": Stripe.webhooks.generateTestHeaderString({
    payload: paymentMessage,
    secret: stage.outputs.webhookSecret,
  }),
});

interface Request {
  readonly path: string;
  readonly body?: unknown;
}

const period = { from: `${year}-01-01`, to: `${year}-02-01` };

/** A request that the route accepts from an allowed caller. Many ask for a record that does not exist. */
function requestOf(key: string, id: string, email: string): Request {
  const named = {
    eventID: id,
    eventId: id,
    projectId: id,
    codeId: "o3J9bD0kR8sVx2Qw",
    teamId: id,
    templateName: id,
    id: `${id}-new`,
    year,
    email,
    ...period,
  };
  const { path, query } = routeOf(key);
  const own = key.slice(key.indexOf(" ") + 1);
  const inPath = { ...named, id: campaignId, email: user, formType: "attendee", profileID: id };
  const { required = [] } = (query ?? {}) as { readonly required?: readonly string[] };
  const asked = required.map((name) => `${name}=${named[name as "year"]}`).join("&");
  const body = bodyOf(key, named);
  return {
    path: `${pathOf(own, inPath)}${asked && `?${asked}`}`,
    body:
      path === "/payments/webhook"
        ? paymentMessage
        : // The id of a person is the email. A mailbox gets five mails an hour.
          body && {
            ...body,
            ...("email" in body && "id" in body && { id: email }),
            ...((/^\/(?!links).*\/(guests|new-email)$/.test(path) || path === "/links") && { email: newEmail() }),
          },
  };
}
const campaignId = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

/** Whether an answer is that to an allowed caller. */
const isServed = ({ status }: Answer): boolean => status < 300 || status === 404 || status === 409;

let events = 0;
/** Calls a route about a new event, if it names one; one that only reads about the shared one. */
async function call(key: string, token: string | undefined, self: string, foreign?: PersonField) {
  if (key.startsWith("GET ")) return callAbout("access-0", key, token, self, foreign);
  events += 1;
  const id = `access-${events}`;
  if (JSON.stringify(requestOf(key, id, self)).includes(id))
    await stage.api("POST", "/events", { as: exec, body: anEvent(id) });
  return callAbout(id, key, token, self, foreign);
}

/** Calls a route about one shared event. Refused requests do not change it, so it need not be a new one. */
const knock = (key: string, token: string | undefined) => callAbout("access-0", key, token, exec);

/** @param foreign the field that names another person */
async function callAbout(id: string, key: string, token: string | undefined, self: string, foreign?: PersonField) {
  const own = requestOf(key, id, self);
  const { path, body } = foreign ? aboutMember(key, own, foreign) : own;
  const headers = body === paymentMessage ? signed() : {};
  return stage.api(key.split(" ")[0] as string, path, { token, body, headers });
}

/** The request with a member's email in one of its fields. */
function aboutMember(key: string, { path, body }: Request, field: PersonField): Request {
  const [part, name] = field.split(".") as [string, string];
  if (part === "body") return { path, body: { ...(body as object), id: undefined, email: undefined, [name]: member } };
  if (part === "query") return { path: `${path}${path.includes("?") ? "&" : "?"}${name}=${member}`, body };
  const place = key.split("/").indexOf(`{${name}}`);
  return { path: path.split("/").with(place, member).join("/"), body };
}

/** Every field of every route that may name another person, with the answer that the route declares. */
const foreign = routes.flatMap(({ keys, owner }) =>
  owner && "of" in owner ? keys.flatMap((key) => owner.of.map((field) => [key, field, owner] as const)) : [],
);

/** Signed-in people who are no admins. Most have an email or a claim that looks like an admin's. */
const people: Record<string, readonly [email: string, claims?: Record<string, unknown>]> = {
  "a user": [user],
  "a member": [member],
  "an unverified email of the admin domain": [exec, { email_verified: false }],
  "an unverified one in words": [exec, { email_verified: "false" }],
  "an email of the admin domain without a word on verification": [exec, { email_verified: undefined }],
  "a subdomain of the admin domain": ["a@mail.club.example"],
  "a domain that ends like it": ["a@evilclub.example"],
  "a domain that begins like it": ["a@club.example.evil.test"],
  "the admin domain before the @": ["club.example@evil.test"],
  "a domain that ends like it, in capitals": ["A@EVILCLUB.EXAMPLE"],
  "a group called admin": [user, { "cognito:groups": ["admin"], "custom:admin": "true", admin: true }],
};

/** Values with their places in the list. */
const placed = <T>(values: Readonly<Record<string, T>>) =>
  Object.entries(values).map(([kind, value], nth) => [kind, value, nth] as const);

describe.each(placed(forgedTokens))("%s", (kind, forge, nth) => {
  let token: string | undefined;
  beforeAll(async () => {
    token = await forge(stage);
  });
  const closed = those("caller", "admin");

  test.each(kind === "no token" ? closed : partnersOf(nth, closed))("is refused by the gateway: %s", async (key) => {
    const { status, body } = await knock(key, token);
    expect({ status, body }).toEqual({ status: 401, body: { message: "Unauthorized" } });
  });

  test.each(partnersOf(nth, those("public")))("does not matter on a public route: %s", async (key) => {
    expect(isServed(await knock(key, token))).toBe(true);
  });
});

describe.each([
  ["a device's token", "door", 0],
  ["a link's secret", "link", 1],
] as const)("%s", (_name, access, nth) => {
  const ask = (key: string) => {
    const { path, body } = requestOf(key, "access-0", user);
    return stage.api(key.split(" ")[0] as string, path, { body, headers: { authorization: secrets[access](path) } });
  };

  // What reads comes first: a deletion ends its link.
  test.each(those(access).toSorted())("is served: %s", async (key) => {
    const answer = await ask(key);
    expect(isServed(answer)).toBe(true);
  });

  test.each(partnersOf(nth, those("caller", "admin")))("is refused by the gateway: %s", async (key) => {
    expect(await ask(key)).toMatchObject({ status: 401, body: { message: "Unauthorized" } });
  });
});

describe.each(those("door", "link").map((key, nth) => [key, nth] as const))("a route for a secret: %s", (key, nth) => {
  test.each(partnersOf(nth, Object.entries({ ...forgedTokens, ...anonymousTokens })))(
    "refuses %s",
    async (_kind, forge) => {
      const { status, body } = await knock(key, await forge(stage));
      expect({ status, code: body.code }).toEqual({ status: 401, code: "UNAUTHENTICATED" });
    },
  );

  test.each([user, member, exec])("refuses the ID token of %s", async (email) => {
    const { status, body } = await knock(key, await stage.tokenFor(email));
    expect({ status, code: body.code }).toEqual({ status: 401, code: "UNAUTHENTICATED" });
  });
});

describe.each(placed(anonymousTokens))("%s", (_kind, forge, nth) => {
  let token: string | undefined;
  beforeAll(async () => {
    token = await forge(stage);
  });

  test.each(partnersOf(nth, those("caller")))("gets 401 UNAUTHENTICATED: %s", async (key) => {
    const { status, body } = await knock(key, token);
    expect({ status, code: body.code }).toEqual({ status: 401, code: "UNAUTHENTICATED" });
  });

  test.each(partnersOf(nth, those("admin")))("gets 403 on an admin's route: %s", async (key) => {
    const { status, body } = await knock(key, token);
    expect({ status, message: body.message }).toEqual({ status: 403, message: "Unauthorized" });
  });
});

describe.each(placed(people))("%s", (kind, [email, claims], nth) => {
  const id = `refused-${nth}`;
  let token: string;
  beforeAll(async () => {
    token = await stage.identity.idToken(email, claims);
    await stage.api("POST", "/events", { as: exec, body: anEvent(id) });
  });

  const adminRoutes = kind === "a user" ? those("admin") : partnersOf(nth, those("admin"));
  test.each(adminRoutes)("gets 403 on an admin's route: %s", async (key) => {
    const { status, body } = await callAbout(id, key, token, email);
    expect({ status, body }).toEqual({
      status: 403,
      body: { message: "Unauthorized", code: "FORBIDDEN", requestId: expect.any(String) },
    });
  });

  test("has changed and made nothing with all these requests", async () => {
    const [meta] = await stage.stored(`EVENT#${id}#${year}`);
    expect(meta).toMatchObject({ ename: "An event", version: 1 });
    expect(meta).not.toHaveProperty("description");
    expect(await stage.stored(`EVENT#${id}-new#${year}`)).toEqual([]);
    expect(await stage.stored(`TPL#${id}`)).toEqual([]);
    expect(await stage.stored(`BTXP#${id}`)).toEqual([]);
  });

  test.each(kind === "a user" ? foreign : partnersOf(nth, foreign))(
    "does not reach another person's record: %s, %s",
    async (key, field, owner) => {
      const self = kind === "a member" ? [user] : [email, claims];
      const foreignToken = await stage.identity.idToken(...(self as [string]));
      const answer = await call(key, foreignToken, self[0] as string, field);
      const { status, body } = answer;
      if (owner.who === "self unless admin") {
        expect(isServed(answer)).toBe(true);
        expect(JSON.stringify(body)).not.toContain(member);
      } else if (typeof owner.foreign === "string") {
        expect({ status, message: body.message }).toEqual({ status: 403, message: owner.foreign });
      } else expect({ status, body }).toEqual({ status: 200, body: owner.foreign });
    },
  );
});

test("only these routes tell a person of another one, by an email, or write to an address", () => {
  const open = routes.filter(({ owner }) => owner?.who === "anybody").flatMap((route) => route.keys);
  const asked = ["check", "isMember", "checkMembership"].map((path) => `GET /users/${path}/{email}`);
  expect(open.toSorted()).toEqual([...asked, "POST /events/{eventId}/{year}/guests", "POST /links"].toSorted());
});

describe("an allowed caller is served", () => {
  test.each(those("caller", "public"))("a user: %s", async (key) => {
    expect(isServed(await call(key, await stage.tokenFor(user), user))).toBe(true);
  });

  test.each(those("caller", "admin", "public"))("an admin: %s", async (key) => {
    expect(isServed(await call(key, await stage.tokenFor(exec), user))).toBe(true);
  });

  test.each(foreign)("an admin reaches another person's record: %s, %s", async (key, field) => {
    expect(isServed(await call(key, await stage.tokenFor(exec), exec, field))).toBe(true);
  });

  test("an admin is known by the domain in any case of its letters", async () => {
    const token = await stage.identity.idToken("Boss@CLUB.Example");
    expect((await call("POST /events", token, exec)).status).toBe(201);
  });
});

test("the payment webhook refuses a request without a signature, whatever its token is", async () => {
  for (const token of [undefined, await stage.tokenFor(user), await stage.tokenFor(exec)]) {
    const { status, body } = await stage.api("POST", "/payments/webhook", { token, body: paymentMessage });
    expect({ status, code: body.code }).toEqual({ status: 400, code: "VALIDATION" });
  }
});
