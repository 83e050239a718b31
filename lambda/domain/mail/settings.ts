/** The settings of a stage that every mail needs. */

export interface Mailbox {
  /** The name that mail programs show; one line. */
  readonly name: string;
  readonly address: string;
}

export interface MailSettings {
  /** The mail's From. Its name is also the signature, and the organizer's name in calendar entries. */
  readonly sender: Mailbox;
  readonly webAppUrl: string;
  /** The path of an event's page below `webAppUrl`, with `{id}` and `{year}` for the event's. */
  readonly eventPage: string;
  /** IANA name. */
  readonly timeZone: string;
}
