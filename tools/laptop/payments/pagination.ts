/** Lists of objects, page by page: https://docs.stripe.com/api/pagination. Pure. */
import type Stripe from "stripe";
import type { Parameters } from "./parameters.ts";

/** What every list can be asked. */
export type Paged = Pick<Stripe.DisputeListParams, "limit" | "starting_after" | "created" | "expand">;

export interface Listing<One extends { readonly id: string; readonly created: number }> {
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
export function pageOf<One extends { readonly id: string; readonly created: number }>(
  parameters: Parameters<Paged>,
  listing: Listing<One>,
): object {
  const { url, find, matches = () => true, object } = listing;
  const limit = parameters.integer("limit", { least: 1, most: 100 }) ?? 10;
  const after = parameters.text("starting_after");
  const interval = parameters.object("created");
  const since = interval?.integer("gte", { least: 0, most: Number.MAX_SAFE_INTEGER }) ?? 0;
  interval?.end();
  parameters.end();
  const all = [...listing.all].reverse();
  const from = after === undefined ? 0 : all.indexOf(find(after)) + 1;
  const found = all.slice(from).filter((one) => one.created >= since && matches(one));
  const page = found.slice(0, limit);
  return { object: "list", url, has_more: page.length < found.length, data: page.map(object) };
}
