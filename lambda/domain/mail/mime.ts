/** A whole mail, ready for `SendRawEmail`. */
import MailComposer from "nodemailer/lib/mail-composer";
import { oneLine } from "#kit/text.ts";

/** A mail as it goes out, to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** MIME. */
  readonly raw: Buffer;
}

/**
 * The composer takes what looks like an encoded word (RFC 2047) for one that was encoded already, and passes it on for mail
 * programs to decode into whatever it hides. A word joiner, which nobody sees, makes it plain text.
 */
export const headerText = (text: string): string => oneLine(text).replaceAll("=?", "=\u2060?");

type Parts = NonNullable<ConstructorParameters<typeof MailComposer>[0]>;

/** @param parts as the composer wants them; texts of headers made by `headerText` */
export const mimeOf = ({ headers, ...parts }: Parts): Promise<Buffer> =>
  new MailComposer({
    ...parts,
    // Keeps vacation notices from answering (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated", ...headers },
    // Nothing in a mail is ever read from a path or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
