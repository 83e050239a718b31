/** Access: every route with every kind of caller (`docs/contract.md`, "Access"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import Stripe from "stripe";
import { routes } from "#api/routes.ts";
import type { PersonField } from "#kit/request/contract.ts";
import { anonymousTokens, forgedTokens } from "./bad-tokens.ts";
import { exec, member, newEmail, user } from "./given.ts";
import { exportLinkOf, linkOf } from "./link-of.ts";
import { partnersOf } from "./quick-run.ts";
import { type ServiceStage, sharedStage, withoutRelay } from "./stage.ts";

let stage: ServiceStage;
/** The token of a device at the door of the shared event. */
let doorToken: string;
/** The secrets of two links to the user's registration for that event. */
let linkSecrets: Readonly<Record<string, string>>;
beforeAll(async () => {
  stage = await sharedStage(withoutRelay);
  await stage.api("POST", "/events", { as: exec, body: anEvent("access-0") });
  const { secret } = (await stage.api("POST", `/events/access-0/${year}/door-links`, { as: exec })).body;
  const device = { body: { secret, name: "door 1" } };
  doorToken = (await stage.api("POST", `/events/access-0/${year}/door/devices`, device)).body.token;
  await stage.api("POST", "/registrations", { as: user, body: { eventID: "access-0", year, email: user } });
  linkSecrets = {
    "/links/registration": await linkOf(stage, "registration", { email: user, eventID: "access-0", year }),
    "/links/feedback": await linkOf(stage, "feedback", { email: user, eventID: "access-0", year }),
    "/links/export": await exportLinkOf(stage, user),
  };
});

/** A request that the route accepts from an allowed caller. */
interface Sample {
  readonly access: "public" | "caller" | "admin" | "door" | "link";
  readonly path: (id: string) => string;
  readonly body?: (id: string, self: string) => unknown;
  readonly headers?: () => Record<string, string>;
  /** Statuses of the answer to an allowed caller. */
  readonly fine: readonly number[];
}

const year = 2031;
const whichEvent = (id: string) => ({ eventID: id, year });
const links = (id: string) => `/events/${id}/${year}/door-links`;
const registration: Sample = {
  access: "caller",
  path: () => "/registrations",
  body: (id, email) => ({ ...whichEvent(id), email }),
  fine: [201],
};
const registrations: Sample = {
  access: "caller",
  path: (id) => `/registrations?eventID=${id}&year=${year}`,
  fine: [200],
};

/** @param end the path behind the email */
const changeOf = (end: string): Sample => ({
  access: "caller",
  path: () => `/registrations/${user}${end}`,
  body: (id) => ({ ...whichEvent(id), registrationStatus: "cancelled" }),
  // The event has no registrations.
  fine: [404],
});

const massUpdate: Sample = {
  access: "admin",
  path: () => "/registrations/massUpdate",
  body: (id) => ({ ...whichEvent(id), updates: [{ email: user, points: 1 }] }),
  fine: [200],
};

const paymentMessage = JSON.stringify({ id: "evt_1", object: "event", type: "charge.refunded", data: { object: {} } });

const newMember = (id: string) => ({ email: `${id}@student.example` });
const memberOf = (id: string): string => `/members/${id}@student.example`;
const newTemplate: Sample = {
  access: "admin",
  path: () => "/emails/templates",
  body: (id) => ({ templateName: id, subject: "Hi {{ fname }}", html: "<p>Hi</p>", text: "Hi" }),
  fine: [201],
};
const changedTemplate: Sample = {
  access: "admin",
  path: () => "/emails/templates",
  body: () => ({ templateName: "None", subject: "Hello" }),
  fine: [404],
};
const changedProfile: Sample = {
  access: "caller",
  path: () => "/profiles/user",
  body: () => ({ hobby1: "Chess" }),
  fine: [200, 404],
};
const campaignId = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const oneShare = (id: string) => ({ projectId: id, shares: 1 });

/** One entry for every route. A new route fails a test below until it has an entry. */
const samples: Readonly<Record<string, Sample>> = {
  "GET /events/getActiveEvent": { access: "public", path: () => "/events/getActiveEvent", fine: [200, 404] },
  "GET /events": { access: "caller", path: () => "/events", fine: [200] },
  "GET /events/{eventId}/{year}": { access: "caller", path: (id) => `/events/${id}/${year}?count=true`, fine: [200] },
  "POST /events": {
    access: "admin",
    path: () => "/events",
    body: (id) => ({ id: `${id}-new`, year, ename: "New" }),
    fine: [201],
  },
  "POST /events/{eventId}/{year}/copy": {
    access: "admin",
    path: (id) => `/events/${id}/${year}/copy`,
    body: (id) => ({ id: `${id}-copy`, year }),
    fine: [201],
  },
  "PATCH /events/{eventId}/{year}": {
    access: "admin",
    path: (id) => `/events/${id}/${year}`,
    body: () => ({ description: "Changed" }),
    fine: [200],
  },
  "DELETE /events/{eventId}/{year}": { access: "admin", path: (id) => `/events/${id}/${year}`, fine: [200] },
  "POST /events/event-image-upload-url": {
    access: "admin",
    path: () => "/events/event-image-upload-url",
    body: (id) => ({ eventId: id, fileName: "a.png", fileType: "image/png", prefix: "original" }),
    fine: [200],
  },
  "GET /events/{eventId}/{year}/feedback/{formType}": {
    access: "caller",
    path: (id) => `/events/${id}/${year}/feedback/attendee`,
    fine: [200],
  },
  "POST /events/{eventId}/{year}/feedback/{formType}": {
    access: "caller",
    path: (id) => `/events/${id}/${year}/feedback/attendee`,
    body: () => ({ responses: { "overall-rating": 10 } }),
    fine: [201],
  },
  "GET /events/{eventId}/{year}/feedback/{formType}/submissions": {
    access: "admin",
    path: (id) => `/events/${id}/${year}/feedback/attendee/submissions`,
    fine: [200],
  },
  "GET /links/registration": { access: "link", path: () => "/links/registration", fine: [200] },
  "PUT /links/registration": {
    access: "link",
    path: () => "/links/registration",
    body: () => ({ coming: true }),
    fine: [200],
  },
  "GET /events/{eventId}/{year}/report": {
    access: "admin",
    path: (id) => `/events/${id}/${year}/report`,
    fine: [200],
  },
  "POST /events/{eventId}/{year}/guests": {
    access: "public",
    path: (id) => `/events/${id}/${year}/guests`,
    // A mailbox gets five mails an hour.
    body: () => ({ email: newEmail(), isPartner: true }),
    fine: [202],
  },
  // No request was made with this ticket.
  "GET /links/guest": { access: "link", path: () => "/links/guest", fine: [401] },
  "POST /links/guest": { access: "link", path: () => "/links/guest", fine: [401] },
  "GET /links/feedback": { access: "link", path: () => "/links/feedback", fine: [200] },
  "POST /links/feedback": {
    access: "link",
    path: () => "/links/feedback",
    body: () => ({ responses: { "overall-rating": 10 } }),
    // The event's form takes no answers.
    fine: [201, 403],
  },
  "POST /registrations": registration,
  "POST /registrations/": { ...registration, path: () => "/registrations/" },
  "GET /registrations": registrations,
  "GET /registrations/": { ...registrations, path: (id) => `/registrations/?eventID=${id}&year=${year}` },
  "DELETE /registrations/{email}": {
    access: "caller",
    path: () => `/registrations/${user}`,
    body: whichEvent,
    // The event has no registrations.
    fine: [404],
  },
  "PUT /registrations/{email}/{fname}": changeOf("/Some"),
  "PUT /registrations/{email}": changeOf(""),
  "PUT /registrations/massUpdate": massUpdate,
  "PUT /registrations/": { ...massUpdate, path: () => "/registrations/" },
  "DELETE /registrations": {
    access: "admin",
    path: () => "/registrations",
    body: (id) => ({ ...whichEvent(id), ids: [user] }),
    fine: [200],
  },
  "POST /events/{eventId}/{year}/door-links": { access: "admin", path: (id) => links(id), fine: [201] },
  "GET /events/{eventId}/{year}/door-links": { access: "admin", path: (id) => links(id), fine: [200] },
  "DELETE /events/{eventId}/{year}/door-links": { access: "admin", path: (id) => links(id), fine: [200] },
  "POST /events/{eventId}/{year}/door/devices": {
    access: "public",
    path: (id) => `/events/${id}/${year}/door/devices`,
    body: () => ({ secret: "of no link", name: "door 1" }),
    fine: [404],
  },
  "GET /events/{eventId}/{year}/door": { access: "door", path: () => `/events/access-0/${year}/door`, fine: [200] },
  "POST /registrations/check-in/scans": {
    access: "door",
    path: () => "/registrations/check-in/scans",
    body: () => ({ sentAt: 0, scans: [{ code: "x", scannedAt: 0, nonce: "a-nonce-of-access" }] }),
    fine: [200],
  },
  "GET /registrations/check-in/scans": {
    access: "admin",
    path: (id) => `/registrations/check-in/scans?eventID=${id}&year=${year}`,
    fine: [200],
  },
  "POST /registrations/check-in": {
    access: "admin",
    path: () => "/registrations/check-in",
    body: (id) => ({ ...whichEvent(id), email: user }),
    fine: [404],
  },
  "POST /registrations/resend-ticket": {
    access: "admin",
    path: () => "/registrations/resend-ticket",
    body: (id) => ({ ...whichEvent(id), email: user }),
    fine: [404],
  },
  "GET /registrations/leaderboard": { access: "caller", path: () => "/registrations/leaderboard", fine: [200] },
  "GET /registrations/leaderboard/": { access: "caller", path: () => "/registrations/leaderboard/", fine: [200] },
  "GET /calendar.ics": { access: "caller", path: () => "/calendar.ics", fine: [200] },
  "GET /calendar/{feed}": { access: "public", path: () => "/calendar/of-nobody.ics", fine: [404] },
  "POST /users/calendar/{email}": { access: "caller", path: () => "/users/calendar/self", fine: [201, 404] },
  "GET /prizes": { access: "admin", path: () => "/prizes", fine: [200] },
  "GET /prizes/{id}": { access: "admin", path: () => "/prizes/mug", fine: [404] },
  "POST /prizes": {
    access: "admin",
    path: () => "/prizes",
    body: (id) => ({ id, name: "Mug", price: 5 }),
    fine: [201],
  },
  "PATCH /prizes/{id}": { access: "admin", path: () => "/prizes/mug", body: () => ({ price: 1 }), fine: [404] },
  "DELETE /prizes/{id}": { access: "admin", path: () => "/prizes/mug", fine: [404] },
  "GET /btx/projects": { access: "caller", path: (id) => `/btx/projects?eventId=${id}`, fine: [200] },
  "GET /btx/market/snapshot": { access: "caller", path: (id) => `/btx/market/snapshot?eventId=${id}`, fine: [200] },
  // No project has this id.
  "POST /btx/market/buy": { access: "caller", path: () => "/btx/market/buy", body: oneShare, fine: [404] },
  "POST /btx/market/sell": { access: "caller", path: () => "/btx/market/sell", body: oneShare, fine: [404] },
  "GET /btx/portfolio": { access: "caller", path: (id) => `/btx/portfolio?eventId=${id}`, fine: [200] },
  "GET /btx/trades": { access: "caller", path: () => "/btx/trades", fine: [200] },
  "GET /btx/price-history": { access: "caller", path: (id) => `/btx/price-history?projectId=${id}`, fine: [404] },
  "GET /btx/leaderboard": { access: "caller", path: (id) => `/btx/leaderboard?eventId=${id}`, fine: [200] },
  "POST /btx/admin/project": {
    access: "admin",
    path: () => "/btx/admin/project",
    body: (id) => ({ projectId: id, ticker: "T", name: "Project", eventId: "access" }),
    fine: [200],
  },
  "POST /btx/admin/seed": {
    access: "admin",
    path: () => "/btx/admin/seed",
    body: (id) => ({ projectId: id, seedDelta: 1 }),
    fine: [404],
  },
  "POST /btx/admin/phase-bump": {
    access: "admin",
    path: () => "/btx/admin/phase-bump",
    body: (id) => ({ projectId: id, bumpType: "DEMO_WINNER" }),
    fine: [404],
  },
  "POST /btx/admin/investment-impact": {
    access: "admin",
    path: () => "/btx/admin/investment-impact",
    body: (id) => ({ teamId: id, amountDelta: 1 }),
    fine: [404],
  },
  "GET /btx/admin/project/{projectId}": {
    access: "admin",
    path: (id) => `/btx/admin/project/${id}`,
    fine: [404],
  },
  "DELETE /btx/admin/project/{projectId}": {
    access: "admin",
    path: (id) => `/btx/admin/project/${id}`,
    fine: [404],
  },
  "POST /btx/admin/reset": {
    access: "admin",
    path: () => "/btx/admin/reset",
    body: (id) => ({ eventId: id }),
    fine: [200],
  },
  "POST /users": {
    access: "caller",
    path: () => "/users",
    body: (_, email) => ({ email, fname: "Some" }),
    fine: [201, 409],
  },
  // The signature is the only authentication of this route.
  "POST /payments/webhook": {
    access: "public",
    path: () => "/payments/webhook",
    body: () => paymentMessage,
    headers: () => ({
      "stripe-signature": Stripe.webhooks.generateTestHeaderString({
        payload: paymentMessage,
        secret: stage.outputs.webhookSecret,
      }),
    }),
    fine: [200],
  },
  "POST /members": { access: "admin", path: () => "/members", body: newMember, fine: [201] },
  "POST /members/grant": {
    access: "admin",
    path: () => "/members/grant",
    body: (id) => ({ ...newMember(id), firstName: "Some", lastName: "One" }),
    fine: [200],
  },
  "GET /members": { access: "admin", path: () => "/members", fine: [200] },
  // This person is no member.
  "GET /members/{email}": { access: "admin", path: memberOf, fine: [404] },
  "PATCH /members/{email}": { access: "admin", path: memberOf, body: () => ({ major: "M" }), fine: [404] },
  "DELETE /members/{email}": { access: "admin", path: memberOf, fine: [404] },
  "GET /members/profileID/{profileID}": { access: "admin", path: (id) => `/members/profileID/${id}`, fine: [404] },
  "GET /members/email/{profileID}": { access: "admin", path: (id) => `/members/email/${id}`, fine: [404] },
  // The user has an account, and the admin has none.
  "POST /profiles": { access: "caller", path: () => "/profiles", body: () => ({}), fine: [201, 404, 409] },
  "GET /profiles/user/": { access: "caller", path: () => "/profiles/user/", fine: [200, 404] },
  "GET /profiles/user": { access: "caller", path: () => "/profiles/user", fine: [200, 404] },
  "PATCH /profiles/user/": { ...changedProfile, path: () => "/profiles/user/" },
  "PATCH /profiles/user": changedProfile,
  "GET /profiles/profile/{profileID}": { access: "caller", path: (id) => `/profiles/profile/${id}`, fine: [404] },
  "GET /users": { access: "admin", path: () => "/users", fine: [200] },
  "GET /users/check/{email}": { access: "caller", path: () => `/users/check/${member}`, fine: [200] },
  "GET /users/isMember/{email}": { access: "caller", path: () => `/users/isMember/${member}`, fine: [200] },
  "GET /users/checkMembership/{email}": {
    access: "caller",
    path: () => `/users/checkMembership/${member}`,
    fine: [200],
  },
  // A non-admin changes their own record, also when the path names another person.
  "PATCH /users/{email}": {
    access: "caller",
    path: () => `/users/${member}`,
    body: () => ({ fname: "Some" }),
    fine: [200, 404],
  },
  "PATCH /users/favEvent/{email}": {
    access: "caller",
    path: () => `/users/favEvent/${user}`,
    body: whichEvent,
    fine: [200, 404],
  },
  "DELETE /users/{email}": {
    access: "caller",
    path: () => `/users/${user}`,
    fine: [200, 404],
  },
  "GET /audit": { access: "admin", path: () => "/audit", fine: [200] },
  "GET /users/{email}/export": { access: "caller", path: () => `/users/${user}/export`, fine: [200] },
  "POST /users/{email}/export-link": { access: "admin", path: () => `/users/${user}/export-link`, fine: [202] },
  "GET /links/export": { access: "link", path: () => "/links/export", fine: [200] },
  "GET /users/{email}/erasure": { access: "caller", path: () => `/users/${user}/erasure`, fine: [200] },
  // A request cannot name another person: the path has no email, and the service ignores an email in the body.
  "POST /payments": {
    access: "caller",
    path: () => "/payments",
    body: (id) => ({ ...whichEvent(id), paymentType: "Event", email: member }),
    // The event has no registrations.
    fine: [404],
  },
  "GET /payments": { access: "admin", path: () => "/payments?purpose=membership", fine: [200] },
  "POST /payments/{paymentId}/refunds": {
    access: "admin",
    path: () => "/payments/cs_test_none/refunds",
    body: () => ({ reason: "Sorry." }),
    fine: [404],
  },
  "POST /payments/{paymentId}/decisions": {
    access: "admin",
    path: () => "/payments/cs_test_none/decisions",
    body: () => ({ decision: "keep", reason: "Sorry." }),
    fine: [404],
  },
  "POST /payments/by-hand": {
    access: "admin",
    path: () => "/payments/by-hand",
    body: () => ({ email: "nobody@club.example", eventID: "none", year: 2030, amount: 1, how: "cash" }),
    fine: [404],
  },
  "GET /users/self": { access: "caller", path: () => "/users/self", fine: [200, 404] },
  "GET /emails/templates": { access: "admin", path: () => "/emails/templates", fine: [200] },
  "GET /emails/templates/": { access: "admin", path: () => "/emails/templates/", fine: [200] },
  "POST /emails/templates": newTemplate,
  "POST /emails/templates/": { ...newTemplate, path: () => "/emails/templates/" },
  // The template, campaign or address does not exist: an allowed caller gets a 404.
  "PATCH /emails/templates": changedTemplate,
  "PATCH /emails/templates/": { ...changedTemplate, path: () => "/emails/templates/" },
  "PATCH /emails/templates/{templateName}": { ...changedTemplate, path: () => "/emails/templates/None" },
  "GET /emails/templates/{templateName}": { access: "admin", path: () => "/emails/templates/None", fine: [404] },
  "DELETE /emails/templates/{templateName}": { access: "admin", path: () => "/emails/templates/None", fine: [404] },
  "POST /emails/templates/{templateName}/preview": {
    access: "admin",
    path: () => "/emails/templates/None/preview",
    body: () => ({ data: {} }),
    fine: [404],
  },
  "POST /emails/send": {
    access: "admin",
    path: () => "/emails/send",
    body: () => ({ templateName: "None", audience: { emails: [user] } }),
    fine: [404],
  },
  "GET /emails/campaigns": { access: "admin", path: () => "/emails/campaigns", fine: [200] },
  "GET /emails/campaigns/{id}": { access: "admin", path: () => `/emails/campaigns/${campaignId}`, fine: [404] },
  "DELETE /emails/campaigns/{id}": { access: "admin", path: () => `/emails/campaigns/${campaignId}`, fine: [404] },
  "GET /emails/suppressions": { access: "admin", path: () => "/emails/suppressions", fine: [200] },
  "POST /emails/suppressions": {
    access: "admin",
    path: () => "/emails/suppressions",
    body: () => ({ email: user }),
    fine: [201],
  },
  "DELETE /emails/suppressions": {
    access: "admin",
    path: () => "/emails/suppressions",
    body: () => ({ email: user }),
    fine: [200],
  },
  "GET /users/{email}": { access: "caller", path: () => `/users/${user}`, fine: [200, 404] },
};

const keys = Object.keys(samples);
const those = (...access: Sample["access"][]) => keys.filter((key) => access.includes((samples[key] as Sample).access));

const anEvent = (id: string) => ({ id, year, ename: "An event", isPublished: true, attendeeFeedbackEnabled: true });
/** Whether a request names an event. Only then the test makes one. */
const namesEvent = ({ path, body }: Sample): boolean => path.length + (body?.length ?? 0) > 0;

let events = 0;
/** Calls a route about a new event; one that only reads about the shared one. */
async function call(key: string, token: string | undefined, self: string, foreign?: PersonField) {
  if (key.startsWith("GET ")) return callAbout("access-0", key, token, self, foreign);
  events += 1;
  const id = `access-${events}`;
  if (namesEvent(samples[key] as Sample)) await stage.api("POST", "/events", { as: exec, body: anEvent(id) });
  return callAbout(id, key, token, self, foreign);
}

/** Calls a route about one shared event. Refused requests do not change it, so it need not be a new one. */
const knock = (key: string, token: string | undefined) => callAbout("access-0", key, token, exec);

/** @param foreign the field that names another person */
async function callAbout(id: string, key: string, token: string | undefined, self: string, foreign?: PersonField) {
  const sample = samples[key] as Sample;
  const own = { path: sample.path(id), body: sample.body?.(id, self) };
  const { path, body } = foreign ? aboutMember(key, own, foreign) : own;
  const answer = await stage.api(key.split(" ")[0] as string, path, { token, body, headers: sample.headers?.() });
  return { ...answer, id };
}

/** The request with a member's email in one of its fields. */
function aboutMember(key: string, { path, body }: { path: string; body: unknown }, field: PersonField) {
  const [part, name] = field.split(".") as [string, string];
  if (part === "body") return { path, body: { ...(body as object), email: undefined, [name]: member } };
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

test("every route has a sample here, with the access that the route declares; add an entry to `samples`", () => {
  const declared = routes.flatMap((route) => route.keys.map((key) => [key, route.access] as const));
  const expected = Object.entries(samples).map(([key, { access }]) => [key, access] as const);
  expect(Object.fromEntries(expected)).toEqual(Object.fromEntries(declared));
});

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
    const { status } = await knock(key, token);
    expect(samples[key]?.fine).toContain(status);
  });
});

describe.each([
  ["a device's token", "door"],
  ["a link's secret", "link"],
] as const)("%s", (_name, access) => {
  const secretFor = (path: string) =>
    access === "door" ? `Door ${doorToken}` : `Link ${linkSecrets[path] ?? linkSecrets["/links/registration"]}`;
  const ask = (key: string, id: string) => {
    const { path, body } = samples[key] as Sample;
    const headers = { authorization: secretFor(path(id)) };
    return stage.api(key.split(" ")[0] as string, path(id), { body: body?.(id, user), headers });
  };

  test.each(those(access))("is served: %s", async (key) => {
    expect(samples[key]?.fine).toContain((await ask(key, "access-0")).status);
  });

  test.each(those("caller", "admin"))("is refused by the gateway: %s", async (key) => {
    expect(await ask(key, "access-0")).toMatchObject({ status: 401, body: { message: "Unauthorized" } });
  });
});

describe.each(those("door", "link"))("a route for a secret of the service: %s", (key) => {
  test.each(Object.entries({ ...forgedTokens, ...anonymousTokens }))("refuses %s", async (_kind, forge) => {
    const { status, body } = await knock(key, await forge(stage));
    expect({ status, code: body.code }).toEqual({ status: 401, code: "UNAUTHENTICATED" });
  });

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
      const { status, body } = await call(key, foreignToken, self[0] as string, field);
      if (owner.who === "self unless admin") {
        expect(samples[key]?.fine).toContain(status);
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
  expect(open.toSorted()).toEqual([...asked, "POST /events/{eventId}/{year}/guests"].toSorted());
});

describe("an allowed caller is served", () => {
  test.each(those("caller", "public"))("a user: %s", async (key) => {
    expect(samples[key]?.fine).toContain((await call(key, await stage.tokenFor(user), user)).status);
  });

  test.each(those("caller", "admin", "public"))("an admin: %s", async (key) => {
    expect(samples[key]?.fine).toContain((await call(key, await stage.tokenFor(exec), user)).status);
  });

  test.each(foreign)("an admin reaches another person's record: %s, %s", async (key, field) => {
    expect(samples[key]?.fine).toContain((await call(key, await stage.tokenFor(exec), exec, field)).status);
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
