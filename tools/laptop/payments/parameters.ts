/**
 * Reads parameters one by one, with the provider's error messages. The SDK's type of the request says which names there are:
 * no other is accepted.
 */
import type { Form, FormValue } from "./form.ts";
import { InvalidParameter } from "./problem.ts";

/** Characters of the longest text. */
const longestText = 5_000;

const invalid = (message: string, param: string, code?: string): InvalidParameter =>
  new InvalidParameter(400, message, { param, ...(code && { code }) });

/** The names of a request's parameters. */
type Name<Known> = keyof Known & string;
/** The type of an object inside, or of a list's elements. */
type Inner<Known, Key extends keyof Known> =
  Exclude<Known[Key], undefined> extends infer Value
    ? Value extends readonly (infer Element)[]
      ? Element
      : Extract<Value, object>
    : never;

/** @typeParam Known the SDK's type of the request */
export class Parameters<Known> {
  readonly #form: Form;
  readonly #path: string;
  readonly #read = new Set<string>();

  /** @param path the object's name in the form; empty for the whole form */
  constructor(form: Form, path = "") {
    this.#form = form;
    this.#path = path;
  }

  /** A parameter's name in the form. */
  nameOf(name: string): string {
    return this.#path === "" ? name : `${this.#path}[${name}]`;
  }

  /** @throws InvalidParameter with this message */
  refuse(name: Name<Known>, message: string, code?: string): never {
    throw invalid(message, this.nameOf(name), code);
  }

  text(name: Name<Known>, longest = longestText): string | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (typeof value !== "string") this.refuse(name, `Invalid string: ${JSON.stringify(value)}`);
    if (value === "") {
      this.refuse(name, `You passed an empty string for '${this.nameOf(name)}'.`, "parameter_invalid_empty");
    }
    if (value.length > longest) {
      this.refuse(name, `Invalid string: must be at most ${longest} characters`, "parameter_invalid_string");
    }
    return value;
  }

  requiredText(name: Name<Known>, longest?: number): string {
    return this.text(name, longest) ?? this.#missing(name);
  }

  boolean(name: Name<Known>): boolean | undefined {
    const text = this.text(name);
    if (text === undefined || text === "true" || text === "false")
      return text === undefined ? undefined : text === "true";
    return this.refuse(name, `Invalid boolean: ${text}`);
  }

  /** One of at least three words. */
  choice<Word extends string>(name: Name<Known>, words: readonly Word[]): Word | undefined {
    const text = this.text(name);
    const word = words.find((one) => one === text);
    if (text === undefined || word !== undefined) return word;
    return this.refuse(name, `Invalid ${name}: must be one of ${words.slice(0, -1).join(", ")}, or ${words.at(-1)}`);
  }

  /** Texts in a list; empty when the parameter is absent. */
  texts(name: Name<Known>): readonly string[] {
    const value = this.#value(name) ?? [];
    if (!Array.isArray(value)) this.refuse(name, "Invalid array");
    return value.map((one) => (typeof one === "string" ? one : this.refuse(name, "Invalid string")));
  }

  /** An absolute address that a browser can be sent to. */
  address(name: Name<Known>): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const isAddress = /^https?:\/\//i.test(text) && URL.canParse(text);
    return isAddress ? text : this.refuse(name, "Not a valid URL", "url_invalid");
  }

  integer(name: Name<Known>, { least, most }: { readonly least: number; readonly most: number }): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (!/^-?\d+$/.test(text)) this.refuse(name, `Invalid integer: ${text}`, "parameter_invalid_integer");
    if (value < least) {
      this.refuse(name, `This value must be greater than or equal to ${least}.`, "parameter_invalid_integer");
    }
    if (value > most) {
      this.refuse(name, `This value must be less than or equal to ${most}.`, "parameter_invalid_integer");
    }
    return value;
  }

  requiredInteger(name: Name<Known>, limits: { readonly least: number; readonly most: number }): number {
    return this.integer(name, limits) ?? this.#missing(name);
  }

  object<Key extends Name<Known>>(name: Key): Parameters<Inner<Known, Key>> | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (typeof value !== "object" || Array.isArray(value)) this.refuse(name, "Invalid object");
    return new Parameters(value, this.nameOf(name));
  }

  requiredObject<Key extends Name<Known>>(name: Key): Parameters<Inner<Known, Key>> {
    return this.object(name) ?? this.#missing(name);
  }

  /** Objects in a list. */
  list<Key extends Name<Known>>(name: Key): Parameters<Inner<Known, Key>>[] {
    const value = this.#value(name) ?? this.#missing(name);
    if (!Array.isArray(value)) this.refuse(name, "Invalid array");
    return value.map((one, index) => {
      const path = `${this.nameOf(name)}[${index}]`;
      if (typeof one !== "object" || Array.isArray(one)) throw invalid("Invalid object", path);
      return new Parameters(one, path);
    });
  }

  /** The caller's metadata: up to 50 texts with keys. Empty texts are dropped. */
  metadata(name: Name<Known>): Readonly<Record<string, string>> {
    const value = this.#value(name);
    if (value === undefined || value === "") return {};
    if (typeof value !== "object" || Array.isArray(value)) this.refuse(name, "Invalid object");
    const entries = Object.entries(value);
    if (entries.length > 50) this.refuse(name, "Metadata can have up to 50 keys.");
    for (const [key, text] of entries) {
      const param = `${this.nameOf(name)}[${key}]`;
      if (typeof text !== "string") throw invalid("Metadata values must be strings.", param);
      if (key.length > 40) throw invalid("Metadata keys can have up to 40 characters.", param);
      if (text.length > 500) throw invalid("Metadata values can have up to 500 characters.", param);
    }
    return Object.fromEntries(entries.filter(([, text]) => text !== "")) as Record<string, string>;
  }

  /** Accepts parameters that have no effect here. */
  ignore(...names: Name<Known>[]): void {
    for (const name of names) this.#read.add(name);
  }

  /** @throws InvalidParameter for the first parameter that was never read */
  end(): void {
    const unknown = Object.keys(this.#form).find((name) => !this.#read.has(name));
    if (unknown === undefined) return;
    throw invalid(`Received unknown parameter: ${this.nameOf(unknown)}`, this.nameOf(unknown), "parameter_unknown");
  }

  #value(name: Name<Known>): FormValue {
    this.#read.add(name);
    return this.#form[name];
  }

  #missing(name: Name<Known>): never {
    return this.refuse(name, `Missing required param: ${this.nameOf(name)}.`, "parameter_missing");
  }
}
