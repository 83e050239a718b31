/** Makes ticket codes with the key of this stage. */
import { requiredEnv } from "#kit/env.ts";
import { readSecret } from "#kit/secret.ts";
import { ticketCode } from "./code.ts";

const secretName = requiredEnv("TICKET_KEY_SECRET");

/** The key that signs ticket codes. */
export const ticketKey = (): Promise<string> => readSecret(secretName);

const without = new Set(["cancelled", "rejected", "deleted"]);

/** The ticket code of a registration. A registration that has ended has none. */
export async function withTicketCode({
  ticketId,
  status,
}: {
  readonly ticketId: string;
  readonly status: string;
}): Promise<{ readonly ticketCode?: string }> {
  return without.has(status) ? {} : { ticketCode: ticketCode(ticketId, await ticketKey()) };
}
