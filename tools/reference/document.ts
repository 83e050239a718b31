/** The reference of the API: an OpenAPI 3.1 document from the routes' declarations and `docs/contract.md`. */
import type { TProperties } from "typebox";
import { namedRoutes, type Route } from "#api/routes.ts";
import { exampleOf } from "./examples.ts";
import { refuseLacks } from "./lacks.ts";
import { answerSentence, type Named, named } from "./operations.ts";
import { problemResponses } from "./problems.ts";
import { introduction, tagOf, tags } from "./prose.ts";
import { Components, directionTo, type JsonSchema, jsonOf } from "./schemas.ts";
import { statedExamples } from "./states.ts";

export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
  readonly [part: string]: unknown;
}

/** The used part of an operation. */
export interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, object>>;
  readonly [part: string]: unknown;
}

/** Who may call, in the words of the contract. */
const callers: Readonly<Record<Route["access"], string>> = {
  public: "Anyone; no token is needed.",
  caller: "Every signed-in person.",
  admin: "Admins only.",
  door: "Devices at the event's door only.",
  link: "Who has the link of a mail.",
};

const inAuthorization = (description: string) => ({ type: "apiKey", in: "header", name: "Authorization", description });

/** The scheme of the `Authorization` header. */
const schemeOf = { caller: "idToken", admin: "idToken", door: "doorToken", link: "linkToken" } as const;

const inHeader = (name: string, description: string, example: string, schema: JsonSchema = { type: "string" }) => ({
  name,
  in: "header",
  required: false,
  description,
  schema,
  example,
});

const keyHeader = inHeader(
  "Idempotency-Key",
  "A random text of the caller, new for each new request. The same key with the same body gets the first answer again, for one day.",
  "8e03978e-40d5-43dd-bc93-6894a57f9324",
  { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
);

const ifMatchHeader = inHeader(
  "If-Match",
  "Change only what has this `ETag`, or one of several. `*`: whatever is there.",
  '"01JGZ2M0W8Q4V5Y6Z7A8B9C0D1.3"',
);

const ifNoneMatchHeader = inHeader(
  "If-None-Match",
  "The `ETag` of the response that the caller has.",
  '"uU0nuZNNPgilLlLX2n2r-w"',
);

const signature = "t=1893283200,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd";

/** A strong tag in the `ETag` header, in quotes (RFC 9110, 8.8.3). */
const entityTag = { type: "string", pattern: '^"[!#-~]+"$' };

/** The `ETag` of the record in a response. */
const etagHeader = { description: "The edit version, for `If-Match`.", required: true, schema: entityTag };

/** The `ETag` of a response's content. */
const contentTag = { description: "Changes with the body, for `If-None-Match`.", required: true, schema: entityTag };

function parametersOf(route: Route, components: Components): object[] {
  const { params, query, signedBody, ifMatch, ifNoneMatch, idempotent } = route;
  const parameters = (place: "path" | "query", properties: TProperties = {}, required: readonly string[] = []) =>
    Object.entries(properties).map(([name, property]) => {
      const json = jsonOf(property, directionTo(route));
      const { description, ...schema } = components.field(json, directionTo(route));
      const isRequired = place === "path" || required.includes(name);
      return { name, in: place, required: isRequired, description, schema, example: exampleOf(json) };
    });
  return [
    ...parameters("path", params?.properties),
    ...parameters("query", query?.properties, query?.required),
    ...(signedBody
      ? [{ ...inHeader(signedBody, "The provider's signature of the body.", signature), required: true }]
      : []),
    ...(idempotent ? [keyHeader] : []),
    ...(ifMatch ? [ifMatchHeader] : []),
    ...(ifNoneMatch ? [ifNoneMatchHeader] : []),
  ];
}

function requestBodyOf(route: Route, components: Components): object | undefined {
  const { body, signedBody } = route;
  if (signedBody) {
    return {
      required: true,
      description: "The event as the provider sent it. The signature is over these bytes.",
      content: { "application/json": { schema: { type: "object" }, example: signedExample } },
    };
  }
  if (!body) return undefined;
  const json = jsonOf(body, directionTo(route));
  const { required = [] } = body as { readonly required?: readonly string[] };
  const content = { schema: components.of(json, directionTo(route)), example: exampleOf(json) };
  return { required: required.length > 0, content: { "application/json": content } };
}

const signedExample = {
  id: "evt_1",
  type: "checkout.session.completed",
  data: { object: { id: "cs_1", payment_status: "paid", amount_total: 800, currency: "cad" } },
};

const nextCursor = {
  "x-next-cursor": { description: "The cursor of the next page; absent on the last one.", schema: { type: "string" } },
};

const replayedHeader = {
  "Idempotent-Replayed": {
    description: "`true`: this is the first answer to the request of this `Idempotency-Key`, sent again.",
    schema: { const: "true" },
  },
};

const textExamples = {
  "text/csv": "email,registrationStatus,fname\r\nada@student.example,registered,Ada\r\n",
  "text/html": "<!doctype html><title>What is stored</title>",
  "text/calendar": "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Club Events//Calendar//EN\r\nEND:VCALENDAR\r\n",
} as const;

/** The response to a request whose sender has the body already. */
const notModified = { 304: { description: "Not changed.", headers: { ETag: contentTag } } };

/** An example with the sentence of its answer. */
const said = (example: unknown, sentence: string): unknown =>
  typeof example === "object" && example !== null && "message" in example ? { ...example, message: sentence } : example;

function answersOf(named: Named, components: Components) {
  const { operationId, route } = named;
  const { responses, query, csv, html, mediaType, etag, ifNoneMatch, idempotent } = route;
  const comesInPages = query?.properties.cursor !== undefined;
  const answers = Object.entries(responses).map(([status, body]) => {
    const json = jsonOf(body, "response");
    const schema = components.of(json, "response");
    const sentence = answerSentence(named, status) as string;
    const examples = statedExamples(operationId, status, said(exampleOf(json), sentence));
    const headers = {
      ...(comesInPages && nextCursor),
      ...(etag && { ETag: etagHeader }),
      ...(ifNoneMatch && { ETag: contentTag }),
      ...(idempotent && replayedHeader),
    };
    const answer = {
      description: sentence,
      ...(Object.keys(headers).length > 0 && { headers }),
      content: {
        ...(mediaType
          ? { [mediaType]: { schema, example: textExamples[mediaType] } }
          : { "application/json": { schema, ...examples } }),
        ...(html && { "text/html": { schema: { type: "string" }, example: textExamples["text/html"] } }),
        ...(csv && { "text/csv": { schema: { type: "string" }, example: textExamples["text/csv"] } }),
      },
    };
    return [status, answer] as const;
  });
  return { ...Object.fromEntries(answers), ...(ifNoneMatch && notModified) };
}

function operationOf(named: Named, components: Components) {
  const { route, operationId, capability } = named;
  const { access, publicWith, aliases = [], summary, irreversible, head } = route;
  const open = publicWith ? ` Anyone, without a token, in a stage with \`${publicWith}\`.` : "";
  const headers = head ? " HEAD answers the headers alone." : "";
  const strict = irreversible ? " Unknown keys are refused, because the request cannot be undone." : "";
  const also = aliases.length > 0 ? ` Also at ${aliases.map((path) => `\`${path}\``).join(", ")}.` : "";
  const requestBody = requestBodyOf(route, components);
  const parameters = parametersOf(route, components);
  return {
    operationId,
    summary,
    description: callers[access] + open + also + headers + strict,
    tags: [tagOf(capability)],
    security: access === "public" ? [] : [{ [schemeOf[access]]: [] }],
    "x-access": access,
    ...(aliases.length > 0 && { "x-aliases": aliases }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...answersOf(named, components), ...problemResponses(named, components) },
  };
}

/** Builds the document, deterministically. @throws NothingSaid with all that the declarations lack */
export function openApiDocument(routes = namedRoutes): OpenApiDocument {
  const all = named(routes);
  refuseLacks(all);
  const components = new Components();
  const paths: Record<string, Record<string, Operation>> = {};
  for (const one of all) {
    const { path, method } = one.route;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(one, components) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Club events and membership",
      version: "1",
      summary: "Events, registrations, members, payments, mails, prizes and the investment game of a student club.",
      description: introduction(),
    },
    servers: [{ url: "http://localhost:4000", description: "The local stage" }],
    tags: tags(),
    paths,
    components: {
      securitySchemes: {
        idToken: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "The ID token of the sign-in." },
        doorToken: inAuthorization("`Door` and the token of a device, with a space between them."),
        linkToken: inAuthorization("`Link` and the secret of a mail's link, with a space between them."),
      },
      schemas: components.schemas,
      responses: components.responses,
    },
  };
}
