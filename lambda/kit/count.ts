/** Collects the counts of an invocation, each of any metric. `counting.ts` prints them. */
import { AsyncLocalStorage } from "node:async_hooks";

/** One value of a metric. */
export interface Count {
  readonly name: string;
  readonly value: number;
  /** A unit of CloudWatch. It has none for money: such values are cents. */
  readonly unit: "Count" | "None";
}

/** The counts of each invocation. On the laptop one process runs many invocations at once. */
export const countsOfInvocation = new AsyncLocalStorage<Count[]>();

/**
 * Counts what has happened. Outside an invocation, as in a command, nothing is counted. A stored amount that is no number
 * counts as 0: the printer would throw, and the answer to a change that is committed would be an error.
 */
export function count(one: Count): void {
  countsOfInvocation.getStore()?.push({ ...one, value: Number.isFinite(one.value) ? one.value : 0 });
}

const planned = new WeakMap<object, readonly Count[]>();

/** Plans counts for the moment when the transaction with this member is committed. @returns the member itself */
export function countWhenCommitted<M extends object>(member: M, counts: readonly Count[]): M {
  if (counts.length > 0) planned.set(member, counts);
  return member;
}

/** Counts what was planned with the members of a transaction. Call it once, when the transaction is committed. */
export function countCommitted(members: readonly object[]): void {
  for (const one of members.flatMap((member) => planned.get(member) ?? [])) count(one);
}
