/** The content of a mail to one person, from which HTML and plain text are rendered. */

/** Whether the person has the seat or membership. It determines the color in HTML. */
export type Tone = "confirmed" | "pending" | "closed";

interface LetterLink {
  readonly label: string;
  readonly url: string;
}

export interface Letter {
  readonly tone: Tone;
  readonly subject: string;
  readonly greeting: string;
  /** The news in a few words, as the heading. */
  readonly status: string;
  readonly paragraphs: readonly string[];
  /** The event or the membership, with details to look up later. Those without a text are omitted. */
  readonly about: {
    readonly title: string;
    readonly facts: readonly { readonly label: string; readonly text: string | undefined }[];
  };
  readonly action: LetterLink;
  readonly also?: LetterLink;
  /** More links of the same kind as `action`, in their order. */
  readonly more?: readonly LetterLink[];
  /** Content of the QR code, and the text below it. */
  readonly ticket?: { readonly code: string; readonly text: string };
  readonly signature: string;
}
