/** Building blocks for the capabilities' schemas. Build time only: no function contains them. */
import { type Static, type TProperties, type TSchema, Type } from "typebox";
import { type FormatName, formats, longestUrl } from "./formats.ts";

/** A string of a named format. The handler gets the format's canonical form. */
const formatted = (format: FormatName, maxLength: number) =>
  Type.String({ format, maxLength, ...("canonical" in formats[format] ? { canonical: format } : {}) });

/** An object whose unknown keys are removed before a handler gets it. */
export const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** The body of a change. A request without any of the optional fields is refused. */
export const changing = <P extends TProperties>(properties: P) => {
  const { required = [] } = Type.Object(properties) as { readonly required?: readonly string[] };
  return Type.Object(properties, { additionalProperties: false, minProperties: required.length + 1 });
};

/** The same schema for each of these names. */
export const each = <const N extends string, S extends TSchema>(names: readonly N[], schema: S): Record<N, S> =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<N, S>;

/**
 * The same schema with what it means where it stands, for the reference: what is given replaces what it had. An optional
 * field without an example is left out of examples, unless it is an object. No validator has these texts.
 */
export const described = <S extends TSchema>(schema: S, description?: string, ...examples: readonly unknown[]): S =>
  Object.assign(Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)) as S, {
    ...(description !== undefined && { description }),
    ...(examples.length > 0 && { examples }),
  });

/** The same for an optional field. */
export const optional = <S extends TSchema>(schema: S, description?: string, ...examples: readonly unknown[]) =>
  Type.Optional(described(schema, description, ...examples));

/** An optional field that examples leave out, although it has one or is an object. */
export const notShown = <S extends TSchema>(schema: S): S => ({ ...schema, examples: [] });

/** A field that a PATCH may remove by sending `null`. */
export const orNull = <S extends TSchema>(schema: S) => {
  const { type = [] }: { readonly type?: string | readonly string[] } = schema;
  return Type.Unsafe<Static<S> | null>({ ...schema, type: [type, "null"].flat() });
};

/** One of these words. */
export const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: "string", enum: [...values] });

const email = ["The person's email.", "ada@student.example"] as const;
/** An entry of a list of emails. */
export const ListedEmail = formatted("email", 512);
/** The handler gets the canonical form (trimmed, lower-cased). */
export const Email = described(ListedEmail, ...email);
/** An email in an answer. */
export const EmailText = described(Type.String(), ...email);
/** An email in a query string, where a space stands for `+`. */
export const QueryEmail = described(formatted("query-email", 512), ...email);
const eventId = ["The event's id. It names an event together with `year`.", "gala"] as const;
export const EventId = described(formatted("event-id", 64), ...eventId);
/** The id of an event in an answer, where there is one. */
export const EventIdText = described(Type.String(), ...eventId);
export const TemplateName = formatted("template-name", 64);
export const Year = described(Type.Integer({ minimum: 1900, maximum: 2200 }), "The event's year.", 2030);
/** One line of text that must not be blank, for example a name. */
export const Name = formatted("name", 200);
/** The same, or blank: then there is no name. */
export const NameOrBlank = formatted("name-or-blank", 200);
/** The name of a file, or of a part of a path, with the maximum length of file systems. */
export const FileName = formatted("name", 255);
/** One line of text, may be empty. */
export const Line = (maxLength = 200) => formatted("line", maxLength);
/** Multi-line text. */
export const Text = (maxLength: number) => formatted("text", maxLength);
/** Epoch milliseconds. */
export const Timestamp = Type.Integer({ minimum: 0 });
export const ImageType = formatted("image-type", 127);
/** The IANA name of a time zone. */
export const TimeZone = formatted("time-zone", 64);
export const IsoDate = formatted("iso-date", 40);
/** The handler gets `null` for a blank text. */
export const IsoDateOrNull = orNull(formatted("date-or-blank", 40));
/** A boolean, or a word for one. The handler gets a boolean, or `null` for a blank text. */
export const Flag = Type.Unsafe<boolean | null>({
  type: ["boolean", "string", "null"],
  format: "flag",
  canonical: "flag",
  maxLength: 10,
});
/** A line that some clients send as a number. The handler gets it as text, and 0 as a blank one. */
export const LineOrNumber = Type.Unsafe<string>({
  type: ["string", "integer"],
  format: "line",
  canonical: "line",
  maxLength: 200,
  asText: true,
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
});
/** A link as people enter it. Without a scheme, `https` is added. */
export const Link = formatted("link", longestUrl);
/** A URL that a program sends. */
export const WebUrl = formatted("web-url", longestUrl);

/** What an answer says in a sentence. Its example is the sentence of the answer. */
export const Message = described(Type.String(), "What was done, in a sentence for people.", "Done.");
/** The time of examples, in epoch milliseconds. */
export const someTime = Date.UTC(2030, 0, 7, 18);
/** When a record was made and last changed. */
export const times = {
  createdAt: described(Timestamp, "When it was made, in epoch milliseconds.", someTime),
  updatedAt: described(Timestamp, "The last change, in epoch milliseconds.", someTime),
};

/** The maximum rows of a response. Larger numbers are clamped to `most`. */
export const Limit = (most: number, least = 1) =>
  Type.Integer({ minimum: least, atMost: most, description: "Rows of a page at most.", examples: [50] });

const Cursor = Type.String({ minLength: 1, maxLength: 1024 });
/** Query parameters of a paginated list. */
export const page = {
  limit: Type.Optional(Limit(500)),
  cursor: optional(Cursor, "`x-next-cursor` of the page before. Absent: the first page.", "eyJrIjoiZ2FsYSJ9"),
};

/** The prefix of a first name, last name, full name or email. */
export const searchedName = formatted("name", 254);

/** Query parameters of a paginated list of people. */
export const peoplePage = {
  q: optional(
    searchedName,
    "The beginning of a first name, a last name, `first last` or an email, in any case.",
    "ada lov",
  ),
  ...page,
};

export type { Static, TSchema };
export { Type };
