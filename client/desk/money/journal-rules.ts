/** What the journal says of the accounts and of payouts. Pure. */
import type { components } from "../../paths.ts";

export type Journal = components["schemas"]["Journal"];

/** The journal of all its pages, and what stands in the accounts after it. */
interface WholeJournal extends Journal {
  readonly closing: Journal["opening"];
}

export function joined(pages: readonly Journal[]): WholeJournal {
  const [first] = pages;
  const opening = first?.opening ?? { provider: 0, cash: 0, bank: 0 };
  const closing = { ...opening };
  const rows = pages.flatMap((page) => page.rows);
  for (const { account, balance } of rows) closing[account] = balance ?? closing[account];
  return { opening, closing, rows, readUntil: first?.readUntil ?? 0 };
}

interface Payout {
  readonly id: string;
  readonly at: number;
  readonly amount: number;
  /** Movements in it that the journal's time has. */
  readonly rows: number;
  readonly isFailed: boolean;
}

/** The provider's transfers to the bank. */
export const payoutsOf = (rows: Journal["rows"]): readonly Payout[] =>
  rows
    .filter(({ kind, account }) => account === "bank" && (kind === "payout" || kind === "payout failed"))
    .map(({ id, source = id, at, amount, kind }) => ({
      ...{ id: source, at, amount, isFailed: kind === "payout failed" },
      rows: rows.filter(({ payout, account }) => payout === source && account === "provider").length,
    }));
