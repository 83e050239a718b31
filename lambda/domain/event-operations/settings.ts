import type { EventSettings } from "#domain/events/event.ts";
import { requiredEnv } from "#kit/env.ts";

/** The values of this stage that events are saved with. */
export const settings: EventSettings = { timeZone: requiredEnv("TIME_ZONE"), currency: requiredEnv("CURRENCY") };
