/** Makes ticket codes with the key of this stage. */
import { requiredEnv } from "#kit/env.ts";
import { readSecret } from "#kit/secret.ts";
import { ticketCode } from "./code.ts";

const secretName = requiredEnv("TICKET_KEY_SECRET");

/** The key that signs ticket codes. */
export const ticketKey = (): Promise<string> => readSecret(secretName);

const without = new Set(["cancelled", "rejected", "deleted"]);

interface Ticketed {
  readonly ticketId: string;
  readonly status: string;
}

/** The ticket code of a registration, signed with this key. A registration that has ended has none. */
export const signedTicketCode = ({ ticketId, status }: Ticketed, key: string): { readonly ticketCode?: string } =>
  without.has(status) ? {} : { ticketCode: ticketCode(ticketId, key) };

/** The ticket code of a registration, signed with the key of this stage. */
export const withTicketCode = async (registration: Ticketed): Promise<{ readonly ticketCode?: string }> =>
  without.has(registration.status) ? {} : signedTicketCode(registration, await ticketKey());
