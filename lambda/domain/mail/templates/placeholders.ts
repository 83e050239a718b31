/** The placeholders of templates and their values. Pure. */
import { oneLine } from "#kit/text.ts";

/** All placeholders, as a template writes them between the braces. */
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

/**
 * Placeholders that may be the target of a link. The service makes their values, so no other person can choose them.
 */
export const addresses: readonly string[] = ["event.url", "unsubscribe"];

/** The values of the placeholders. An absent value is empty, and false in an `if`. */
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
  /** The link to get no more campaigns. */
  readonly unsubscribe?: string;
}

type Scope = { [name: string]: string | Scope };

/** The values of known placeholders only, each on a single line. The objects have no prototype. */
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
