/**
 * Finds the HTML context of a template's placeholders. Escaping makes a value safe only in text and between quotes, so
 * placeholders are not allowed elsewhere. Pure.
 */
import { QuoteType, Tokenizer } from "htmlparser2";

/**
 * `text`: between tags, also in a title, which browsers read as text up to its end tag. `quoted`: between the quotes of
 * an attribute. `markup`: elsewhere inside a tag, a comment or a style sheet.
 */
export type Place =
  | { readonly kind: "text"; readonly inTitle: boolean }
  | { readonly kind: "quoted"; readonly attribute: string }
  | { readonly kind: "markup" };

/** Elements whose content browsers parse by special rules. A mail needs none of them. */
const foreign =
  /<(?:script|iframe|noscript|noembed|noframes|plaintext|xmp|textarea|object|embed|svg|math|!\[CDATA\[)(?![a-z0-9])/i;

/** The name of the first forbidden element. */
export const foreignElement = (html: string): string | undefined => foreign.exec(html)?.[0].slice(1).toLowerCase();

/** Replaces a placeholder during parsing. A letter, because a value after `<` could begin a tag too. */
const standIn = "x";

/** The beginning of a tag. If the placeholder after it is empty, the following text continues the tag. */
const openTag = /<[/!]?[a-z-]*$/i;
/** Characters before a placeholder to check. The longest relevant tag is the end tag of a title. */
const longestOpenTag = 20;

/** A closing tag must have no attributes: browsers end it after its attributes, but the tokenizer at the first `>`. */
const endOfClosingTag = /[\s/]*>/y;

/**
 * The places of all placeholders, in order, from one pass over the HTML as browsers parse it. A placeholder is assumed
 * to add no markup.
 * @param pieces the parts of the template's text; `undefined` stands for a placeholder
 * @returns undefined when a closing tag has attributes
 */
export function placesIn(pieces: readonly (string | undefined)[]): Place[] | undefined {
  const html = pieces.map((piece) => piece ?? standIn).join("");
  const offsets: number[] = [];
  let length = 0;
  for (const piece of pieces) {
    if (piece === undefined) offsets.push(length);
    length += (piece ?? standIn).length;
  }
  const places: Place[] = offsets.map(() => ({ kind: "markup" }));
  let next = 0;
  /** Sets the places of the placeholders between two offsets. Calls must be in the order of the text. */
  const put = (start: number, end: number, placeAt: (offset: number) => Place): void => {
    while ((offsets[next] ?? end) < start) next += 1;
    for (; (offsets[next] ?? end) < end; next += 1) places[next] = placeAt(offsets[next] as number);
  };
  let element = "";
  let inElement = "";
  let attribute = "";
  let value: readonly [number, number] | undefined;
  let isValid = true;
  const textPlace = (start: number) => (offset: number) => {
    const isOpen = openTag.test(html.slice(Math.max(start, offset - longestOpenTag), offset));
    return isOpen || inElement === "style"
      ? ({ kind: "markup" } as const)
      : ({ kind: "text", inTitle: inElement === "title" } as const);
  };
  const enter = () => {
    inElement = element;
  };
  const ignore = () => {};
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      ontext: (start, end) => put(start, end, textPlace(start)),
      onopentagname: (start, end) => {
        element = html.slice(start, end).toLowerCase();
      },
      onopentagend: enter,
      onselfclosingtag: enter,
      onclosetag: (_, end) => {
        inElement = "";
        endOfClosingTag.lastIndex = end;
        isValid &&= endOfClosingTag.test(html);
      },
      onattribname: (start, end) => {
        attribute = html.slice(start, end).toLowerCase();
        value = undefined;
      },
      onattribdata: (start, end) => {
        value = [start, end];
      },
      onattribend: (quote) => {
        const isQuoted = quote === QuoteType.Double || quote === QuoteType.Single;
        if (value && isQuoted) put(...value, () => ({ kind: "quoted", attribute }));
      },
      onattribentity: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore,
      ontextentity: ignore,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return isValid ? places : undefined;
}
