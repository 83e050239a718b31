/** The settings of a stage that every mail needs. */
export interface MailSettings {
  /** Default: the display name of the sender. */
  readonly clubName?: string;
  /** The mail's From, `Club Events <events@club.example>`. */
  readonly sender: string;
  readonly webAppUrl: string;
  /** IANA name. */
  readonly timeZone: string;
}
