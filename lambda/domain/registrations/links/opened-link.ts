/** A link as requests bring it, before anything is read. */
import type { RequestContext } from "#kit/request/context.ts";
import { type LinkPurpose, linkNotValid, type OpenedLink, openedLink, sentLink } from "./link.ts";
import { ticketKey } from "./ticket-key.ts";

/** The content of the link in an `Authorization` header. @throws Unauthenticated it is not valid for any of these purposes */
export async function secretIn(
  header: string | undefined,
  purposes: readonly LinkPurpose[],
  { now }: RequestContext,
): Promise<OpenedLink> {
  const link = openedLink(sentLink(header), await ticketKey());
  if (!link || !purposes.includes(link.purpose) || link.until <= now) throw linkNotValid();
  return link;
}

/** Reads the `Authorization` header of routes that look up the registration themselves. @throws Unauthenticated */
export const openedFor =
  (purpose: LinkPurpose) =>
  (header: string | undefined, context: RequestContext): Promise<OpenedLink> =>
    secretIn(header, [purpose], context);
