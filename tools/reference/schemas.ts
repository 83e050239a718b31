/**
 * Converts the schemas of the routes to OpenAPI (JSON Schema 2020-12). A schema that a `schemas.ts` exports becomes a
 * component of the document.
 */
import type { TSchema } from "typebox";
import * as btx from "#api/btx/schemas.ts";
import * as door from "#api/door/schemas.ts";
import * as emails from "#api/emails/schemas.ts";
import * as events from "#api/events/schemas.ts";
import * as feedback from "#api/feedback/schemas.ts";
import * as images from "#api/images/schemas.ts";
import * as members from "#api/members/schemas.ts";
import * as payments from "#api/payments/schemas.ts";
import * as prizes from "#api/prizes/schemas.ts";
import * as profiles from "#api/profiles/schemas.ts";
import * as records from "#api/records/schemas.ts";
import * as registrations from "#api/registrations/schemas.ts";
import * as users from "#api/users/schemas.ts";
import { olderSpellings } from "#domain/people/members/form.ts";
import type { Contract } from "#kit/request/contract.ts";
import { type FormatName, imageType } from "#kit/schema/formats.ts";
import { meaningOf } from "./fields.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * `request`: objects are open, because unknown fields are ignored. `irreversible request`: they are refused. `response`:
 * objects are closed.
 */
export type Direction = "request" | "irreversible request" | "response";

/** The direction of what a caller sends to a route. */
export const directionTo = ({ irreversible }: Pick<Contract, "irreversible">): Direction =>
  irreversible ? "irreversible request" : "request";

/** Inside of brackets: the characters that no text has. */
const control = "\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u2028\\u2029";
/** The same, and line breaks. */
const notInLine = `${control}\\n\\r`;
const name = `^[^${notInLine}]*[^\\s.${notInLine}][^${notInLine}]*$`;

const date = "(?:19[0-9]{2}|2[01][0-9]{2}|2200)-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])";
const time = "(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,9})?)?";
const offset = "(?:[Zz]|[+-](?:0[0-9]|1[0-4]):?[0-5][0-9])";
const isoDate = `${date}(?:[Tt ]${time}${offset}?)?`;

const webAddress = "^([hH][tT][tT][pP][sS]?://\\S+)?$";

/** The service's formats in terms of JSON Schema where possible, and in words, which follow the field's description. */
export const publicFormats: Readonly<Record<FormatName, JsonSchema>> = {
  text: { pattern: `^[^${control}]*$`, form: "Text without control characters but newline and tab." },
  line: { pattern: `^[^${notInLine}]*$`, form: "One line of text." },
  name: { minLength: 1, pattern: name, form: "One line of text that is not blank or only dots." },
  "name-or-blank": { pattern: `^[^\\S${notInLine}]*$|${name}`, form: "One line of text that is not only dots." },
  email: { format: "email" },
  "query-email": { format: "email" },
  "event-id": { pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$" },
  "template-name": { pattern: "^[A-Za-z0-9_-]{1,64}$" },
  flag: { pattern: "^\\s*([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[Yy][Ee][Ss]|[Nn][Oo]|)\\s*$" },
  "date-or-blank": {
    pattern: `^\\s*(?:${isoDate}\\s*)?$`,
    form: "ISO 8601: a date, or a date and time with or without an offset; or blank, for none.",
  },
  "image-type": { pattern: imageType.source },
  "iso-date": {
    pattern: `^\\s*${isoDate}\\s*$`,
    form: "ISO 8601: a date, or a date and time with or without an offset. Years 1900 to 2200.",
  },
  "file-link": { pattern: "^\\S+$", form: "An https address; without a scheme it gets https." },
  link: { pattern: "^\\S*$", form: "An http or https address, or empty; without a scheme it gets https." },
  "web-url": { pattern: webAddress, form: "An http or https address, or empty." },
};

const groups = [
  btx,
  door,
  emails,
  events,
  feedback,
  images,
  members,
  payments,
  prizes,
  profiles,
  records,
  registrations,
  users,
];

/** A value as JSON, without TypeBox's marks. */
const plain = (schema: TSchema): JsonSchema => JSON.parse(JSON.stringify(schema)) as JsonSchema;

/** Fields of a body that exist only so that the service can refuse them. */
const isRefused = (schema: JsonSchema): boolean => Object.keys(schema).length === 0;

/**
 * Whether the field is an alternative spelling of another one. Client generators would map `firstName` and `first_name` to
 * the same name.
 */
const isOlderSpelling = (name: string, properties: Record<string, JsonSchema>): boolean =>
  Object.hasOwn(properties, olderSpellings.get(name) ?? "");

function convertedObject(properties: Record<string, JsonSchema>, direction: Direction) {
  const isLeftOut = (name: string, schema: JsonSchema) =>
    direction !== "response" && (isRefused(schema) || isOlderSpelling(name, properties));
  const kept = Object.entries(properties).filter(([name, schema]) => !isLeftOut(name, schema));
  return Object.fromEntries(kept.map(([name, schema]) => [name, converted(schema, direction)]));
}

/** Converts a schema to OpenAPI, without references. */
function converted(schema: JsonSchema, direction: Direction): JsonSchema {
  const {
    canonical,
    asText,
    atMost,
    format,
    additionalProperties,
    properties,
    items,
    anyOf,
    patternProperties,
    ...rest
  } = schema;
  const isFormat = typeof format === "string" && Object.hasOwn(publicFormats, format);
  const all = (list: unknown) => (list as JsonSchema[]).map((one) => converted(one, direction));
  const isClosed = additionalProperties === false;
  return {
    ...rest,
    ...(isFormat ? publicFormats[format as FormatName] : format !== undefined && { format }),
    ...(atMost !== undefined && { form: `A number above ${atMost} counts as ${atMost}.` }),
    ...(properties !== undefined && {
      properties: convertedObject(properties as Record<string, JsonSchema>, direction),
    }),
    ...(items !== undefined && { items: converted(items as JsonSchema, direction) }),
    ...(anyOf !== undefined && { anyOf: all(anyOf) }),
    ...(patternProperties !== undefined && { additionalProperties: recordOf(patternProperties, direction) }),
    ...(additionalProperties !== undefined &&
      !isClosed && { additionalProperties: converted(additionalProperties as JsonSchema, direction) }),
    ...(isClosed && direction !== "request" && { additionalProperties: false }),
    ...("propertyNames" in rest && { propertyNames: converted(rest.propertyNames as JsonSchema, direction) }),
  };
}

/** The meaning of a field and its form, unless the meaning says it already. */
function inWords(meaning: string | undefined, form: string | undefined): string | undefined {
  if (meaning === undefined || form === undefined) return meaning ?? form;
  return meaning.includes(form.slice(0, 8)) ? meaning : `${meaning} ${form}`;
}

/** A record has one pattern for all its names. */
const recordOf = (patterns: unknown, direction: Direction): JsonSchema =>
  converted(Object.values(patterns as Record<string, JsonSchema>)[0] as JsonSchema, direction);

/** The schemas and components of a document. */
export class Components {
  readonly #names: Readonly<Record<Direction, ReadonlyMap<string, string>>> = {
    request: namesFor("request"),
    "irreversible request": namesFor("irreversible request"),
    response: namesFor("response"),
  };
  readonly #schemas = new Map<string, JsonSchema>();
  readonly #responses = new Map<string, object>();

  /**
   * A schema of the document; a named one becomes a reference to a component.
   * @param owner the function
   * @param name of the parameter or field
   */
  of(schema: TSchema, direction: Direction, owner: string, name?: string): JsonSchema {
    const all = converted(plain(schema), direction);
    return name === undefined ? this.#referring(all, direction, owner) : this.#named(all, direction, owner, name);
  }

  /** Adds a component that is in OpenAPI's form already. @returns the reference to it */
  add(name: string, schema: JsonSchema): JsonSchema {
    this.#schemas.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Adds a response. @returns the reference to it */
  addResponse(name: string, response: object): JsonSchema {
    this.#responses.set(name, response);
    return { $ref: `#/components/responses/${name}` };
  }

  /** The schemas by their names, in the order of the names. */
  get schemas(): Record<string, JsonSchema> {
    return sorted(this.#schemas);
  }

  /** The responses by their names, in the order of the names. */
  get responses(): Record<string, object> {
    return sorted(this.#responses);
  }

  #referring(schema: JsonSchema, direction: Direction, owner: string): JsonSchema {
    const name = this.#names[direction].get(JSON.stringify(schema));
    return name === undefined ? this.#inner(schema, direction, owner) : this.#component(name, schema, direction);
  }

  /** A field: what it is, and what it means where it is. */
  #named(schema: JsonSchema, direction: Direction, owner: string, name: string): JsonSchema {
    const { description, ...inner } = this.#referring(schema, direction, name);
    const meaning = (schema.description as string | undefined) ?? meaningOf(owner, name);
    const inFull = inner.$ref === undefined ? inWords(meaning, schema.form as string | undefined) : meaning;
    return { ...inner, description: inFull };
  }

  #component(name: string, schema: JsonSchema, direction: Direction): JsonSchema {
    const inner = this.#inner(schema, direction, name);
    const isOther = (known: JsonSchema | undefined) =>
      known !== undefined && JSON.stringify(known) !== JSON.stringify(inner);
    const unique = isOther(this.#schemas.get(name)) ? `${name}Input` : name;
    if (isOther(this.#schemas.get(unique))) throw new Error(`There are three schemas named ${name}.`);
    this.#schemas.set(unique, inner);
    return { $ref: `#/components/schemas/${unique}` };
  }

  /** @param owner the component, else the field around it, else the function */
  #inner({ form, ...schema }: JsonSchema, direction: Direction, owner: string): JsonSchema {
    const { properties, items, anyOf, additionalProperties } = schema;
    const refer = (one: unknown) => this.#referring(one as JsonSchema, direction, owner);
    const description = inWords(schema.description as string | undefined, form as string | undefined);
    return {
      ...schema,
      ...(description !== undefined && { description }),
      ...(properties !== undefined && {
        properties: Object.fromEntries(
          Object.entries(properties as Record<string, JsonSchema>).map(([name, property]) => [
            name,
            this.#named(property, direction, owner, name),
          ]),
        ),
      }),
      ...(items !== undefined && { items: refer(items) }),
      ...(anyOf !== undefined && { anyOf: (anyOf as unknown[]).map(refer) }),
      ...(typeof additionalProperties === "object" && { additionalProperties: refer(additionalProperties) }),
      ...("propertyNames" in schema && { propertyNames: refer(schema.propertyNames) }),
    };
  }
}

const sorted = <T>(entries: ReadonlyMap<string, T>): Record<string, T> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

/** The names of exported objects, and of lists of them, by their JSON. The first name of a schema counts. */
function namesFor(direction: Direction): Map<string, string> {
  const names = new Map<string, string>();
  for (const group of groups) {
    for (const [name, schema] of Object.entries(group)) {
      if (!/^[A-Z]/.test(name) || (schema as { type?: unknown }).type !== "object") continue;
      const text = JSON.stringify(converted(plain(schema as TSchema), direction));
      if (!names.has(text)) names.set(text, name);
    }
  }
  return names;
}
