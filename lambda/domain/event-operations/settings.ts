import type { EventSettings } from "#domain/events/event.ts";
import { requiredEnv } from "#kit/env.ts";

const partnerSeats = requiredEnv("PARTNER_SEATS");

/** The settings of this stage for events. */
export const settings: EventSettings = {
  timeZone: requiredEnv("TIME_ZONE"),
  currency: requiredEnv("CURRENCY"),
  ...(partnerSeats !== "" && { partnerSeats: Number(partnerSeats) }),
};
