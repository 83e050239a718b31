/**
 * A message stands in the transaction of the change that it tells of (`docs/design.md`, "Overview", rule 2): written later, a
 * crash between the two would lose it.
 */

/** Messages that tell of no change of the table: what is told to each seat holder, or was heard from another service. */
const alone: ReadonlySet<string> = new Set([
  ...["registration.updated", "campaign.batch", "export.requested", "links.requested"],
  ...["payment.paidOut", "payment.payoutFailed", "payment.disputeHeard"],
]);

/**
 * @param written the items that a transaction puts; undefined for its other members
 * @returns what is wrong, if it has nothing but messages
 */
export function loneMessage(written: readonly (Readonly<Record<string, unknown>> | undefined)[]): string | undefined {
  if (!written.every((item) => String(item?.PK).startsWith("OUT#"))) return undefined;
  const type = written.map((item) => String(item?.detailType)).find((one) => !alone.has(one));
  return type && `The message ${type} is written alone. Write it in the transaction of the change that it tells of.`;
}
