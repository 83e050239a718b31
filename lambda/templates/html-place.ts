/**
 * Where in an HTML text a placeholder stands. Escaping keeps a value from becoming markup in text and between quotes, and
 * nowhere else. Pure.
 */

/** `markup`: inside a tag, but not between quotes; inside a comment or a style sheet. */
export type Place =
  | { readonly kind: "text" }
  | { readonly kind: "quoted"; readonly attribute: string }
  | { readonly kind: "markup" };

/** Elements whose content browsers read in ways of their own; none belongs into a mail. */
const foreign =
  /<(?:script|iframe|noscript|noembed|noframes|plaintext|xmp|textarea|object|embed|svg|math)(?![a-z0-9])/i;

/** The name of the first element that a template may not have. */
export const foreignElement = (html: string): string | undefined => foreign.exec(html)?.[0].slice(1).toLowerCase();

/** An attribute's name, where its value is about to begin. */
const beforeQuote = /([^\s"'<>/=]+)\s*=\s*$/;

/** Reads a text in pieces, and knows where it is between them. */
export class HtmlReader {
  #state: "text" | "tag" | "quoted" | "comment" | "style" = "text";
  /** The open tag so far. */
  #tag = "";
  #quote = "";
  #attribute = "";

  get place(): Place {
    if (this.#state === "text") return { kind: "text" };
    return this.#state === "quoted" ? { kind: "quoted", attribute: this.#attribute } : { kind: "markup" };
  }

  read(piece: string): void {
    let rest = piece;
    while (rest !== "") rest = this.#step(rest);
  }

  /** @returns what is left to read */
  #step(rest: string): string {
    switch (this.#state) {
      case "text":
        return this.#text(rest);
      case "tag":
        return this.#inTag(rest);
      case "quoted": {
        const end = rest.indexOf(this.#quote);
        if (end < 0) return "";
        this.#state = "tag";
        this.#tag += '""';
        return rest.slice(end + 1);
      }
      case "comment":
        return this.#until(/--!?>/, rest);
      case "style":
        return this.#until(/<\/style\s*>/i, rest);
    }
  }

  #until(end: RegExp, rest: string): string {
    const found = end.exec(rest);
    if (!found) return "";
    this.#state = "text";
    return rest.slice(found.index + found[0].length);
  }

  #text(rest: string): string {
    const start = rest.indexOf("<");
    if (start < 0) return "";
    const behind = rest.slice(start + 1);
    // At the end of a piece a placeholder follows: what it stands for would be the tag's name.
    if (behind !== "" && !/^[A-Za-z/!?]/.test(behind)) return behind;
    if (!behind.startsWith("!--")) {
      this.#state = "tag";
      this.#tag = "";
      return behind;
    }
    const comment = behind.slice(3);
    const closed = /^-?>/.exec(comment);
    if (!closed) this.#state = "comment";
    return comment.slice(closed?.[0].length ?? 0);
  }

  #inTag(rest: string): string {
    const found = /["'>]/.exec(rest);
    const before = rest.slice(0, found?.index);
    this.#tag += before;
    if (!found) return "";
    const behind = rest.slice(found.index + 1);
    if (found[0] === ">") {
      this.#state = /^style(?![a-z0-9-])/i.test(this.#tag) ? "style" : "text";
      return behind;
    }
    const attribute = beforeQuote.exec(this.#tag)?.[1];
    // A quote that begins no value is part of a name.
    if (attribute === undefined) this.#tag += found[0];
    else {
      this.#state = "quoted";
      this.#quote = found[0];
      this.#attribute = attribute.toLowerCase();
    }
    return behind;
  }
}
