import { act, type OperationName, type Validated } from "./dynalite.ts";
import { sectionsFor } from "./update.ts";
import type { PendingStore } from "./views.ts";

/** A validated PutItem, UpdateItem or DeleteItem. */
export interface ItemWrite {
  readonly operation: OperationName;
  readonly data: Validated;
}

/**
 * Lets dynalite execute one write, with the condition checked by the view.
 * @throws RequestFailed ConditionalCheckFailedException ValidationException
 */
export function writeItem({ operation, data }: ItemWrite, held: PendingStore): Promise<Record<string, unknown>> {
  const { _condition, _updates, ...rest } = data;
  const write: Partial<Validated> = rest;
  held.demand(_condition?.expression, (item) => {
    if (_updates) write._updates = { ..._updates, sections: sectionsFor(_updates.sections, item) };
  });
  if (_updates) write._updates = _updates;
  return act(operation, held.store, write);
}
