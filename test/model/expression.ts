/** DynamoDB's condition and update expressions, as far as the product sends them. Each text is parsed once. */

export type Item = Readonly<Record<string, unknown>>;

/** The placeholders of one call. */
export interface Placeholders {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

export class InvalidExpression extends Error {}

type Read = (item: Item, given: Placeholders) => unknown;
type Test = (item: Item, given: Placeholders) => boolean;
type Path = readonly string[];

const tokenPattern = /\s*(<>|<=|>=|[=<>(),+\-.]|[#:]?[A-Za-z0-9_]+)/y;

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.trimEnd().length) {
    const from = tokenPattern.lastIndex;
    const token = tokenPattern.exec(text)?.[1];
    if (token === undefined) throw new InvalidExpression(`cannot read "${text.slice(from)}"`);
    tokens.push(token);
  }
  return tokens;
}

const walk = (item: unknown, path: Path, { names }: Placeholders): unknown => {
  let value = item;
  for (const step of path) {
    if (value === null || typeof value !== "object") return undefined;
    value = (value as Record<string, unknown>)[nameOf(step, names)];
  }
  return value;
};

function nameOf(step: string, names: Placeholders["names"]): string {
  if (!step.startsWith("#")) return step;
  const name = names[step];
  if (name === undefined) throw new InvalidExpression(`no name for ${step}`);
  return name;
}

function givenValue(placeholder: string, values: Placeholders["values"]): unknown {
  if (!(placeholder in values)) throw new InvalidExpression(`no value for ${placeholder}`);
  return values[placeholder];
}

const equal = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
const ordered = (a: unknown, b: unknown): boolean =>
  typeof a === typeof b && (typeof a === "number" || typeof a === "string");

/** A missing attribute differs from every value and is neither less nor more than any value. */
const comparisons: Record<string, (a: never, b: never) => boolean> = {
  "=": (a, b) => a !== undefined && b !== undefined && equal(a, b),
  "<>": (a, b) => !equal(a, b),
  "<": (a, b) => ordered(a, b) && a < b,
  "<=": (a, b) => ordered(a, b) && a <= b,
  ">": (a, b) => ordered(a, b) && a > b,
  ">=": (a, b) => ordered(a, b) && a >= b,
};

class Parser {
  readonly #tokens: readonly string[];
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokensOf(text);
  }

  get done(): boolean {
    return this.#at >= this.#tokens.length;
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new InvalidExpression(`"${this.#text}" ends too early`);
    this.#at += 1;
    return token;
  }

  take(token: string): boolean {
    const taken = this.#tokens[this.#at] === token;
    if (taken) this.#at += 1;
    return taken;
  }

  #demand(token: string): void {
    if (!this.take(token)) throw new InvalidExpression(`"${this.#text}" lacks ${token}`);
  }

  path(): Path {
    const path = [this.#next()];
    while (this.take(".")) path.push(this.#next());
    if (!/^#?[A-Za-z0-9_]+$/.test(path[0] ?? "")) throw new InvalidExpression(`${path[0]} is no path`);
    return path;
  }

  #operand(): Read {
    if (this.#tokens[this.#at]?.startsWith(":")) {
      const placeholder = this.#next();
      return (_item, { values }) => givenValue(placeholder, values);
    }
    const path = this.path();
    return (item, given) => walk(item, path, given);
  }

  condition(): Test {
    const either = [this.#conjunction()];
    while (this.take("OR")) either.push(this.#conjunction());
    return (item, given) => either.map((test) => test(item, given)).includes(true);
  }

  #conjunction(): Test {
    const all = [this.#factor()];
    while (this.take("AND")) all.push(this.#factor());
    return (item, given) => !all.map((test) => test(item, given)).includes(false);
  }

  #factor(): Test {
    if (this.take("NOT")) {
      const test = this.#factor();
      return (item, given) => !test(item, given);
    }
    if (this.take("(")) {
      const test = this.condition();
      this.#demand(")");
      return test;
    }
    for (const [name, wanted] of [
      ["attribute_exists", true],
      ["attribute_not_exists", false],
    ] as const) {
      if (this.take(name)) {
        this.#demand("(");
        const path = this.path();
        this.#demand(")");
        return (item, given) => (walk(item, path, given) !== undefined) === wanted;
      }
    }
    if (this.take("begins_with")) {
      this.#demand("(");
      const value = this.#operand();
      this.#demand(",");
      const prefix = this.#operand();
      this.#demand(")");
      return (item, given) => String(value(item, given) ?? "").startsWith(String(prefix(item, given)));
    }
    return this.#comparison();
  }

  #comparison(): Test {
    const left = this.#operand();
    if (this.take("BETWEEN")) {
      const low = this.#operand();
      this.#demand("AND");
      const high = this.#operand();
      return (item, given) => {
        const value = left(item, given) as never;
        return (
          comparisons[">="]?.(value, low(item, given) as never) === true &&
          comparisons["<="]?.(value, high(item, given) as never) === true
        );
      };
    }
    const compare = comparisons[this.#next()];
    if (!compare) throw new InvalidExpression(`"${this.#text}" compares with something unknown`);
    const right = this.#operand();
    return (item, given) => compare(left(item, given) as never, right(item, given) as never);
  }

  /** The value that SET writes: an operand, a default for a missing one, or a sum. */
  sum(): Read {
    const left = this.#term();
    const sign = this.take("+") ? 1 : this.take("-") ? -1 : 0;
    if (sign === 0) return left;
    const right = this.#term();
    return (item, given) => {
      const [a, b] = [left(item, given), right(item, given)];
      if (typeof a !== "number" || typeof b !== "number") throw new InvalidExpression("only numbers can be added");
      return a + sign * b;
    };
  }

  #term(): Read {
    if (!this.take("if_not_exists")) return this.#operand();
    this.#demand("(");
    const path = this.path();
    this.#demand(",");
    const otherwise = this.#operand();
    this.#demand(")");
    return (item, given) => walk(item, path, given) ?? otherwise(item, given);
  }
}

const remembered = <T>(parse: (text: string) => T): ((text: string) => T) => {
  const known = new Map<string, T>();
  return (text) => {
    const parsed = known.get(text) ?? parse(text);
    known.set(text, parsed);
    return parsed;
  };
};

const parseCondition = remembered((text): Test => {
  const parser = new Parser(text);
  const test = parser.condition();
  if (!parser.done) throw new InvalidExpression(`"${text}" does not end`);
  return test;
});

/** A change without a value removes the attribute. */
interface Change {
  readonly path: Path;
  readonly value?: Read;
}

const parseUpdate = remembered((text): readonly Change[] => {
  const parser = new Parser(text);
  const changes: Change[] = [];
  while (!parser.done) {
    const isSet = parser.take("SET");
    const removes = !isSet && parser.take("REMOVE");
    if (!isSet && !removes && !parser.take("ADD")) throw new InvalidExpression(`"${text}" does nothing known`);
    do {
      const path = parser.path();
      if (removes) {
        changes.push({ path });
        continue;
      }
      if (isSet && !parser.take("=")) throw new InvalidExpression(`"${text}" lacks =`);
      const value = parser.sum();
      changes.push(isSet ? { path, value } : { path, value: added(path, value) });
    } while (parser.take(","));
  }
  return changes;
});

const added =
  (path: Path, value: Read): Read =>
  (item, given) =>
    ((walk(item, path, given) ?? 0) as number) + (value(item, given) as number);

/** Like DynamoDB, refuses placeholders that are given but not used. */
export function checkPlaceholders(texts: readonly (string | undefined)[], { names, values }: Placeholders): void {
  const used = new Set(texts.flatMap((text) => (text ? tokensOf(text) : [])));
  for (const placeholder of [...Object.keys(names), ...Object.keys(values)]) {
    if (!used.has(placeholder)) throw new InvalidExpression(`${placeholder} is not used`);
  }
}

export const holds = (condition: string | undefined, item: Item | undefined, given: Placeholders): boolean =>
  condition === undefined || parseCondition(condition)(item ?? {}, given);

/** The item after an update. Every operand is read from the item before it. */
export function updated(item: Item, update: string, given: Placeholders): Item {
  const changes = parseUpdate(update).map(({ path, value }) => {
    const computed = value?.(item, given);
    if (value && computed === undefined) throw new InvalidExpression("refers to an attribute that is not in the item");
    return { path: path.map((step) => nameOf(step, given.names)), computed };
  });
  const after = structuredClone(item) as Record<string, unknown>;
  for (const { path, computed } of changes) {
    let parent: Record<string, unknown> = after;
    for (const step of path.slice(0, -1)) {
      const child = parent[step];
      if (child === null || typeof child !== "object") throw new InvalidExpression("the document path is invalid");
      parent = child as Record<string, unknown>;
    }
    const name = path.at(-1) as string;
    if (computed === undefined) delete parent[name];
    else parent[name] = computed;
  }
  return after;
}
