/** Ticket codes with this stage's key. */
import { requiredEnv } from "#kit/env.ts";
import { readSecret } from "#kit/secret.ts";
import { ticketCode } from "./code.ts";

const secretName = requiredEnv("TICKET_KEY_SECRET");

/** The key that signs ticket codes. */
export const ticketKey = (): Promise<string> => readSecret(secretName);

const without = new Set(["cancelled", "rejected", "deleted"]);

/** What the ticket of a registration shows; nothing when it has ended. */
export async function withTicketCode({
  ticketId,
  status,
}: {
  readonly ticketId: string;
  readonly status: string;
}): Promise<{ readonly ticketCode?: string }> {
  return without.has(status) ? {} : { ticketCode: ticketCode(ticketId, await ticketKey()) };
}
