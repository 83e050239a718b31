/** Who writes, and to whom. Pure. */
import addressparser from "nodemailer/lib/addressparser";
import type { House, Notice } from "#domain/notices/notice.ts";
import { oneLine } from "#kit/text.ts";

export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** @throws Error when the house's sender names no address */
export function senderOf({ sender, clubName }: Pick<House, "sender" | "clubName">): Mailbox {
  const [mailbox] = addressparser(sender, { flatten: true });
  if (!mailbox?.address) throw new Error(`No address in the sender "${sender}"`);
  return { name: oneLine(clubName ?? (mailbox.name || mailbox.address)), address: mailbox.address };
}

export function greetingOf({ person }: Notice): string {
  const name = oneLine(person.fname);
  return name ? `Hi ${name},` : "Hi,";
}

export const signatureOf = (house: House): string => senderOf(house).name;
