/**
 * An event that a caller may not see is not there for that caller (`docs/contract.md`, "Events"): every route that takes
 * an event, with a hidden and a deleted one. A person's own registration is the exception: it stays readable, payable
 * and cancellable while its event is hidden.
 */
import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { routes } from "#api/routes.ts";
import { ada, newEmail, year } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
/** A person who has nothing to do with the events, and one who is registered for both of them. */
let stranger: string;
let guest: string;
/** Events by what became of them. The unknown one never was. */
const events = { hidden: "", deleted: "", unknown: "never-was" };
beforeAll(async () => {
  stage = await sharedStage();
  [stranger, guest] = [await stage.givenUser(), await stage.givenUser()];
  for (const kind of ["hidden", "deleted"] as const) {
    const id = await stage.givenEvent({ attendeeFeedbackEnabled: true, pricing: { member: 5, nonMember: 10 } });
    await stage.register(id, guest, { basicInformation: ada });
    await stage.changeRegistration(id, guest, { points: 7 });
    events[kind] = id;
  }
  await stage.changeEvent(events.hidden, { isPublished: false, publishAt: `${year}-04-01` });
  await stage.deleteEvent(events.deleted, "?force=true");
  await stage.settled();
}, 180_000);

/** The names under which routes take an event. */
const namesOfEvents = /^(event|eventid|eventid;year|eventyear)$/i;

/** Whether a schema has a property that names an event, at any depth. */
const takesEvent = (schema: unknown): boolean =>
  typeof schema === "object" &&
  schema !== null &&
  (Object.keys((schema as { properties?: object }).properties ?? {}).some((name) => namesOfEvents.test(name)) ||
    Object.values(schema).some(takesEvent));

/** The routes that take an event in path, query or body. Those of `/events` always do, those of the game never. */
const routesWithEvent = routes.filter(
  ({ path, params, query, body }) =>
    !path.startsWith("/btx/") && (path.startsWith("/events") || takesEvent({ params, query, body })),
);

/** A request of a person who is no admin. Unless `otherwise` says more, the answer is a 404. */
interface Asked {
  readonly path: (id: string, email: string) => string;
  readonly body?: (id: string, email: string) => object;
  /** The answer to a person who has nothing to do with the event. It is the same for an event that never was. */
  readonly otherwise?: { readonly status: number; readonly body: unknown; readonly because: string };
  /** The statuses of the answers to a person with a registration: of the hidden event, and of the deleted one. */
  readonly own?: { readonly hidden: number; readonly deleted: number; readonly because: string };
}

const form = (id: string) => `/events/${id}/${year}/feedback/attendee`;
const whichEvent = (eventID: string) => ({ eventID, year });

/** One entry for each route that not only admins may use, in the order of the requests. */
const asked: Readonly<Record<string, Asked>> = {
  "GET /events": {
    path: (id) => `/events?id=${id}&year=${year}`,
    otherwise: { status: 200, body: [], because: "a list is without the events that the caller may not see" },
  },
  "GET /events/getActiveEvent": { path: () => "/events/getActiveEvent" },
  "GET /events/{eventId}/{year}": { path: (id) => `/events/${id}/${year}?count=true` },
  "GET /events/{eventId}/{year}/feedback/{formType}": { path: form },
  "POST /events/{eventId}/{year}/feedback/{formType}": {
    path: form,
    body: () => ({ responses: { "overall-rating": 9 } }),
  },
  "POST /events/{eventId}/{year}/door/devices": {
    path: (id) => `/events/${id}/${year}/door/devices`,
    body: () => ({ secret: "of no link", name: "door 1" }),
  },
  "POST /events/{eventId}/{year}/guests": {
    path: (id) => `/events/${id}/${year}/guests`,
    body: (_, email) => ({ email, isPartner: true }),
  },
  "GET /registrations/leaderboard": { path: (id) => `/registrations/leaderboard?eventID=${id}&year=${year}` },
  "PATCH /users/favEvent/{email}": { path: () => "/users/favEvent/self", body: whichEvent },
  "GET /registrations": {
    path: (id) => `/registrations?eventID=${id}&year=${year}`,
    otherwise: { status: 200, body: { size: 0, data: [] }, because: "it lists the caller's own registrations only" },
    own: { hidden: 200, deleted: 200, because: "it is the person's own; the deletion of an event cancels it" },
  },
  "POST /registrations": {
    path: () => "/registrations",
    body: (id, email) => ({ ...whichEvent(id), email, basicInformation: ada }),
  },
  "POST /payments": {
    path: () => "/payments",
    body: (id) => ({ paymentType: "Event", ...whichEvent(id) }),
    own: { hidden: 200, deleted: 404, because: "a seat that is held can be paid for" },
  },
  "PUT /registrations/{email}/{fname}": {
    path: (_, email) => `/registrations/${email}/x`,
    body: (id) => ({ ...whichEvent(id), registrationStatus: "cancelled" }),
    own: { hidden: 200, deleted: 404, because: "a person may always cancel" },
  },
  "DELETE /registrations/{email}": {
    path: (_, email) => `/registrations/${email}`,
    body: whichEvent,
    own: { hidden: 200, deleted: 200, because: "a person may delete what is cancelled" },
  },
};

const ask = (key: string, id: string, as: string) => {
  const { path, body } = asked[key] as Asked;
  return stage.api(key.split(" ")[0] as string, path(id, as), { as, body: body?.(id, as) });
};

/** A device is of one event, which it knows from an admin. */
const open = routesWithEvent.filter(({ access }) => access !== "admin" && access !== "door").map(({ key }) => key);

test("every route with an event, which not only admins may use, is asked below, and no other one; add an entry to `asked`", () => {
  expect(open.sort()).toEqual(Object.keys(asked).sort());
});

test("the other ones refuse a person who is no admin before they look at an event", async () => {
  const closed = routesWithEvent.filter(({ access }) => access === "admin");
  expect(closed.length).toBeGreaterThan(10);
  for (const { method, path } of closed) {
    const named = path.replace(
      /\{(\w+)\}/g,
      (_, name) => ({ eventId: events.hidden, year: `${year}` })[name as string] ?? "attendee",
    );
    const answer = await stage.api(method, named, { as: stranger, ...(method !== "GET" && { body: {} }) });
    expect([method, path, answer.status, answer.body.message]).toEqual([method, path, 403, "Unauthorized"]);
  }
});

describe.each(Object.keys(asked))("%s", (key) => {
  beforeEach(() => {
    if (key === "GET /events/getActiveEvent") stage.usedByOthers("the next of all events");
  });
  const { otherwise = { status: 404, body: expect.objectContaining({ code: "NOT_FOUND" }) }, own } = asked[
    key
  ] as Asked;

  test.each(["hidden", "deleted"] as const)("of a %s event answers as if it had never been", async (kind) => {
    const [answer, unknown] = [await ask(key, events[kind], stranger), await ask(key, events.unknown, stranger)];
    expect(answer).toMatchObject({ status: otherwise.status, body: otherwise.body });
    expect({ ...answer.body, requestId: "" }).toEqual({ ...unknown.body, requestId: "" });
  });

  test.each(["hidden", "deleted"] as const)("of a %s event, for a person with a registration", async (kind) => {
    const { status, body } = await ask(key, events[kind], guest);
    expect(status).toBe(own?.[kind] ?? otherwise.status);
    if (own === undefined && otherwise.status === 200) expect(body).toEqual(otherwise.body);
  });
});

test("an admin sees the leaderboard of a hidden event, and none of a deleted one", async () => {
  const email = newEmail();
  const id = await stage.givenEventWith([email]);
  await stage.changeRegistration(id, email, { points: 3 });
  await stage.changeEvent(id, { isPublished: false });
  const path = `/registrations/leaderboard?eventID=${id}&year=${year}`;
  expect(await stage.list(path)).toMatchObject({ status: 200, body: [{ rank: 1, points: 3 }] });
  await stage.deleteEvent(id, "?force=true");
  expect((await stage.list(path)).status).toBe(404);
});
