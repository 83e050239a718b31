/** Ticket codes with the key of this stage. */
import { requiredEnv } from "#kit/env.ts";
import { readSecret } from "#kit/secret.ts";
import { propertiesOf, type Stated } from "../record/statuses.ts";
import { type Ticket, ticketCode } from "./ticket-code.ts";

const secretName = requiredEnv("TICKET_KEY_SECRET");

/** The key that seals ticket codes. */
export const ticketKey = (): Promise<string> => readSecret(secretName);

type Ticketed = Ticket & Stated;

/** The ticket code of a registration, sealed with this key. A registration that has ended has none. */
export const sealedTicketCode = (registration: Ticketed, key: string): { readonly ticketCode?: string } =>
  propertiesOf(registration).ticket ? { ticketCode: ticketCode(registration, key) } : {};

/** The ticket code of a registration, sealed with the key of this stage. */
export const withTicketCode = async (registration: Ticketed): Promise<{ readonly ticketCode?: string }> =>
  propertiesOf(registration).ticket ? sealedTicketCode(registration, await ticketKey()) : {};
