/** Collects the counts of an invocation for the business metrics (`metrics.ts`). `counting.ts` prints them. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { MetricName } from "./metrics.ts";

/** One value of a metric: 1, or cents. */
export interface Count {
  readonly name: MetricName;
  readonly value: number;
}

/** The counts of each invocation. On the laptop one process runs many invocations at once. */
export const countsOfInvocation = new AsyncLocalStorage<Count[]>();

/** Counts what has happened. Outside an invocation, as in a command, nothing is counted. */
export function count(name: MetricName, value = 1): void {
  countsOfInvocation.getStore()?.push({ name, value });
}

const planned = new WeakMap<object, readonly Count[]>();

/** Plans counts for the moment when the transaction with this member is committed. @returns the member itself */
export function countWhenCommitted<M extends object>(member: M, counts: readonly Count[]): M {
  if (counts.length > 0) planned.set(member, counts);
  return member;
}

/** Counts what was planned with the members of a transaction. Call it once, when the transaction is committed. */
export function countCommitted(members: readonly object[]): void {
  for (const { name, value } of members.flatMap((member) => planned.get(member) ?? [])) count(name, value);
}
