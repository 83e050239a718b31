/** What money is for. */
import type { EventKey } from "#domain/events/event.ts";

export type PurposeName =
  | {
      readonly kind: "event";
      readonly event: EventKey;
      /** The queueKey of the registration. Registering again creates another one, and so another purpose. */
      readonly queueKey: string;
    }
  | { readonly kind: "membership" };
