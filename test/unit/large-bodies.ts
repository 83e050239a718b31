/** Bodies with large lists and records, made of a schema: one for each list and record that it has, at every depth. */

/** A schema as plain JSON. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly maxItems?: number;
}

/** A body whose list or record at `place` is `inside`. */
type Wrap = (inside: () => unknown) => unknown;

interface Large {
  readonly place: string;
  readonly isList: boolean;
  readonly entry: Schema;
  readonly wrap: Wrap;
  /** Lists that are around this one: each holds as many of it as it may. */
  readonly copies: number;
}

const is = ({ type = [] }: Schema, one: string): boolean => [type].flat().includes(one);

/** All lists and records inside a schema. */
function* largeParts(schema: Schema, place = "", copies = 1, wrap: Wrap = (inside) => inside()): Generator<Large> {
  for (const choice of schema.anyOf ?? []) yield* largeParts(choice, place, copies, wrap);
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    yield* largeParts(inner, `${place}/${name}`, copies, (inside) => wrap(() => ({ [name]: inside() })));
  }
  if (is(schema, "array")) {
    const { items = {}, maxItems = 1_000 } = schema;
    yield { place, isList: true, entry: items, wrap, copies };
    const all: Wrap = (inside) => wrap(() => Array.from({ length: maxItems }, inside));
    yield* largeParts(items, `${place}/*`, copies * maxItems, all);
    if (copies * maxItems > 1) yield* largeParts(items, `${place}/0`, copies, (inside) => wrap(() => [inside()]));
  }
  const { additionalProperties, patternProperties = {} } = schema;
  const [entry] = [
    ...Object.values(patternProperties),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ];
  if (entry) {
    yield { place, isList: false, entry, wrap, copies };
    yield* largeParts(entry, `${place}/k`, copies, (inside) => wrap(() => ({ k: inside() })));
  }
}

/** Entries that fit no list, or only in part. */
const entries: Readonly<Record<string, (entry: Schema) => unknown>> = {
  "empty objects": () => ({}),
  "objects of unknown fields": () => ({ zz: 0 }),
  "misspelled fields": ({ properties = {} }) => {
    const [name = "a"] = Object.keys(properties);
    return { [name.toUpperCase()]: 0 };
  },
  numbers: () => 0,
  nulls: () => null,
  "empty texts": () => "",
  "control characters": () => "\u0007",
  "empty lists": () => [],
  "lists of numbers": () => [0],
};

/** Texts of about `n` characters of JSON, by what is large in them. */
export function largeBodies(schema: object): Readonly<Record<string, (n: number) => string>> {
  const parts = [...largeParts(schema as Schema)].flatMap(({ place, isList, entry, wrap, copies }) =>
    Object.entries(entries).map(([kind, make]) => {
      const one = make(entry);
      const size = JSON.stringify(one).length + 1 + (isList ? 0 : 9);
      const body = (n: number): string => {
        const count = Math.ceil(n / size / copies);
        return JSON.stringify(
          wrap(() =>
            isList
              ? Array.from({ length: count }, () => one)
              : Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, one])),
          ),
        );
      };
      return [`${place} of ${kind}`, body] as const;
    }),
  );
  return Object.fromEntries([
    ...parts,
    ["unknown fields", (n) => `{${Array.from({ length: n / 9 }, (_, at) => `"z${at}":1`).join()}}`],
    ["a known name with separators", (n) => nameWithSeparators(schema as Schema, n)],
  ]);
}

/** A name of a field with `n` separators inside, which a reader might take for a misspelling. */
function nameWithSeparators({ properties = {} }: Schema, n: number): string {
  const [name = "a"] = Object.keys(properties);
  return JSON.stringify({ [`${name.slice(0, 1)}${"/".repeat(n)}${name.slice(1)}`]: 1 });
}
