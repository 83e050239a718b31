import type { EventSettings } from "#domain/events/event.ts";
import { requiredEnv } from "#kit/env.ts";

/** The settings of this stage for events. */
export const settings: EventSettings = { timeZone: requiredEnv("TIME_ZONE"), currency: requiredEnv("CURRENCY") };
