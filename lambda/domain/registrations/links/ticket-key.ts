/** Ticket codes with the key of this stage. */
import { requiredEnv } from "#kit/env.ts";
import { readSecret } from "#kit/secret.ts";
import { propertiesOf, type Stated } from "../record/statuses.ts";
import { type Ticket, ticketCode } from "./ticket-code.ts";

const secretName = requiredEnv("TICKET_KEY_SECRET");

/** The key that seals ticket codes. */
export const ticketKey = (): Promise<string> => readSecret(secretName);

type Ticketed = Ticket & Stated & { readonly plusOnes?: readonly Pick<Ticket, "ticketId">[] | undefined };

interface TicketCodes {
  readonly ticketCode?: string;
  /** Of those who come along, in their order. */
  readonly plusOneCodes?: readonly string[];
}

/** The ticket codes of a registration, sealed with this key. A registration that has ended has none. */
export function sealedTicketCode(registration: Ticketed, key: string): TicketCodes {
  if (!propertiesOf(registration).ticket) return {};
  const { plusOnes } = registration;
  const plusOneCodes = plusOnes?.map(({ ticketId }) => ticketCode({ ...registration, ticketId }, key));
  return { ticketCode: ticketCode(registration, key), ...(plusOneCodes && { plusOneCodes }) };
}

/** The ticket code of a registration, sealed with the key of this stage. */
export const withTicketCode = async (registration: Ticketed): Promise<TicketCodes> =>
  propertiesOf(registration).ticket ? sealedTicketCode(registration, await ticketKey()) : {};
