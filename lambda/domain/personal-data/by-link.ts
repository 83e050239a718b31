/** Whose data a link opens (`docs/contract.md`, "A person's data"). */
import { erasuresOf } from "#domain/people/users/erasures.ts";
import { ticketKey } from "#domain/registrations/tickets/codes.ts";
import { linkNotValid, sentLink } from "#domain/registrations/tickets/sent-link.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { exportLinkLasts, openedExportLink } from "./link.ts";

/** Reads the `Authorization` header. A deletion ends the links before it. @returns the person's email @throws Unauthenticated */
export async function personOf(header: string | undefined, { now }: RequestContext): Promise<string> {
  const link = openedExportLink(sentLink(header), await ticketKey());
  if (!link || link.until <= now) throw linkNotValid();
  const issuedAt = link.until - exportLinkLasts;
  if ((await erasuresOf(link.email)).some(({ deletedAt }) => deletedAt >= issuedAt)) throw linkNotValid();
  return link.email;
}
