/**
 * Converts the schemas of the routes to OpenAPI (JSON Schema 2020-12). A schema that a `schemas.ts` exports becomes a
 * component of the document.
 */
import { readdirSync } from "node:fs";
import type { TSchema } from "typebox";
import { olderSpellings } from "#domain/people/members/form.ts";
import type { Contract } from "#kit/request/contract.ts";
import { type FormatName, imageType } from "#kit/schema/formats.ts";

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly additionalProperties?: JsonSchema | false;
  readonly propertyNames?: JsonSchema;
  readonly [keyword: string]: unknown;
}

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
  "time-zone": { pattern: "^[A-Za-z][A-Za-z0-9_+/-]*$", form: "The name of a time zone of the IANA database." },
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

const api = new URL("../../lambda/api/", import.meta.url);
/** What each `schemas.ts` exports. */
const groups: readonly Readonly<Record<string, TSchema>>[] = await Promise.all(
  readdirSync(api, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("schemas.ts"))
    .sort()
    .map((path) => import(new URL(path, api).href)),
);

/** A schema in OpenAPI's terms, without references. */
export const jsonOf = (schema: TSchema, direction: Direction): JsonSchema =>
  // As JSON it has none of TypeBox's marks.
  converted(JSON.parse(JSON.stringify(schema)) as JsonSchema, direction);

/** The same schema with other parts: fields, and what else is inside. */
function withParts(schema: JsonSchema, other: (part: JsonSchema, isField: boolean) => JsonSchema): JsonSchema {
  const { properties, items, anyOf, additionalProperties, propertyNames } = schema;
  const inner = (part: JsonSchema) => other(part, false);
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, other(field, true)] as const);
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...(items && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(additionalProperties && { additionalProperties: inner(additionalProperties) }),
    ...(propertyNames && { propertyNames: inner(propertyNames) }),
  };
}

/**
 * Whether a field of a request is not for callers: it exists only so that the service can refuse it, or is an alternative
 * spelling of another one. Client generators would map `firstName` and `first_name` to the same name.
 */
const isHidden = (name: string, schema: JsonSchema, properties: object): boolean =>
  Object.keys(schema).length === 0 || Object.hasOwn(properties, olderSpellings.get(name) ?? "");

function converted(schema: JsonSchema, direction: Direction): JsonSchema {
  const {
    canonical,
    asText,
    atMost,
    format,
    properties,
    items,
    anyOf,
    additionalProperties,
    patternProperties,
    ...rest
  } = schema;
  const kept = Object.entries(properties ?? {}).filter(
    ([name, field]) => direction === "response" || !isHidden(name, field, properties ?? {}),
  );
  // A record has one pattern for all its names.
  const [others = additionalProperties] = Object.values((patternProperties ?? {}) as Record<string, JsonSchema>);
  const isFormat = typeof format === "string" && Object.hasOwn(publicFormats, format);
  const own = {
    ...rest,
    ...(isFormat ? publicFormats[format as FormatName] : format !== undefined && { format }),
    // A field may ask for more than its format does.
    ...(rest.minLength !== undefined && { minLength: rest.minLength }),
    ...(atMost !== undefined && { form: `A number above ${atMost} counts as ${atMost}.` }),
    ...(properties && { properties: Object.fromEntries(kept) }),
    ...(items && { items }),
    ...(anyOf && { anyOf }),
    ...((others || (others === false && direction !== "request")) && { additionalProperties: others }),
  };
  return withParts(own, (part) => converted(part, direction));
}

/** The meaning of a field and its form, unless the meaning says it already. */
function inWords(meaning: string | undefined, form: string | undefined): string | undefined {
  if (meaning === undefined || form === undefined) return meaning ?? form;
  return meaning.includes(form.slice(0, 8)) ? meaning : `${meaning} ${form}`;
}

/** The schemas and components of a document. */
export class Components {
  readonly #names: Readonly<Record<Direction, ReadonlyMap<string, string>>> = {
    request: namesFor("request"),
    "irreversible request": namesFor("irreversible request"),
    response: namesFor("response"),
  };
  readonly #schemas = new Map<string, JsonSchema>();
  readonly #responses = new Map<string, object>();

  /** A schema of the document; a named one becomes a reference to a component. @param schema without references */
  of(schema: JsonSchema, direction: Direction): JsonSchema {
    const named = withoutTexts(schema);
    const name = this.#names[direction].get(JSON.stringify(named));
    return name === undefined ? this.#inner(schema, direction) : this.#component(name, named, direction);
  }

  /** The same for a field or parameter: what it is, and what it means where it is. */
  field(schema: JsonSchema, direction: Direction): JsonSchema {
    const { description = schema.description, ...inner } = this.of(schema, direction);
    return { ...inner, description };
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

  #component(name: string, schema: JsonSchema, direction: Direction): JsonSchema {
    const inner = this.#inner(schema, direction);
    const isOther = (known: JsonSchema | undefined) =>
      known !== undefined && JSON.stringify(known) !== JSON.stringify(inner);
    const unique = isOther(this.#schemas.get(name)) ? `${name}Input` : name;
    if (isOther(this.#schemas.get(unique))) throw new Error(`There are three schemas named ${name}.`);
    return this.add(unique, inner);
  }

  #inner({ form, examples: _, ...schema }: JsonSchema, direction: Direction): JsonSchema {
    const description = inWords(schema.description, form as string | undefined);
    const own = { ...schema, ...(description !== undefined && { description }) };
    return withParts(own, (part, isField) => (isField ? this.field(part, direction) : this.of(part, direction)));
  }
}

/** A schema as it is wherever it stands: without what it means there. */
const withoutTexts = ({ description: _, examples: _own, ...schema }: JsonSchema): JsonSchema => schema;

const sorted = <T>(entries: ReadonlyMap<string, T>): Record<string, T> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

/** The names of exported objects, and of lists of them, by their JSON. The first name of a schema counts. */
function namesFor(direction: Direction): Map<string, string> {
  const names = new Map<string, string>();
  for (const group of groups) {
    for (const [name, schema] of Object.entries(group)) {
      if (!/^[A-Z]/.test(name) || (schema as { type?: unknown }).type !== "object") continue;
      const text = JSON.stringify(withoutTexts(jsonOf(schema as TSchema, direction)));
      if (!names.has(text)) names.set(text, name);
    }
  }
  return names;
}
