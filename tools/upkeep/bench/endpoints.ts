/** The requests that are measured, each as a caller of the web application sends it. */
import { answers, crowdOf, type Dataset, type eventsOf, exec, personOf, seatsOf, year } from "./dataset.ts";
import type { Answer, BenchStage, Request } from "./stage.ts";

/** A stage with its records, for the preparation of requests. */
export interface World extends Pick<BenchStage, "send"> {
  readonly dataset: Dataset;
  readonly events: ReturnType<typeof eventsOf>;
  /** Creates an account without registrations. @returns its email */
  newcomer(): Promise<string>;
}

export interface Endpoint {
  /** Key in the tables and the budgets. */
  readonly name: string;
  /** The function whose calls are the request's round trips; that of the first part of the path when absent. */
  readonly by?: string;
  /** Prepares the request, and returns it. The preparation is not measured. */
  request(world: World): Promise<Request> | Request;
  /** The number of requested items; 1 when absent. Cost may grow with it. */
  asked?(answer: Answer): number;
}

const at = (event: string, more = ""): string => `/events/${event}/${year}${more}`;
const of = (event: string, more = ""): string => `/registrations?eventID=${event}&year=${year}${more}`;

const registering = (eventID: string, email: string): Request => ({
  method: "POST",
  path: "/registrations",
  as: email,
  body: { eventID, year, email, fname: "Grace", dynamicResponses: answers },
});

const cancelling = (eventID: string, email: string): Request => ({
  method: "PUT",
  path: `/registrations/${email}/x`,
  as: email,
  body: { eventID, year, registrationStatus: "cancelled" },
});

const rows = ({ body }: Answer): number => (body.data ?? body).length;

/** Lines without the header. */
const lines = ({ body }: Answer): number => String(body).trim().split(/\r?\n/).length - 1;

/**
 * In the order of measurement. Reads come first, because writes change their data: the line becomes shorter and the
 * events grow.
 */
export const endpoints: readonly Endpoint[] = [
  {
    name: "GET /events, admin",
    request: () => ({ method: "GET", path: "/events", as: exec }),
    asked: rows,
  },
  {
    name: "GET /events, within five seconds",
    async request({ send }) {
      const again: Request = { method: "GET", path: "/events", as: personOf(0) };
      await send(again);
      return again;
    },
  },
  { name: "GET /events/getActiveEvent", request: () => ({ method: "GET", path: "/events/getActiveEvent" }) },
  {
    name: "GET /events/{id}/{year}",
    request: ({ events: { full } }) => ({ method: "GET", path: at(full), as: personOf(0) }),
  },
  {
    name: "GET /events/{id}/{year}, admin",
    request: ({ events: { full } }) => ({ method: "GET", path: at(full), as: exec }),
  },
  {
    name: "GET /events/{id}/{year}?count=true",
    request: ({ events: { full } }) => ({ method: "GET", path: at(full, "?count=true"), as: exec }),
    asked: ({ body }) => body.waitlistCount,
  },
  {
    name: "GET /events/{id}/{year}?count=true, again",
    async request({ send, events: { full } }) {
      const request: Request = { method: "GET", path: at(full, "?count=true"), as: exec };
      await send(request);
      return request;
    },
  },
  {
    name: "GET /events/{id}/{year}?users=true",
    request: ({ events: { open } }) => ({ method: "GET", path: at(open, "?users=true"), as: exec }),
    asked: ({ body }) => usersIn(body),
  },
  {
    name: "GET /registrations of an event",
    request: ({ events: { open } }) => ({ method: "GET", path: of(open), as: exec }),
    asked: rows,
  },
  {
    name: "GET /registrations of an event, CSV",
    request: ({ events: { open } }) => ({ method: "GET", path: of(open, "&format=csv"), as: exec }),
    asked: lines,
  },
  {
    name: "GET /registrations of an event, 50 of them",
    request: ({ events: { open } }) => ({ method: "GET", path: of(open, "&limit=50"), as: exec }),
    asked: rows,
  },
  {
    name: "GET /registrations of a person",
    // Who is in the large events only.
    request: () => ({ method: "GET", path: "/registrations", as: personOf(199) }),
    asked: rows,
  },
  {
    name: "GET /registrations, one",
    request: ({ events: { open } }) => ({ method: "GET", path: of(open, `&email=${personOf(1)}`), as: personOf(1) }),
  },
  {
    name: "GET /registrations, the last in line",
    request({ dataset, events: { full } }) {
      const last = personOf(crowdOf(dataset) - 1);
      return { method: "GET", path: of(full, `&email=${last}`), as: last };
    },
  },
  {
    name: "GET /registrations/leaderboard",
    request: () => ({ method: "GET", path: "/registrations/leaderboard", as: personOf(0) }),
    asked: rows,
  },
  {
    name: "GET /registrations/leaderboard of an event",
    request: ({ events: { open } }) => ({
      method: "GET",
      path: `/registrations/leaderboard?eventID=${open}&year=${year}`,
      as: personOf(0),
    }),
    asked: rows,
  },
  { name: "GET /users/self", request: () => ({ method: "GET", path: "/users/self", as: personOf(1) }) },
  {
    name: "GET /users, 50 of them",
    request: () => ({ method: "GET", path: "/users?limit=50", as: exec }),
    asked: rows,
  },
  {
    name: "GET /users",
    request: () => ({ method: "GET", path: "/users", as: exec }),
    asked: rows,
  },
  {
    name: "GET /members, 20 of them",
    request: () => ({ method: "GET", path: "/members?limit=20", as: exec }),
    asked: rows,
  },
  {
    name: "POST /emails/send to an event",
    async request({ send, dataset, events: { open } }) {
      const templateName = `news-${dataset.size}`;
      const html = "<p>Hello {{ fname }}, {{ event.ename }} begins soon.</p>";
      await send({
        method: "POST",
        path: "/emails/templates",
        as: exec,
        body: { templateName, subject: "{{ event.ename }}", html },
      });
      return {
        method: "POST",
        path: "/emails/send",
        as: exec,
        body: { templateName, audience: { eventID: open, year } },
      };
    },
    asked: ({ body }) => body.recipients,
  },
  {
    name: "POST /registrations, a seat is free",
    request: async ({ newcomer, events: { open } }) => registering(open, await newcomer()),
  },
  {
    name: "POST /registrations, joining the line",
    request: async ({ newcomer, events: { full } }) => registering(full, await newcomer()),
  },
  {
    name: "PUT /registrations, cancelled",
    async request({ newcomer, send, events: { open } }) {
      const email = await newcomer();
      await send(registering(open, email));
      return cancelling(open, email);
    },
  },
  {
    name: "PUT /registrations, cancelled, and the first in line gets the seat",
    request: ({ dataset, events: { full } }) => cancelling(full, personOf(seatsOf(dataset) - 2)),
  },
  {
    name: "POST /registrations/check-in",
    async request({ newcomer, send, events: { open } }) {
      const { answer } = await send(registering(open, await newcomer()));
      const code = answer.body.registration.ticketCode;
      return { method: "POST", path: "/registrations/check-in", as: exec, body: { code, eventID: open, year } };
    },
  },
  {
    name: "PUT /registrations/massUpdate, 25 people",
    async request({ dataset, newcomer, send, events: { open } }) {
      const crowd = crowdOf(dataset);
      const known = Array.from({ length: Math.min(25, crowd) }, (_, person) => personOf(person));
      // Fills up a small event.
      while (known.length < 25) {
        const email = await newcomer();
        await send(registering(open, email));
        known.push(email);
      }
      const updates = known.map((email) => ({ email, points: 101 }));
      return { method: "PUT", path: "/registrations/massUpdate", as: exec, body: { eventID: open, year, updates } };
    },
    asked: ({ body }) => body.results.length,
  },
  {
    name: "POST /payments, for a seat",
    async request({ newcomer, send, events: { priced } }) {
      const email = await newcomer();
      await send(registering(priced, email));
      return {
        method: "POST",
        path: "/payments",
        as: email,
        body: { paymentType: "Event", eventID: priced, year, email },
      };
    },
  },
  {
    name: "POST /users",
    request: ({ dataset: { size } }) => ({
      method: "POST",
      path: "/users",
      as: exec,
      body: { email: `account${size}@student.example`, fname: "Grace", lname: "Hopper" },
    }),
  },
];

/** An account with a registration for the open event. */
async function givenGuest({ newcomer, send, events: { open } }: World): Promise<string> {
  const email = await newcomer();
  await send(registering(open, email));
  return email;
}

/** A device at the door of the open event. @returns the headers of its requests */
async function givenDevice({ send, events: { open } }: World): Promise<{ readonly authorization: string }> {
  const link = await send({ method: "POST", path: at(open, "/door-links"), as: exec });
  const body = { secret: link.answer.body.secret, name: "door 1" };
  const device = await send({ method: "POST", path: at(open, "/door/devices"), body });
  return { authorization: `Door ${device.answer.body.token}` };
}

/** Requests that are not on the page, because they are rare or have a kind of their own. */
export const rareEndpoints: readonly Endpoint[] = [
  {
    name: "POST /registrations, again with its key",
    async request({ newcomer, send, events: { open } }) {
      const email = await newcomer();
      const again = { ...registering(open, email), headers: { "idempotency-key": email } };
      await send(again);
      return again;
    },
  },
  {
    name: "DELETE /registrations, eight people",
    async request(world) {
      const { open } = world.events;
      const ids: string[] = [];
      while (ids.length < 8) ids.push(await givenGuest(world));
      return { method: "DELETE", path: "/registrations", as: exec, body: { eventID: open, year, ids } };
    },
    asked: ({ body }) => body.results.length,
  },
  {
    name: "PATCH /users/{email}, admin",
    request: async ({ newcomer }) => ({
      method: "PATCH",
      path: `/users/${await newcomer()}`,
      as: exec,
      body: { fname: "Ada" },
    }),
  },
  {
    name: "PATCH /users/favEvent/self",
    request: async ({ newcomer, events: { open } }) => ({
      method: "PATCH",
      path: "/users/favEvent/self",
      as: await newcomer(),
      body: { eventID: open, year },
    }),
  },
  {
    name: "GET /users/self/export",
    request: async (world) => ({ method: "GET", path: "/users/self/export", as: await givenGuest(world) }),
  },
  {
    name: "DELETE /users/self",
    request: async (world) => ({ method: "DELETE", path: "/users/self", as: await givenGuest(world) }),
  },
  {
    name: "POST /members/grant",
    request: async ({ newcomer }) => ({
      method: "POST",
      path: "/members/grant",
      as: exec,
      body: { email: await newcomer(), firstName: "Ada", lastName: "Lovelace", topics: ["engines"] },
    }),
  },
  {
    name: "POST /btx/market/buy, again",
    async request({ newcomer, send }) {
      const project = { projectId: "robots", ticker: "ROBO", name: "Robots", description: "Robots for all." };
      await send({ method: "POST", path: "/btx/admin/project", as: exec, body: project });
      const body = { projectId: "robots", shares: 3 };
      const again: Request = { method: "POST", path: "/btx/market/buy", as: await newcomer(), body };
      await send(again);
      return again;
    },
  },
  {
    name: "GET /events/{id}/{year}/door",
    by: "Door",
    request: async (world) => ({
      method: "GET",
      path: at(world.events.open, "/door"),
      headers: await givenDevice(world),
    }),
    asked: ({ body }) => body.tickets.length,
  },
  {
    name: "GET /events/{id}/{year}/door/search",
    by: "Door",
    request: async (world) => ({
      method: "GET",
      path: at(world.events.open, "/door/search?q=ada"),
      headers: await givenDevice(world),
    }),
  },
  {
    name: "POST /registrations/check-in/scans",
    by: "Door",
    async request(world) {
      const { answer } = await world.send(registering(world.events.open, await world.newcomer()));
      const code = answer.body.registration.ticketCode;
      const now = Date.now();
      const scan = { code, scannedAt: now, nonce: `a-nonce-of-${now}`, admitted: true };
      return {
        method: "POST",
        path: "/registrations/check-in/scans",
        headers: await givenDevice(world),
        body: { sentAt: now, scans: [scan] },
      };
    },
  },
];

/** The registrations that come with an event. */
const usersIn = (body: { readonly users?: readonly unknown[]; readonly registrations?: readonly unknown[] }): number =>
  (body.users ?? body.registrations ?? []).length;
