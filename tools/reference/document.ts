/** The reference of the API: an OpenAPI 3.1 document from the routes' declarations and `docs/contract.md`. */
import type { TProperties } from "typebox";
import { namedRoutes, type Route } from "#api/routes.ts";
import type { PublicSetting } from "#kit/request/contract.ts";
import { documentAjv } from "./ajv.ts";
import { Examples } from "./examples.ts";
import { problemResponses } from "./problems.ts";
import { introduction, tagOf, tags } from "./prose.ts";
import { Components, directionTo, type JsonSchema } from "./schemas.ts";
import { answerSentence, type Named } from "./sentences.ts";
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

/** All routes. Names of the game's routes, and names used by two functions, are prefixed with the function's name. */
function namedRoutesOf(): Named[] {
  const all = Object.entries(namedRoutes).flatMap(([capability, declared]) =>
    Object.entries(declared).map(([name, route]) => ({ capability, name, route })),
  );
  const isShared = (name: string) => all.filter((one) => one.name === name).length > 1;
  return all.map(({ capability, name, route }) => ({
    route,
    capability,
    operationId:
      isShared(name) || capability === "btx" ? capability + name.charAt(0).toUpperCase() + name.slice(1) : name,
  }));
}

/** Who may call, in the words of the contract. */
const publicSentence: Readonly<Record<PublicSetting, string>> = {
  publicEvents: " Anyone, without a token, in a stage with `publicEvents`.",
  publicProfiles: " Anyone, without a token, in a stage with `publicProfiles`.",
};

const callers: Readonly<Record<Route["access"], string>> = {
  public: "Anyone; no token is needed.",
  caller: "Every signed-in person.",
  admin: "Admins only.",
  door: "Devices at the event's door only.",
  link: "Who has the link of a mail.",
};

/** The scheme of the `Authorization` header. */
const schemeOf = { caller: "idToken", admin: "idToken", door: "doorToken", link: "linkToken" } as const;

type Example = (schema: JsonSchema, field?: string) => unknown;

const keyHeader = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A random text of the caller, new for each new request. The same key with the same body gets the first answer again, for one day.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
  example: "8e03978e-40d5-43dd-bc93-6894a57f9324",
};

/** A strong tag in the `ETag` header, in quotes (RFC 9110, 8.8.3). */
const entityTag = { type: "string", pattern: '^"[!#-~]+"$' };
const anEntityTag = '"01JGZ2M0W8Q4V5Y6Z7A8B9C0D1.3"';

const ifMatchHeader = {
  name: "If-Match",
  in: "header",
  required: false,
  description: "Change only what has this `ETag`, or one of several. `*`: whatever is there.",
  schema: { type: "string" },
  example: anEntityTag,
};

const ifNoneMatchHeader = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "The `ETag` of the response that the caller has.",
  schema: { type: "string" },
  example: '"uU0nuZNNPgilLlLX2n2r-w"',
};

/** The `ETag` of the record in a response. */
const etagHeader = { description: "The edit version, for `If-Match`.", required: true, schema: entityTag };

/** The `ETag` of a response's content. */
const contentTag = { description: "Changes with the body, for `If-None-Match`.", required: true, schema: entityTag };

function parametersOf({ route, capability }: Named, components: Components, exampleOf: Example): object[] {
  const { params, query, signedBody, ifMatch, ifNoneMatch, idempotent } = route;
  const parameters = (place: "path" | "query", properties: TProperties = {}, required: readonly string[] = []) =>
    Object.entries(properties).map(([name, property]) => {
      const { description, ...schema } = components.of(property, directionTo(route), capability, name);
      return {
        name,
        in: place,
        required: place === "path" || required.includes(name),
        ...(description !== undefined && { description }),
        schema,
        example: exampleOf(schema, name),
      };
    });
  const header = {
    name: signedBody,
    in: "header",
    required: true,
    description: "The provider's signature of the body.",
    schema: { type: "string" },
    example: "t=1893283200,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
  };
  return [
    ...parameters("path", params?.properties),
    ...parameters("query", query?.properties, query?.required),
    ...(signedBody ? [header] : []),
    ...(idempotent ? [keyHeader] : []),
    ...(ifMatch ? [ifMatchHeader] : []),
    ...(ifNoneMatch ? [ifNoneMatchHeader] : []),
  ];
}

function requestBodyOf({ route, capability }: Named, components: Components, exampleOf: Example): object | undefined {
  const { body, signedBody } = route;
  if (signedBody) {
    return {
      required: true,
      description: "The event as the provider sent it. The signature is over these bytes.",
      content: { "application/json": { schema: { type: "object" }, example: signedExample } },
    };
  }
  if (!body) return undefined;
  const schema = components.of(body, directionTo(route), capability);
  const { required = [] } = body as { readonly required?: readonly string[] };
  return {
    required: required.length > 0,
    content: { "application/json": { schema, example: exampleOf(schema) } },
  };
}

const signedExample = {
  id: "evt_1",
  type: "checkout.session.completed",
  data: { object: { id: "cs_1", payment_status: "paid", amount_total: 800, currency: "cad" } },
};

const nextCursor = {
  "x-next-cursor": {
    description: "The cursor of the next page; absent on the last one.",
    schema: { type: "string" },
  },
};

const replayedHeader = {
  "Idempotent-Replayed": {
    description: "`true`: this is the first answer to the request of this `Idempotency-Key`, sent again.",
    schema: { const: "true" },
  },
};

const csvExample = "email,registrationStatus,fname\r\nada@student.example,registered,Ada\r\n";

const textExamples = {
  "text/calendar": "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Club Events//Calendar//EN\r\nEND:VCALENDAR\r\n",
} as const;

/** The response to a request whose sender has the body already. */
const notModified = [["304", { description: "Not changed.", headers: { ETag: contentTag } }]] as const;

/** An example with the sentence of its answer. */
const said = (example: unknown, sentence: string): unknown =>
  typeof example === "object" && example !== null && "message" in example ? { ...example, message: sentence } : example;

function answersOf(named: Named, components: Components, exampleOf: Example) {
  const { operationId, route } = named;
  const { responses, query, csv, html, mediaType, etag, ifNoneMatch, idempotent } = route;
  const comesInPages = query?.properties.cursor !== undefined;
  const answers = Object.entries(responses).map(([status, body]) => {
    const schema = components.of(body, "response", named.capability);
    const sentence = answerSentence(named, status);
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
          : {
              "application/json": { schema, ...statedExamples(operationId, status, said(exampleOf(schema), sentence)) },
            }),
        ...(html && {
          "text/html": { schema: { type: "string" }, example: "<!doctype html><title>What is stored</title>" },
        }),
        ...(csv && { "text/csv": { schema: { type: "string" }, example: csvExample } }),
      },
    };
    return [status, answer] as const;
  });
  return [...answers, ...(ifNoneMatch ? notModified : [])];
}

function operationOf(named: Named, components: Components, examples: () => Examples) {
  const { route, operationId, capability } = named;
  const exampleOf: Example = (schema, field) => examples().of(schema, capability, field);
  const { access, publicWith, aliases = [], summary, irreversible, head } = route;
  const headers = head ? " HEAD answers the headers alone." : "";
  const strict = irreversible ? " Unknown keys are refused, because the request cannot be undone." : "";
  const also = aliases.length > 0 ? ` Also at ${aliases.map((path) => `\`${path}\``).join(", ")}.` : "";
  const requestBody = requestBodyOf(named, components, exampleOf);
  const parameters = parametersOf(named, components, exampleOf);
  return {
    operationId,
    summary,
    description: callers[access] + (publicWith ? publicSentence[publicWith] : "") + also + headers + strict,
    tags: [tagOf(capability)],
    security: access === "public" ? [] : [{ [schemeOf[access]]: [] }],
    "x-access": access,
    ...(aliases.length > 0 && { "x-aliases": aliases }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: {
      ...Object.fromEntries(answersOf(named, components, exampleOf)),
      ...problemResponses(named, components, exampleOf),
    },
  };
}

/** Builds the document, deterministically. */
export function openApiDocument(): OpenApiDocument {
  const components = new Components();
  const routes = namedRoutesOf();
  // Examples are validated against the components, so these are built first.
  for (const named of routes) operationOf(named, components, () => noExamples);
  const examples = new Examples(components.schemas, validatorOf(components.schemas));
  const paths: Record<string, Record<string, Operation>> = {};
  for (const named of routes) {
    const { path, method } = named.route;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(named, components, () => examples) };
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
        doorToken: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: "`Door` and the token of a device, with a space between them.",
        },
        linkToken: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: "`Link` and the secret of a mail's link, with a space between them.",
        },
      },
      schemas: components.schemas,
      responses: components.responses,
    },
  };
}

const noExamples = { of: () => undefined } as unknown as Examples;

/** Whether a value is valid for a schema that refers to these components. */
function validatorOf(schemas: Readonly<Record<string, JsonSchema>>): (schema: JsonSchema, value: unknown) => boolean {
  const ajv = documentAjv();
  ajv.addSchema({ $id: "document", components: { schemas } });
  const compiled = new Map<string, (value: unknown) => boolean>();
  return (schema, value) => {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/');
    const validate = compiled.get(text) ?? (ajv.compile(JSON.parse(text)) as (value: unknown) => boolean);
    compiled.set(text, validate);
    return validate(value);
  };
}
