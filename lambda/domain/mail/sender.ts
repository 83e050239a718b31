/** Sender, greeting and signature of a mail. Pure. */
import addressparser from "nodemailer/lib/addressparser";
import { oneLine } from "#kit/text.ts";
import type { MailSettings } from "./settings.ts";

export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** @throws Error when `sender` names no address */
export function senderOf({ sender, clubName }: Pick<MailSettings, "sender" | "clubName">): Mailbox {
  const [mailbox] = addressparser(sender, { flatten: true });
  if (!mailbox?.address) throw new Error(`No address in the sender "${sender}"`);
  return { name: oneLine(clubName ?? (mailbox.name || mailbox.address)), address: mailbox.address };
}

export function greetingOf({ person }: { readonly person: { readonly fname: string } }): string {
  const name = oneLine(person.fname);
  return name ? `Hi ${name},` : "Hi,";
}

export const signatureOf = (settings: MailSettings): string => senderOf(settings).name;
