/** Requests that fit the reference, and how they are sent: as they are, without what a client would repair. */
import { Agent, request } from "node:http";
import fc from "fast-check";
import Stripe from "stripe";
import { draw } from "../../seeds.ts";
import type { Operation, Parameter, Schema } from "./operations.ts";
import { type Known, valuesOf } from "./values.ts";
import { admin, people, type World } from "./world.ts";

/** A part of a body that is written as it is, for numbers that `JSON.stringify` would change. */
export class Literal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export interface Call {
  readonly operation: Operation;
  /** Email of the caller; undefined: a device, or a stranger without a token. */
  readonly as: string | undefined;
  /** One of the operation's paths. */
  readonly path: string;
  /** Decoded values of the path's parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** Decoded. A name may come twice. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: no body. */
  readonly body: unknown;
  /** The body as it is sent; absent: `body` as JSON. */
  readonly text?: string;
  /** What was done to a sound request, for the report. */
  readonly changed: readonly string[];
  /** Whether the service must refuse it, whatever the caller may do. */
  readonly mustBeRefused?: boolean;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Non-admins mostly ask about themselves. */
function drawnCaller({ access }: Operation): string | undefined {
  const weights = access === "admin" ? [16, 1, 1] : [5, 8, 1];
  const [weight = 1, ofPeople = 1, ofStranger = 1] = weights;
  return draw(
    fc.oneof(
      { weight, arbitrary: fc.constant(admin) },
      { weight: ofPeople, arbitrary: fc.constantFrom(...people) },
      { weight: ofStranger, arbitrary: fc.constant(undefined) },
    ),
  );
}

/** What a device says in its requests. */
interface Device {
  readonly headers: { readonly authorization: string };
  /** Its event in a path. */
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** One of the devices, for an operation that takes the token of one. */
export function drawnDevice({ access }: Operation, world: World): Device | undefined {
  if (access !== "door") return undefined;
  const token = draw(fc.constantFrom(...world.deviceTokens()));
  const [eventId, year] = token.split(".");
  return { headers: { authorization: `Door ${token}` }, params: { eventId, year } };
}

/** The example of the reference with values that exist in the stage. */
function furnished(example: unknown, schema: Schema, known: Known, field = ""): unknown {
  const existing = known(field, schema);
  if (existing) return draw(existing);
  if (Array.isArray(example)) return example.map((one) => furnished(one, schema.items ?? {}, known));
  if (typeof example !== "object" || example === null) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      furnished(value, schema.properties?.[name] ?? {}, known, name),
    ]),
  );
}

type Fields = Readonly<Record<string, unknown>>;

const without = (fields: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** The fields that say something. */
const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

/** Rules between fields that a schema does not have, by operation. Each makes the parts of a request agree. */
const agreements: Readonly<Record<string, (body: Fields, params: Fields) => Fields>> = {
  createUser: (body) => without(body, "id"),
  createMember: (body) => ({ firstName: "Ada", email: "new-1@student.example", ...without(present(body), "id") }),
  grantMembership: (body) => ({
    firstName: "Ada",
    lastName: "Lovelace",
    email: "new-2@student.example",
    ...without(present(body), "id"),
  }),
  updateNamedTemplate: (body, { templateName }) => ({ ...body, templateName }),
  btxSeedProject: (body) =>
    body.seedDelta === undefined ? { seedAbsolute: 5, ...body } : without(body, "seedAbsolute"),
  btxSaveProject: (body) => ({ projectId: "new-1", ticker: "NEW", name: "New", ...body }),
  checkIn: (body) => (body.code === undefined ? { email: people[0], ...body } : without(body, "email")),
  startPayment: (body) => (body.paymentType === "Event" ? { eventID: "priced", year: 2031, ...body } : body),
  removeSuppression: (body) => ({ email: people[0], ...body }),
  deleteRegistration: (body) => ({ eventID: "open", year: 2031, ...body }),
  bringScans: ({ scans, ...body }) => ({
    ...body,
    scans: (scans as Fields[]).map((scan) =>
      scan.code === undefined ? { mark: "x".repeat(16), ...scan } : without(scan, "mark"),
    ),
  }),
};

/** Query parameters of which a request has all or none. */
const together: Readonly<Record<string, readonly string[]>> = { registrationsLeaderboard: ["eventID", "year"] };

/** Clients shorten "." and "..", and an empty part is another path. */
const inPath = (text: string): string => (/^\.{0,2}$/.test(text) ? "x" : text);

/** A random body that fits the reference, and mostly also the rules that it has only in words. */
function drawnBody(
  { operationId, bodyExample }: Operation,
  schema: Schema,
  known: Known,
  params: Fields,
  self: string | undefined,
): unknown {
  const isExample = draw(fc.boolean());
  const body = (isExample ? furnished(bodyExample, schema, known) : draw(valuesOf(schema, known))) as Fields;
  const agree = agreements[operationId];
  const agreed = agree && draw(fc.nat({ max: 7 })) > 0 ? agree(body, params) : body;
  return self !== undefined && Object.hasOwn(agreed, "email") ? { ...agreed, email: self } : agreed;
}

/** Whether the sender signs the body. */
const isSigned = ({ parameters }: Operation): boolean =>
  parameters.some(({ in: place, required }) => place === "header" && required);

/** Few keys, so that requests are sent again and keys are used for others. */
const soundHeader: Readonly<Record<string, fc.Arbitrary<string>>> = {
  "Idempotency-Key": fc.constantFrom("key-1", "key-2"),
  "If-Match": fc.constantFrom("*", '"another", W/"weak"'),
};

/** Every third call has the headers that its operation may have. */
function soundHeaders({ parameters }: Operation): Record<string, string> {
  const names = parameters.map(({ name }) => name).filter((name) => Object.hasOwn(soundHeader, name));
  if (draw(fc.integer({ min: 0, max: 2 })) > 0) return {};
  return Object.fromEntries(names.map((name) => [name, draw(soundHeader[name] as fc.Arbitrary<string>)]));
}

/** A random request that fits the reference. */
export function soundCall(operation: Operation, world: World): Call {
  const device = drawnDevice(operation, world);
  const as = device ? undefined : drawnCaller(operation);
  const known = world.knownOf(operation);
  const ofCaller = as !== undefined && as !== admin && draw(fc.integer({ min: 0, max: 3 })) > 0;
  const valueFor = ({ name, schema }: Parameter): string =>
    ofCaller && name === "email" ? as : (device?.params[name] ?? String(draw(valuesOf(schema, known, name))));
  const named = (place: Parameter["in"]) => operation.parameters.filter((parameter) => parameter.in === place);
  const params = Object.fromEntries(named("path").map((parameter) => [parameter.name, inPath(valueFor(parameter))]));
  const optional = draw(
    fc.subarray(
      named("query")
        .filter(({ required }) => !required)
        .map(({ name }) => name),
    ),
  );
  const bound = together[operation.operationId] ?? [];
  const isAsked = ({ name, required }: Parameter) =>
    required || (bound.includes(name) ? optional.includes(bound[0] as string) : optional.includes(name));
  const query = named("query").filter(isAsked);
  return {
    operation,
    as,
    path: draw(fc.constantFrom(...operation.paths)),
    params,
    query: query
      .filter(({ name }) => name !== "cursor" || world.cursorsOf(operation.operationId).length > 0)
      .filter(({ name }, _, all) => name !== "afterTimestamp" || !all.some((one) => one.name === "changedSince"))
      // The composite key says what two other filters say.
      .filter(({ name }, _, all) => name !== "eventID;year" || !all.some((one) => /^(eventID|year)$/.test(one.name)))
      .map((parameter) => [parameter.name, valueFor(parameter)]),
    headers: { ...soundHeaders(operation), ...device?.headers },
    body: operation.body && drawnBody(operation, operation.body, known, params, ofCaller ? as : undefined),
    changed: [],
  };
}

/** JSON in which literals stand as they are. */
function written(body: unknown): string {
  const literals: string[] = [];
  const marked = JSON.stringify(body, (_, value) =>
    value instanceof Literal ? `@@${literals.push(value.text) - 1}@@` : value,
  );
  return marked.replaceAll(/"@@(\d+)@@"/g, (_, index) => literals[Number(index)] as string);
}

export const bodyText = ({ body, text }: Call): string | undefined =>
  text ?? (body === undefined ? body : written(body));

const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

/** The address of a call below the API's. */
export function addressOf({ path, params, query }: Call): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(params[name] ?? ""));
  const search = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&");
  return search === "" ? filled : `${filled}?${search}`;
}

const agent = new Agent({ keepAlive: true });

/** Sends a request without a change to its address. Its answer is complete. */
export async function sent(
  apiUrl: string,
  method: string,
  address: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): Promise<Answered> {
  const { hostname, port } = new URL(apiUrl);
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body ?? "");
    const message = request(
      {
        hostname,
        port,
        method,
        path: address,
        agent,
        headers: { ...(body !== undefined && { "content-length": `${bytes.length}` }), ...headers },
      },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString("utf8"),
        });
      },
    );
    message.on("error", reject);
    message.end(bytes);
  });
}

/** Sends a call with its caller's token and, for the payment provider, its signature. */
export async function answerTo(call: Call, { stage }: World): Promise<Answered> {
  const body = bodyText(call);
  const { as, operation, headers } = call;
  const signature = () =>
    Stripe.webhooks.generateTestHeaderString({ payload: body ?? "", secret: stage.outputs.webhookSecret });
  return sent(
    stage.outputs.apiUrl,
    operation.method,
    addressOf(call),
    {
      ...(as !== undefined && { authorization: `Bearer ${await stage.tokenFor(as)}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(isSigned(operation) && { "stripe-signature": signature() }),
      ...headers,
    },
    body,
  );
}
