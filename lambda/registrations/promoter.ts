/**
 * Repairs what a crash between two steps leaves behind: whenever a seat may have become free, or somebody has begun to
 * wait, those who can be seated are, and whoever waits for an event that is gone is told so.
 */
import type { EventKey } from "../events/event.ts";
import { consumer } from "../outbox/consumer.ts";
import { type SeatNews, seatNews } from "../outbox/news.ts";
import type { Origin } from "../outbox/store.ts";
import { readSeats } from "../seats/store.ts";
import { clearOut } from "./clear-out.ts";
import { promote } from "./promote.ts";
import { readRegistration } from "./store.ts";

export async function repair({ type, data, correlationId }: SeatNews): Promise<void> {
  const origin = { now: Date.now(), actor: "system", correlationId };
  if (!("eventID" in data)) {
    await promote({ id: data.id, year: data.year }, origin);
    return;
  }
  const event = { id: data.eventID, year: data.year };
  await promote(event, origin);
  if (type === "registration.waitlisted") await leaveLineOfGoneEvent(event, data, origin);
}

async function leaveLineOfGoneEvent(
  event: EventKey,
  { email, incarnation }: { readonly email: string; readonly incarnation: string },
  origin: Origin,
): Promise<void> {
  const seats = await readSeats(event, "strong");
  if (seats && seats.state !== "DELETED" && seats.incarnation === incarnation) return;
  const registration = await readRegistration({ email, event }, "strong");
  if (registration?.status === "waitlist" && registration.incarnation === incarnation) {
    await clearOut(registration, false, origin);
  }
}

export const handler = consumer(seatNews, repair);
