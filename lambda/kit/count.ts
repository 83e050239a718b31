/** Collects the counts of an invocation, each of any metric. `counting.ts` prints them. */
import { AsyncLocalStorage } from "node:async_hooks";

/** One value of a metric. */
export interface Count {
  readonly name: string;
  readonly value: number;
  /** A unit of CloudWatch. It has none for money, which is in cents. */
  readonly unit: "Count" | "None";
}

/** The counts of each invocation. On the laptop one process runs many invocations concurrently. */
export const countsOfInvocation = new AsyncLocalStorage<Count[]>();

/**
 * Adds a count. Does nothing outside an invocation, as in a command. A value that is not a number counts as 0, because the
 * printer would throw, and a committed change would be answered with an error.
 */
export function count(one: Count): void {
  countsOfInvocation.getStore()?.push({ ...one, value: Number.isFinite(one.value) ? one.value : 0 });
}

const planned = new WeakMap<object, readonly Count[]>();

/** Schedules counts for the commit of the transaction with this member. @returns the member itself */
export function countWhenCommitted<M extends object>(member: M, counts: readonly Count[]): M {
  if (counts.length > 0) planned.set(member, counts);
  return member;
}

/** Adds the scheduled counts of a transaction's members. Call it once, when the transaction is committed. */
export function countCommitted(members: readonly object[]): void {
  for (const one of members.flatMap((member) => planned.get(member) ?? [])) count(one);
}
