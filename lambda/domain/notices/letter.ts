/** What a mail to one person says. The HTML and the plain text are made of it. */

/** How certain the good news is: a seat or a membership. The HTML chooses the color by it. */
export type Tone = "sure" | "open" | "over";

export interface Letter {
  readonly tone: Tone;
  readonly subject: string;
  readonly greeting: string;
  /** The news in a few words, as the heading. */
  readonly status: string;
  readonly paragraphs: readonly string[];
  /** The event or the membership, with what a person looks up later; without a text: left out. */
  readonly about: {
    readonly title: string;
    readonly facts: readonly { readonly label: string; readonly text: string | undefined }[];
  };
  readonly action: { readonly label: string; readonly url: string };
  /** Content of the QR code, and the text below it. */
  readonly ticket?: { readonly code: string; readonly text: string };
  readonly signature: string;
}
