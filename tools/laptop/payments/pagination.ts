/** Lists of objects, page by page: https://docs.stripe.com/api/pagination. Pure. */
import type { Parameters } from "./parameters.ts";

export interface Listing<One extends { readonly id: string }> {
  /** The list's path. */
  readonly url: string;
  /** Oldest first. */
  readonly all: readonly One[];
  /** @throws PaymentProblem when there is no such record */
  readonly find: (id: string) => One;
  readonly matches?: (one: One) => boolean;
  readonly object: (one: One) => object;
}

/** Reads the parameters of a page, and then all must have been read. The newest come first. */
export function pageOf<One extends { readonly id: string }>(parameters: Parameters, listing: Listing<One>): object {
  const { url, find, matches = () => true, object } = listing;
  const limit = parameters.integer("limit", { least: 1, most: 100 }) ?? 10;
  const after = parameters.text("starting_after");
  const before = parameters.text("ending_before");
  parameters.end();
  const all = [...listing.all].reverse();
  const indexOf = (id: string): number => all.indexOf(find(id));
  const from = after === undefined ? 0 : indexOf(after) + 1;
  const to = before === undefined ? all.length : indexOf(before);
  const found = all.slice(from, to).filter(matches);
  const page = before === undefined ? found.slice(0, limit) : found.slice(-limit);
  return { object: "list", url, has_more: page.length < found.length, data: page.map(object) };
}
