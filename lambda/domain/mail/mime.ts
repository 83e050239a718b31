/** Makes a whole mail for the SES call `SendRawEmail`. */
import MailComposer from "nodemailer/lib/mail-composer";
import { oneLine } from "#kit/text.ts";
import type { Mailbox } from "./settings.ts";

/** A mail to one person, ready to be sent. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** The MIME source of the mail. */
  readonly raw: Buffer;
}

/**
 * Text for a header. The composer passes on unchanged every text that looks like an encoded word (RFC 2047), and mail
 * programs decode it. So a person's name could hide other text. An invisible word joiner (U+2060) turns it into plain
 * text.
 */
export const headerText = (text: string): string => oneLine(text).replaceAll("=?", "=\u2060?");

/**
 * A person or the club in a header. The composer quotes special characters of the name and encodes others as RFC 2047
 * says. SES takes no other form: https://docs.aws.amazon.com/ses/latest/APIReference/API_SendRawEmail.html
 */
export const inHeader = ({ name, address }: Mailbox): Mailbox => ({ name: headerText(name), address });

type Parts = NonNullable<ConstructorParameters<typeof MailComposer>[0]>;

/**
 * The composer adds Message-ID and Date. SES replaces both with its own values, so two copies of a mail differ in them.
 * https://docs.aws.amazon.com/ses/latest/dg/header-fields.html
 * @param parts options of the composer; texts of headers must come from `headerText`
 */
export const mimeOf = ({ headers, ...parts }: Parts): Promise<Buffer> =>
  new MailComposer({
    ...parts,
    // Automatic vacation replies do not answer a mail with this header (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated", ...headers },
    // The composer must not read files or web addresses that a value in the mail might name.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
