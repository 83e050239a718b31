/** What a template may name. Pure. */
import { oneLine } from "#kit/text.ts";

/** Every placeholder there is, as it stands between the braces. */
export const placeholders = [
  "fname",
  "lname",
  "email",
  "event.id",
  "event.year",
  "event.ename",
  "event.elocation",
  "event.startDate",
  "event.endDate",
  "event.when",
  "event.url",
  "unsubscribe",
] as const;

/** Addresses that the service makes: only these may be where a link leads, because nobody else has a say in them. */
export const addresses: readonly string[] = ["event.url", "unsubscribe"];

/** What the placeholders stand for. What is not given is empty, and false in an `if`. */
export interface Values {
  readonly fname?: string;
  readonly lname?: string;
  readonly email?: string;
  readonly event?: {
    readonly id?: string;
    readonly year?: string | number;
    readonly ename?: string;
    readonly elocation?: string;
    readonly startDate?: string;
    readonly endDate?: string;
    readonly when?: string;
    readonly url?: string;
  };
  /** Where to write to get no more of these mails. */
  readonly unsubscribe?: string;
}

type Scope = { [name: string]: string | Scope };

/** The values of known placeholders alone, each a single line, without a prototype. */
export function scopeOf(values: Values): Scope {
  const scope: Scope = Object.create(null);
  for (const name of placeholders) {
    const [root = "", leaf] = name.split(".");
    const part = (values as Record<string, unknown>)[root];
    const value = leaf === undefined ? part : (part as Record<string, unknown> | undefined)?.[leaf];
    if (typeof value !== "string" && typeof value !== "number") continue;
    const text = oneLine(String(value));
    if (leaf === undefined) scope[root] = text;
    else {
      scope[root] ??= Object.create(null) as Scope;
      (scope[root] as Scope)[leaf] = text;
    }
  }
  return scope;
}
