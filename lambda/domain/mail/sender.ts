/** The greeting of a mail, and its sender. Pure. */
import { oneLine } from "#kit/text/text.ts";
import type { MailSettings } from "./settings.ts";

export function greetingOf({ person }: { readonly person: { readonly fname: string } }): string {
  const name = oneLine(person.fname);
  return name ? `Hi ${name},` : "Hi,";
}

/** The part of the sender's address after the `@`, for the ids of calendar entries. */
export const senderDomain = ({ address }: MailSettings["sender"]): string =>
  address.slice(address.lastIndexOf("@") + 1);
