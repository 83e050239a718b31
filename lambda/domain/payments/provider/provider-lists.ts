/** The provider's lists, page by page, the latest objects first: https://docs.stripe.com/api/pagination */
import { classified } from "./classified.ts";
import { limit, stripe } from "./provider.ts";

/** In the order in which they are read: a payment is settled before its refunds are noted. */
export const lists = ["sessions", "transactions", "refunds", "disputes", "payouts"] as const;
export type ListName = (typeof lists)[number];

/** An object of a list. */
export interface Listed {
  readonly id: string;
}

export interface ListPage {
  readonly objects: readonly Listed[];
  readonly hasMore: boolean;
}

export interface Position {
  readonly list: ListName;
  /** Epoch milliseconds: only objects that were created since. */
  readonly since: number;
  /** The id of the previous page's last object. */
  readonly after?: string | undefined;
}

/** The provider does not know the object any more after which a page was asked for. */
export class UnknownPosition extends Error {}

/** What the provider lists. */
export interface ProviderLists {
  /** @throws Unavailable UnknownPosition */
  page(position: Position): Promise<ListPage>;
}

export const providerLists: ProviderLists = {
  async page({ list, since, after }) {
    const client = await stripe();
    const asked = { created: { gte: Math.floor(since / 1_000) }, limit, ...(after && { starting_after: after }) };
    const read = {
      sessions: () => client.checkout.sessions.list(asked),
      transactions: () => client.balanceTransactions.list({ ...asked, expand: ["data.source"] }),
      refunds: () => client.refunds.list(asked),
      disputes: () => client.disputes.list(asked),
      payouts: () => client.payouts.list(asked),
    };
    try {
      const { data, has_more } = await read[list]();
      return { objects: data, hasMore: has_more };
    } catch (error) {
      const { code } = error as { readonly code?: string };
      if (after !== undefined && code === "resource_missing") throw new UnknownPosition(after);
      throw classified(error);
    }
  },
};
