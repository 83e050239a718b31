/** A stage with a bit of everything, and the values that exist in it, so that random requests meet real records. */
import fc from "fast-check";
import { times } from "../given.ts";
import { givenStage, type ServiceStage } from "../stage.ts";
import type { Operation } from "./operations.ts";
import type { Known } from "./values.ts";

/** What a value names. */
type Kind =
  | "event"
  | "email"
  | "project"
  | "prize"
  | "template"
  | "campaign"
  | "profile"
  | "ticket"
  | "question"
  | "choice"
  | "device";

export const admin = "exec@club.example";
/** People without and with a membership. */
export const people = [
  "user@student.example",
  "member@student.example",
  "ada@student.example",
  "grace@student.example",
  "o'neil+tag@student.example",
];

/** All events of the test are in one year, so that an id and a year name one of them. */
const year = 2031;

/** Values of each kind that are kept, at most. The latest ones stay. */
const mostKept = 25;

export interface World {
  readonly stage: ServiceStage;
  /** Arbitraries of existing values by the names of fields and parameters of an operation. */
  knownOf(operation: Operation): Known;
  /** The cursors that an operation has answered. */
  cursorsOf(operationId: string): readonly string[];
  /** The cursors that all other operations have answered. */
  cursorsOfOthers(operationId: string): readonly string[];
  /** The tokens of devices at the doors of events. */
  deviceTokens(): readonly string[];
  /** Remembers the cursor and the ids in an answer. */
  learn(operation: Operation, nextCursor: string | undefined, body: unknown): void;
}

const templates = [
  "<p>Hi {{ fname }}</p>",
  "<p>{% if event.ename %}{{ event.ename }}{% endif %} {{ unsubscribe }}</p>",
  '<a href="{{ event.url }}">x</a>',
];

const moves = ["registered", "waitlist", "checkedIn", "cancelled", "accepted", "acceptedComplete", "rejected"];

/** The fields by the kind of what they name. `id` depends on the operation. */
const kinds: Readonly<Record<string, Kind>> = {
  eventId: "event",
  eventID: "event",
  email: "email",
  userId: "email",
  respondentEmail: "email",
  projectId: "project",
  teamId: "project",
  templateName: "template",
  profileID: "profile",
  code: "ticket",
  "a key": "question",
  questionId: "question",
};

const idKinds: readonly (readonly [path: RegExp, kind: Kind])[] = [
  [/^\/events/, "event"],
  [/^\/prizes/, "prize"],
  [/^\/emails\/campaigns/, "campaign"],
  [/^\/(users|members)/, "email"],
];

/** Fields of answers that name something. */
const taught: Readonly<Record<string, Kind>> = {
  ticketCode: "ticket",
  campaignId: "campaign",
  profileID: "profile",
  templateName: "template",
  TemplateName: "template",
  projectId: "project",
  questionId: "question",
};

/** Few names of scans, so that some are brought again and some are undone. */
const nonces = fc.nat({ max: 15 }).map((n) => `nonce-of-a-scan-${n}`);

/** Operations that make something need an id that is new. Few ids, so that some are taken. */
const fresh = (kind: Kind) =>
  fc.nat({ max: 15 }).map((n) => (kind === "email" ? `new-${n}@student.example` : `new-${n}`));

/** Starts a stage with events, people, registrations, devices, a game, prizes, templates and a campaign. */
export async function givenWorld(): Promise<World> {
  const stage = await givenStage({ quiet: true });
  const kept = new Map<Kind, unknown[]>();
  const cursors = new Map<string, string[]>();
  const keep = (kind: Kind, value: unknown) => {
    const values = kept.get(kind) ?? [];
    if (!values.includes(value)) kept.set(kind, [...values.slice(-mostKept + 1), value]);
  };
  const learnFrom = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      const kind = taught[name];
      if (kind && typeof inner === "string") keep(kind, inner);
      if (name === "choices" && Array.isArray(inner)) for (const choice of inner) keep("choice", choice);
      learnFrom(inner);
    }
  };
  const world: World = {
    stage,
    cursorsOf: (operationId) => cursors.get(operationId) ?? [],
    cursorsOfOthers: (operationId) => [...cursors].flatMap(([id, those]) => (id === operationId ? [] : those)),
    deviceTokens: () => (kept.get("device") ?? []) as readonly string[],
    learn: ({ operationId, paths: [path = ""] }, nextCursor, body) => {
      if (nextCursor !== undefined) cursors.set(operationId, [...(cursors.get(operationId) ?? []), nextCursor]);
      learnFrom(body);
      const id = (body as { item?: { id?: unknown } } | null)?.item?.id;
      const kind = idKinds.find(([pattern]) => pattern.test(path))?.[1];
      if (kind && id !== undefined) keep(kind, id);
    },
    knownOf: ({ method, operationId, paths: [path = ""] }) => {
      const makes =
        method === "POST" &&
        /^\/(events|prizes|users|members|members\/grant|btx\/admin\/project|emails\/templates)$/.test(path);
      const ends = method === "DELETE" && !path.startsWith("/registrations");
      const ofKind = (kind: Kind) => {
        const existing = fc.constantFrom(...(kept.get(kind) ?? ["none"]));
        // What other requests need is seldom deleted.
        if (ends) return fc.oneof({ weight: 4, arbitrary: fresh(kind) }, existing);
        return makes && kind !== "question" ? fc.oneof({ weight: 3, arbitrary: fresh(kind) }, existing) : existing;
      };
      const special: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
        year: () => fc.constant(year),
        audience: () =>
          fc.oneof(
            fc.record({ emails: fc.subarray(people, { minLength: 1 }) }),
            fc.constant({ members: true }),
            ofKind("event").map((eventID) => ({ eventID, year })),
          ),
        eventYear: () => fc.constant(year),
        "eventID;year": () => ofKind("event").map((id) => `${id};${year}`),
        cursor: () => fc.constantFrom(...world.cursorsOf(operationId), "none"),
        points: () => fc.nat({ max: 50 }),
        registrationStatus: () => fc.constantFrom(...moves),
        applicationStatus: () => fc.constantFrom("accepted", "rejected", "waitlist", "reviewing"),
        ids: () => fc.array(ofKind("email"), { maxLength: 4 }),
        "a value": () => fc.constantFrom(...(kept.get("choice") ?? ["x"]), "5"),
        html: () => fc.constantFrom(...templates),
        text: () => fc.constantFrom("Hi {{ lname }}", ""),
        subject: () => fc.constantFrom("Hi {{ fname }}", "News"),
        fileType: () => fc.constantFrom("image/png", "image/jpeg"),
        success_url: () => fc.constant("http://localhost:3000/paid?id={CHECKOUT_SESSION_ID}"),
        cancel_url: () => fc.constant("http://localhost:3000/"),
        responses: () => fc.record({ "overall-rating": fc.integer({ min: 1, max: 10 }) }),
        emails: () => fc.subarray(people, { minLength: 1 }),
        shares: () => fc.integer({ min: 1, max: 20 }),
        nonce: () => nonces,
        undoes: () => nonces,
      };
      return (field, schema) => {
        // The year of a person's studies is a text.
        if (schema?.enum || (field === "year" && schema?.type !== "integer")) return undefined;
        // Sound answers to forms are in `responses`; the keys of other objects are questions only in registrations.
        if (/^a (key|value)$/.test(field) && !path.startsWith("/registrations")) return undefined;
        if (Object.hasOwn(special, field)) return special[field]?.();
        const kind = field === "id" ? idKinds.find(([pattern]) => pattern.test(path))?.[1] : kinds[field];
        return kind && ofKind(kind);
      };
    },
  };
  for (const email of [admin, ...people]) keep("email", email);
  await furnish(stage, keep);
  return world;
}

const workshop = { questionId: "workshop", label: "Which?", type: "WORKSHOP_SELECTION", required: false };

const events: Readonly<Record<string, object>> = {
  open: {
    capac: 50,
    attendeeFeedbackEnabled: true,
    partnerFeedbackEnabled: true,
    registrationQuestions: [
      { ...workshop, choices: ["Pitching", "Drawing"], participantCap: 4 },
      { questionId: "why", label: "Why?", type: "TEXT", required: false },
      { questionId: "skills", label: "Skills", type: "SKILLS", required: false },
    ],
  },
  full: { capac: 2 },
  priced: { capac: 10, pricing: { member: 5, nonMember: 8.5 } },
  applications: { capac: 3, isApplicationBased: true },
  "members-only": { pricing: { member: 0 }, nonBizTechAllowed: false },
  hidden: { isPublished: false },
};

async function furnish(stage: ServiceStage, keep: (kind: Kind, value: unknown) => void): Promise<void> {
  const post = async (path: string, body: object, as = admin) => {
    const answer = await stage.api("POST", path, { as, body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  for (const [id, fields] of Object.entries(events)) {
    await post("/events", {
      id,
      year,
      ename: `The ${id} event`,
      isPublished: true,
      startDate: `${year}-05-01T18:00:00Z`,
      ...fields,
    });
    keep("event", id);
  }
  for (const email of [admin, ...people]) await post("/users", { email, fname: "Some" });
  for (const email of people.slice(1)) await post("/members/grant", { email, firstName: "Some", lastName: "One" });
  for (const email of people) {
    for (const id of ["open", "full", "priced", "applications"]) {
      const { registration } = await post("/registrations", { eventID: id, year, email });
      keep("ticket", registration.ticketCode);
    }
    await post(`/events/open/${year}/feedback/attendee`, { responses: { "overall-rating": 7 } }, email);
    await post("/emails/suppressions", { email: `off-${email}` });
  }
  for (const id of ["open", "full"]) {
    const { secret } = await post(`/events/${id}/${year}/door-links`, {});
    const { token } = await post(`/events/${id}/${year}/door/devices`, { secret, name: `The ${id} door` });
    keep("device", token);
  }
  for (const choice of ["Pitching", "Drawing"]) keep("choice", choice);
  for (const question of ["workshop", "why", "skills"]) keep("question", question);
  for (const n of times(2, (one) => one)) {
    await post("/prizes", { id: `mug-${n}`, name: "Mug", price: 5 });
    await post("/emails/templates", { templateName: `News-${n}`, subject: "Hi", html: templates[0] });
    const { campaignId } = await post("/emails/send", { templateName: `News-${n}`, audience: { emails: people } });
    await post("/btx/admin/project", { projectId: `team-${n}`, ticker: `T${n}`, name: "Team", eventId: "open" });
    keep("prize", `mug-${n}`);
    keep("template", `News-${n}`);
    keep("campaign", campaignId);
    keep("project", `team-${n}`);
    for (const as of people) await post("/btx/market/buy", { projectId: `team-${n}`, shares: 2 }, as);
  }
  await stage.indexed();
  for (const as of people.slice(1, 3)) {
    keep("profile", (await stage.api("GET", "/profiles/user/", { as })).body.profileID);
  }
}
