/** The placeholders of templates and their values. Pure. */
import { oneLine } from "#kit/text/text.ts";

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

/** Placeholders that may be the target of a link, because the service generates their values. */
export const addresses: readonly string[] = ["event.url", "unsubscribe"];

/** The values of the placeholders. An absent value renders as empty, and is false in an `if`. */
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
  /** The link to unsubscribe from campaigns. */
  readonly unsubscribe?: string;
}

/** The values that are present, each on a single line. */
const lines = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" ? [[name, oneLine(String(value))] as const] : [],
  );

/** The values as the template language reads them. */
export const scopeOf = ({ event = {}, ...own }: Values) => ({
  ...Object.fromEntries(lines(own)),
  event: Object.fromEntries(lines(event)),
});
