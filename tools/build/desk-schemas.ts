/** The schemas of bodies from which the desk makes its forms. Pure. */
import type { Schema, SchemaName } from "../../client/desk/schema.ts";

/** What is read of a schema in `docs/openapi.json`. */
interface Documented {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Documented[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly items?: Documented;
  readonly additionalProperties?: Documented | boolean;
  readonly properties?: Readonly<Record<string, Documented>>;
  readonly required?: readonly string[];
}
interface Reference {
  readonly components: { readonly schemas: Readonly<Record<string, Documented>> };
}

const names: readonly SchemaName[] = [
  ...(["NewEvent", "EventCopy", "NewCode", "CodeChanges"] as const),
  ...(["NewTemplate", "NewSuppression"] as const),
  ...(["NewPaymentByHand", "NewReversal", "NewRefund", "MoneyDecision", "NewClosing"] as const),
  ...(["NewMember", "MemberChanges", "NewUser", "UserChanges"] as const),
  ...(["NewPrize", "NewProject", "PhaseBump", "Investment", "Seed", "Reset"] as const),
  "RegistrationForm",
];

/** What the API takes as a text says nothing to an executive. */
const ofTexts = /(One line of text|Text without control characters)[^.]*\.\s*/g;

/** Characters. */
const longestJson = 16_384;

/** @throws Error a schema is not in the reference */
export function schemasOf({ components: { schemas } }: Reference): Readonly<Record<string, Schema>> {
  const documented = (name: string): Documented => {
    const found = schemas[name];
    if (!found) throw new Error(`docs/openapi.json has no schema ${name}: tools/build/desk-schemas.ts names it.`);
    return found;
  };
  const made = (given: Documented): Schema => {
    const one = given.$ref ? { ...documented(given.$ref.split("/").at(-1) ?? ""), ...given } : given;
    // A list that may be written as a text is a list here.
    const {
      type = "object",
      items,
      properties,
      description,
    } = one.anyOf?.find(({ type: kind }) => kind === "array") ?? one;
    const told = (one.description ?? description)?.replaceAll(ofTexts, "").trim();
    const kind = (Array.isArray(type) ? type.find((of) => of !== "null") : type) as Schema["type"];
    const isJson = kind === "object" && !properties && !one.additionalProperties;
    return {
      type: isJson ? "string" : kind,
      ...(isJson && { isJson, maxLength: longestJson }),
      ...(told && { description: told }),
      ...(one.enum && { enum: one.enum.filter((choice) => choice !== null) }),
      ...(one.maxLength && { maxLength: one.maxLength }),
      ...(told && /ISO 8601/.test(told) && { isDate: true }),
      ...(told && /\bin cents\b/i.test(told) && { isCents: true }),
      ...(items && { items: made(items) }),
      ...(properties && {
        properties: Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, made(of)])),
      }),
      ...(one.required && { required: one.required }),
    };
  };
  return Object.fromEntries(names.map((name) => [name, made(documented(name))]));
}
