/** Checks the books of the investment game after a rush: money and shares, as the API answers them. */
import type { ServiceStage } from "../service/stage.ts";

interface Row {
  readonly cashDelta: number;
}
interface Holding {
  readonly projectId: string;
  readonly shares: number;
}
interface Project {
  readonly projectId: string;
  readonly netShares: number;
  readonly basePrice: number;
  readonly currentPrice: number;
}

const cents = (dollars: number): number => Math.round(dollars * 100);

/**
 * Compares the shares of all holders with the shares of the projects, and the cash of each person with the trades.
 * @param people all people who trade at the event
 * @param reset people whose account was reset; their cash is not compared
 * @returns a sentence for each difference; empty when the books are right
 */
export async function discrepancies(
  stage: ServiceStage,
  eventId: string,
  people: readonly string[],
  { reset = [] }: { readonly reset?: readonly string[] } = {},
): Promise<string[]> {
  const read = async (path: string, as: string) => (await stage.api("GET", `/btx${path}`, { as })).body.data;
  const found: string[] = [];
  // Trades and projects are listed by an index.
  await stage.indexed();
  const held = new Map<string, number>();
  for (const as of people) {
    const { account, holdings } = await read(`/portfolio?eventId=${eventId}`, as);
    if (account.cashBalance < 0) found.push(`${as} has ${account.cashBalance}`);
    for (const { projectId, shares } of holdings as Holding[]) {
      if (shares <= 0) found.push(`${as} holds ${shares} of ${projectId}`);
      held.set(projectId, (held.get(projectId) ?? 0) + shares);
    }
    const trades: Row[] = await read("/trades?limit=500", as);
    const cash = trades.reduce((sum, { cashDelta }) => sum + cents(cashDelta), cents(account.initialBalance));
    if (!reset.includes(as) && cents(account.cashBalance) !== cash) found.push(`${as}: ${cash} by the trades`);
  }
  const projects: Project[] = await read(`/projects?eventId=${eventId}`, people[0] as string);
  for (const { projectId, netShares, basePrice, currentPrice } of projects) {
    if (netShares !== (held.get(projectId) ?? 0))
      found.push(`${projectId}: ${netShares} shares, not ${held.get(projectId)}`);
    if (cents(currentPrice) !== cents(basePrice) + 2 * netShares) found.push(`${projectId} costs ${currentPrice}`);
  }
  return found;
}
