/** The stage's settings for mails. */

export interface Mailbox {
  /** The name that mail programs show; one line. */
  readonly name: string;
  readonly address: string;
}

export interface MailSettings {
  /** The From header. Its name is also the signature, and the organizer's name in calendar entries. */
  readonly sender: Mailbox;
  /** The address for answers. Empty or absent: the sender's. */
  readonly replyTo?: string;
  readonly webAppUrl: string;
  /** The path of an event's page below `webAppUrl`, with the placeholders `{id}` and `{year}`. */
  readonly eventPage: string;
  /** The address of the page of one registration. */
  readonly linkPage: string;
  /** IANA name. */
  readonly timeZone: string;
}
