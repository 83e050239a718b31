/**
 * An event that a caller may not see is not there for that caller (`docs/contract.md`, "Events"): every route that takes
 * an event, with a hidden and a deleted one. A person's own registration is the exception: it stays readable, payable
 * and cancellable while its event is hidden.
 */
import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { routes } from "#api/routes.ts";
import { ada, newEmail, year } from "./given.ts";
import { bodyOf, pathOf, routeOf } from "./sample-requests.ts";
import { type ServiceStage, sharedStage, withoutNotices } from "./stage.ts";

let stage: ServiceStage;
/** A person who has nothing to do with the events, and one who is registered for both of them. */
let stranger: string;
let guest: string;
/** Events by what became of them. The unknown one never was. */
const events = { hidden: "", deleted: "", unknown: "never-was" };
beforeAll(async () => {
  stage = await sharedStage(withoutNotices);
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
});

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

/** What is special about a route. */
interface Special {
  /** In place of the example's. */
  readonly body?: object;
  /** The answer to a person who has nothing to do with the event. It is the same for an event that never was. */
  readonly otherwise?: { readonly status: number; readonly body: unknown; readonly because: string };
  /** The statuses of the answers to a person with a registration: of the hidden event, and of the deleted one. */
  readonly own?: { readonly hidden: number; readonly deleted: number; readonly because: string };
}

/** All other routes answer a person who is no admin with a 404. */
const special: Readonly<Record<string, Special>> = {
  "GET /events": {
    otherwise: { status: 200, body: [], because: "a list is without the events that the caller may not see" },
  },
  "GET /event/{eventId}/{year}": {
    otherwise: {
      status: 200,
      body: expect.stringContaining("<title>Club Events</title>"),
      because: "without public events it asks every caller to sign in, and names no event",
    },
  },
  "GET /registrations": {
    otherwise: { status: 200, body: { size: 0, data: [] }, because: "it lists the caller's own registrations only" },
    own: { hidden: 200, deleted: 200, because: "it is the person's own; the deletion of an event cancels it" },
  },
  "POST /payments": { own: { hidden: 200, deleted: 404, because: "a seat that is held can be paid for" } },
  "PUT /registrations/{email}/{fname}": {
    body: { registrationStatus: "cancelled", dynamicResponses: undefined, basicInformation: undefined },
    own: { hidden: 200, deleted: 404, because: "a person may always cancel" },
  },
  "POST /registrations/{email}/transfer": {
    own: { hidden: 403, deleted: 404, because: "the person's event hands on no seats" },
  },
  "DELETE /registrations/{email}": {
    own: { hidden: 200, deleted: 200, because: "a person may delete what is cancelled" },
  },
};

/** A person asks for an event, in the path, the query or the body. */
function ask(key: string, id: string, email: string) {
  const { method, path, query, body } = routeOf(key);
  const named = { id, eventID: id, eventId: id, year, email };
  const inQuery = body ? [] : Object.keys(query?.properties ?? {}).filter((name) => /^(id|eventID|year)$/.test(name));
  const search = inQuery.map((name) => `${name}=${named[name as "id"]}`).join("&");
  return stage.api(method, `${pathOf(path, { ...named, formType: "attendee" })}?${search}`, {
    as: email,
    body: body && { ...bodyOf(key, named), ...special[key]?.body },
  });
}

/** Those that not only admins may use. A device is of one event, which it knows from an admin. */
const open = routesWithEvent
  .filter(({ access }) => access !== "admin" && access !== "door")
  .map(({ key }) => key)
  // What is deleted cannot be cancelled any more.
  .sort((a, b) => Number(a.startsWith("DELETE")) - Number(b.startsWith("DELETE")));

describe.each(open)("%s", (key) => {
  beforeEach(() => {
    if (key === "GET /events/getActiveEvent") stage.usedByOthers("the next of all events");
  });
  const { otherwise = { status: 404, body: expect.objectContaining({ code: "NOT_FOUND" }) }, own } = special[key] ?? {};

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
