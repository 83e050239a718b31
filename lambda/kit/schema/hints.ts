/** Hints for callers from schemas. Made only in development and at build time, like the validators. */
import type { TSchema } from "typebox";
import { typesInWords, typeWords } from "./validation.ts";

/** A schema as plain JSON. */
type Json = Readonly<Record<string, unknown>>;

/** From this number on, thousands are separated; years are below it. */
const largeNumber = 10_000;

const inDigits = (number: number): string =>
  Math.abs(number) >= largeNumber ? number.toLocaleString("en-US") : `${number}`;

/** `a whole number from 1 to 500` */
function numberInWords(type: string, { minimum, maximum }: Json): string {
  const word = typeWords[type] as string;
  if (typeof minimum === "number" && typeof maximum === "number") {
    return `${word} from ${inDigits(minimum)} to ${inDigits(maximum)}`;
  }
  if (typeof minimum === "number") return `${word} of at least ${inDigits(minimum)}`;
  return typeof maximum === "number" ? `${word} of at most ${inDigits(maximum)}` : word;
}

const isNumber = (type: string): boolean => type === "integer" || type === "number";

const typesOf = ({ type }: Json): string[] => [type].flat() as string[];

const inWords = (schema: Json): string =>
  typesInWords(typesOf(schema), (type) => (isNumber(type) ? numberInWords(type, schema) : typeWords[type]));

/** Calls `look` for a schema and all nested schemas, with their places in a request. */
function visit(schema: Json, look: (part: Json, place: string) => void, place = ""): void {
  look(schema, place);
  for (const choice of (schema.anyOf ?? []) as Json[]) visit(choice, look, place);
  if (schema.items) visit(schema.items as Json, look, `${place}/*`);
  for (const [name, inner] of Object.entries((schema.properties ?? {}) as Record<string, Json>)) {
    visit(inner, look, `${place}/${name}`);
  }
}

/** The words of numbers with bounds, and of values that may be one of several things. */
export function wordsOf(schema: TSchema): Record<string, string> {
  const words: Record<string, string> = {};
  visit(schema as Json, (part, place) => {
    const isBounded = part.minimum !== undefined || part.maximum !== undefined;
    if (isBounded && typesOf(part).some(isNumber)) words[place] = inWords(part);
    if (Array.isArray(part.anyOf)) words[place] = typesInWords((part.anyOf as Json[]).flatMap(typesOf));
  });
  return words;
}

/** The names of the fields of all closed objects. */
export function namesOf(schema: TSchema | undefined): Record<string, string[]> {
  const names: Record<string, string[]> = {};
  visit((schema ?? {}) as Json, ({ additionalProperties, properties }, place) => {
    if (additionalProperties === false) names[place] = Object.keys(properties ?? {});
  });
  return names;
}

/**
 * The fields of which a body must contain one (`changing`), and those without a type, which are declared only to be refused
 * with a specific message.
 */
export function changesOf(schema: TSchema): { names: string[]; refused: string[] } | undefined {
  const {
    minProperties = 0,
    required = [],
    properties = {},
  } = schema as {
    readonly minProperties?: number;
    readonly required?: readonly string[];
    readonly properties?: Readonly<Record<string, Json>>;
  };
  if (minProperties <= required.length) return undefined;
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const isTyped = (name: string): boolean => ["type", "anyOf"].some((word) => word in (properties[name] as Json));
  return { names: optional.filter(isTyped), refused: optional.filter((name) => !isTyped(name)) };
}
