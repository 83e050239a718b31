/** The payload of a target: the whole event, a part of the event, or a constant. */
import type { BusEvent } from "./event.ts";

export interface TargetInput {
  /** JSON. */
  readonly Input?: string;
  /** `$.detail.data` */
  readonly InputPath?: string;
  readonly InputTransformer?: object;
}

/** Value at a path of names and indexes, as `$.detail.list[0]`; undefined where there is none. */
function valueAt(path: string, event: unknown): unknown {
  const steps = [...path.matchAll(/[^.[\]$]+/g)].map(([step]) => step);
  return steps.reduce<unknown>((value, step) => (value as Record<string, unknown> | null | undefined)?.[step], event);
}

export function targetPayload({ Input, InputPath }: TargetInput, event: BusEvent): unknown {
  if (Input !== undefined) return JSON.parse(Input);
  return InputPath === undefined ? event : (valueAt(InputPath, event) ?? null);
}
