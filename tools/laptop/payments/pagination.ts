/** Lists of objects, page by page: https://docs.stripe.com/api/pagination. Pure. */
import type { Parameters } from "./parameters.ts";

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

/** @returns whether a time in epoch seconds is in the interval of the parameter `created` */
function createdIn(parameters: Parameters): (created: number) => boolean {
  const interval = parameters.object("created");
  const limits = { least: 0, most: Number.MAX_SAFE_INTEGER };
  const [gte, gt, lte, lt] = ["gte", "gt", "lte", "lt"].map((name) => interval?.integer(name, limits));
  interval?.end();
  return (created) =>
    created >= (gte ?? 0) && created > (gt ?? -1) && created <= (lte ?? created) && created < (lt ?? created + 1);
}

/** Reads the parameters of a page, and then all must have been read. The newest come first. */
export function pageOf<One extends { readonly id: string; readonly created: number }>(
  parameters: Parameters,
  listing: Listing<One>,
): object {
  const { url, find, matches = () => true, object } = listing;
  const limit = parameters.integer("limit", { least: 1, most: 100 }) ?? 10;
  const after = parameters.text("starting_after");
  const before = parameters.text("ending_before");
  const isIn = createdIn(parameters);
  parameters.end();
  const all = [...listing.all].reverse();
  const indexOf = (id: string): number => all.indexOf(find(id));
  const from = after === undefined ? 0 : indexOf(after) + 1;
  const to = before === undefined ? all.length : indexOf(before);
  const found = all.slice(from, to).filter((one) => isIn(one.created) && matches(one));
  const page = before === undefined ? found.slice(0, limit) : found.slice(-limit);
  return { object: "list", url, has_more: page.length < found.length, data: page.map(object) };
}
