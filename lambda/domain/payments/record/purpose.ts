/** What money is for. */
import type { EventKey } from "#domain/events/event.ts";

export type PurposeName =
  | {
      readonly kind: "event";
      readonly event: EventKey;
      /** The queueKey of the registration. Registering again creates another one, and so another purpose. */
      readonly queueKey: string;
      /** For how many people who come along, besides the person, if for any. */
      readonly plusOnes?: number;
    }
  | { readonly kind: "membership" };
