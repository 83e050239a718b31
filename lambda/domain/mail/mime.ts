/** Builds a MIME mail for the SES call `SendRawEmail`. */
import MailComposer from "nodemailer/lib/mail-composer";
import { canonicalEmail } from "#kit/text/email.ts";
import { oneLine } from "#kit/text/text.ts";
import type { Mailbox } from "./settings.ts";

/** A mail to one person, ready to be sent. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** The MIME source of the mail. */
  readonly raw: Buffer;
}

/**
 * Text for a header. The composer does not encode text that looks like an encoded word (RFC 2047), and mail programs
 * decode it, so a person's name could hide other text. An invisible word joiner (U+2060) makes it plain text.
 */
export const headerText = (text: string): string => oneLine(text).replaceAll("=?", "=\u2060?");

/**
 * A mailbox in a header. The composer quotes special characters of the name and encodes others according to RFC 2047,
 * which SES requires: https://docs.aws.amazon.com/ses/latest/APIReference/API_SendRawEmail.html
 */
export const inHeader = ({ name, address }: Mailbox): Mailbox => ({ name: headerText(name), address });

/**
 * The header with the address for answers: the event's, else the stage's, else none. Both are validated where they are
 * entered; an address that is none, as in a record of another program, is left out.
 */
export function answersTo(...addresses: readonly (string | undefined)[]): { readonly replyTo?: Mailbox } {
  const address = addresses.map((one) => canonicalEmail(one ?? "")).find((one) => one !== undefined);
  return address === undefined ? {} : { replyTo: { name: "", address } };
}

type Parts = NonNullable<ConstructorParameters<typeof MailComposer>[0]>;

/**
 * The composer adds Message-ID and Date, which SES replaces.
 * https://docs.aws.amazon.com/ses/latest/dg/header-fields.html
 * @param parts options of the composer; texts of headers must come from `headerText`
 */
export const mimeOf = ({ headers, ...parts }: Parts): Promise<Buffer> =>
  new MailComposer({
    ...parts,
    // Suppresses automatic vacation replies (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated", ...headers },
    // The composer must not read files or URLs that a value in the mail might contain.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
