/** Compiles schemas to validators, only in development and at build time: no function contains ajv. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { getProperty } from "ajv/dist/compile/codegen/index.js";
import names from "ajv/dist/compile/names.js";
import { _, type CodeKeywordDefinition, type KeywordCxt } from "ajv/dist/core.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import type { TObject } from "typebox";
import { canonicalForms, formatChecks } from "./formats.ts";
import { changesOf, namesOf, wordsOf } from "./hints.ts";
import { type TSchema, Type } from "./schema.ts";
import type { CompiledSchema, RequestValidator } from "./validation.ts";

/** What a validator is compiled of: the schemas of a request's parts, and what else its contract says about them. */
export interface RequestSchemas {
  /** Path parameters. Strings are converted to numbers according to the schema. */
  readonly params?: TObject;
  /** Query parameters. Strings are converted to numbers and booleans according to the schema. */
  readonly query?: TObject;
  /** JSON body. Strings are not converted. */
  readonly body?: TSchema;
  /**
   * Fields of the body that must equal a parameter of the path: `{ id: "eventId" }`. They identify the record, and cannot be
   * changed.
   */
  readonly fixedByPath?: Readonly<Record<string, string>>;
  /**
   * `true`: the request cannot be undone, so unknown keys of its query and body are refused at every depth: an ignored
   * `sendAt` would send at once.
   */
  readonly irreversible?: true;
}

/** A keyword that replaces a string with its canonical form: `{ canonical: "email" }`. */
const canonicalKeyword = (formatsModule: string): CodeKeywordDefinition => ({
  keyword: "canonical",
  type: "string",
  schemaType: "string",
  code({ gen, data, schema, it: { parentData, parentDataProperty } }) {
    const form = gen.scopeValue("func", {
      ref: canonicalForms[schema],
      code: _`require(${formatsModule}).canonicalForms${getProperty(schema)}`,
    });
    gen.assign(data, _`${form}(${data})`);
    gen.if(_`${parentData} !== undefined`, () => gen.assign(_`${parentData}[${parentDataProperty}]`, data));
  },
});

/** A keyword that clamps a number: `{ atMost: 500 }`. Infinity is kept, to be refused. */
const atMostKeyword: CodeKeywordDefinition = {
  keyword: "atMost",
  type: "number",
  schemaType: "number",
  code({ gen, data, schema, it: { parentData, parentDataProperty } }) {
    gen.if(_`${data} > ${schema} && ${data} !== Infinity`, () => {
      gen.assign(data, _`${schema}`);
      gen.if(_`${parentData} !== undefined`, () => gen.assign(_`${parentData}[${parentDataProperty}]`, data));
    });
  },
};

/** A keyword that replaces a number with its digits, and 0 with a blank text: `{ asText: true }`. */
const asTextKeyword: CodeKeywordDefinition = {
  keyword: "asText",
  type: "number",
  schemaType: "boolean",
  code({ gen, data, it: { parentData, parentDataProperty } }) {
    gen.assign(data, _`${data} === 0 ? "" : String(${data})`);
    gen.if(_`${parentData} !== undefined`, () => gen.assign(_`${parentData}[${parentDataProperty}]`, data));
  },
};

/** Errors after which no more entries of a list or record are validated: responses contain at most twenty. */
const enough = 100;

/** Keywords that validate each entry of a list or record, with the keyword that limits its size. */
const entryKeywords = {
  items: { limit: "maxItems", before: "uniqueItems" },
  patternProperties: { limit: "maxProperties" },
  additionalProperties: { limit: "maxProperties", before: "properties" },
} as const;

/**
 * The same keyword, but it skips lists and records that are too large, and stops after enough errors. ajv copies all
 * previous errors for each invalid entry, which would take quadratic time (`addErrorsFrom` in https://github.com/ajv-validator/ajv/blob/v8.17.1/lib/vocabularies/core/ref.ts).
 */
function bounded(known: CodeKeywordDefinition, keyword: keyof typeof entryKeywords): CodeKeywordDefinition {
  const { limit, ...order } = entryKeywords[keyword];
  const code = (context: KeywordCxt): void => {
    const { gen, data, parentSchema } = context;
    const most = parentSchema[limit] as number | undefined;
    const size = keyword === "items" ? _`${data}.length` : _`Object.keys(${data}).length`;
    const look = () => {
      const before = gen.const("before", names.default.errors);
      const subschema = context.subschema.bind(context);
      context.subschema = (entry, valid) => {
        const looked = subschema(entry, valid);
        gen.if(_`${names.default.errors} > ${before} + ${enough}`, () => gen.break());
        return looked;
      };
      known.code(context);
    };
    if (most === undefined) look();
    else gen.if(_`${size} <= ${most}`, look);
  };
  return { ...known, ...order, keyword, code };
}

/** Each ajv would compile the schema of schemas anew, which takes longer than what it is for. */
const ofSchemas = new Ajv2020({ strict: false });

/** @throws Error when it is no valid schema */
function compiled(ajv: Ajv2020, schema: TSchema) {
  void ofSchemas.validateSchema(schema, true);
  return ajv.compile(schema);
}

/**
 * @param coerceTypes strings become numbers and booleans: for parameters, never for bodies
 * @param formatsModule the module that generated code takes formats from
 */
function ajvFor(coerceTypes: boolean, formatsModule = "./formats.ts"): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    allErrors: true,
    removeAdditional: true,
    ownProperties: true,
    coerceTypes,
    validateSchema: false,
    // The service has its own messages (`validation.ts`).
    messages: false,
    formats: formatChecks,
    code: { source: true, esm: true, formats: _`require(${formatsModule}).formatChecks` },
  });
  for (const keyword of Object.keys(entryKeywords) as (keyof typeof entryKeywords)[]) {
    const known = ajv.getKeyword(keyword) as CodeKeywordDefinition;
    ajv.removeKeyword(keyword).addKeyword(bounded(known, keyword));
  }
  return ajv.addKeyword(canonicalKeyword(formatsModule)).addKeyword(atMostKeyword).addKeyword(asTextKeyword);
}

function parametersSchema({ params, query }: RequestSchemas): TSchema | undefined {
  if (!params && !query) return undefined;
  // The request itself is an open object, because it has more parts than the schema describes.
  return Type.Object({ ...(params && { pathParameters: params }), ...(query && { queryStringParameters: query }) });
}

/** Hints for callers from the schemas of a contract. */
export function contractHints(contract: RequestSchemas): NonNullable<RequestValidator["hints"]> {
  const { query, body, fixedByPath, irreversible } = contract;
  const changes = body && changesOf(body);
  const parameters = parametersSchema(contract);
  // An irreversible request knows no key where it has no schema.
  const namesIn = (schema: TSchema | undefined, more: object = {}) => {
    const names = namesOf(schema);
    return irreversible ? { ...names, "": [...(names[""] ?? []), ...Object.keys(more)] } : names;
  };
  return {
    ...((parameters || irreversible) && {
      parameters: { words: parameters ? wordsOf(parameters) : {}, names: namesIn(query) },
    }),
    ...((body || irreversible) && { body: { words: body ? wordsOf(body) : {}, names: namesIn(body, fixedByPath) } }),
    ...(changes && { changes }),
    ...(fixedByPath && { fixedByPath }),
    ...(irreversible && { irreversible }),
  };
}

export function compileValidator(contract: RequestSchemas): RequestValidator {
  const parameters = parametersSchema(contract);
  return {
    hints: contractHints(contract),
    ...(parameters && { parameters: compiled(ajvFor(true), parameters) as CompiledSchema }),
    ...(contract.body && { body: compiled(ajvFor(false), contract.body) as CompiledSchema }),
  };
}

/** Whether it is for the reference only. The schema of a field called `description` or `examples` is an object. */
const isSaid = (name: string, value: unknown): boolean =>
  (name === "description" && typeof value === "string") || (name === "examples" && Array.isArray(value));

const withoutTexts = (schema: TSchema): TSchema =>
  JSON.parse(JSON.stringify(schema, (name, value) => (isSaid(name, value) ? undefined : value))) as TSchema;

/**
 * The same validators as source text. The default export of each module is the validating function. The modules
 * `require` the formats module and parts of ajv's runtime, and the bundler resolves both.
 */
export function validatorSources(contract: RequestSchemas, formatsModule: string) {
  const sourceOf = (schema: TSchema | undefined, coerceTypes: boolean): string | undefined => {
    if (schema === undefined) return undefined;
    const ajv = ajvFor(coerceTypes, formatsModule);
    return standaloneCode.default(ajv, compiled(ajv, withoutTexts(schema)));
  };
  return { parameters: sourceOf(parametersSchema(contract), true), body: sourceOf(contract.body, false) };
}
