/**
 * Where in an HTML text the placeholders of a template stand. Escaping keeps a value from becoming markup in text and between
 * quotes, and nowhere else. Pure.
 */
import { QuoteType, Tokenizer } from "htmlparser2";

/**
 * `text`: also in a title, which a browser reads to its end tag, whatever stands before. `markup`: inside a tag, but not
 * between quotes; inside a comment or a style sheet.
 */
export type Place =
  | { readonly kind: "text"; readonly inTitle: boolean }
  | { readonly kind: "quoted"; readonly attribute: string }
  | { readonly kind: "markup" };

/** Elements whose content browsers read in ways of their own; none belongs into a mail. */
const foreign =
  /<(?:script|iframe|noscript|noembed|noframes|plaintext|xmp|textarea|object|embed|svg|math|!\[CDATA\[)(?![a-z0-9])/i;

/** The name of the first element that a template may not have. */
export const foreignElement = (html: string): string | undefined => foreign.exec(html)?.[0].slice(1).toLowerCase();

/** Stands for a placeholder while the text around it is read. A letter: behind `<` it begins a tag, as a value would. */
const standIn = "x";

/** The beginning of a tag, to which a placeholder that stands for nothing would add what is behind it. */
const openTag = /<[/!]?[a-z-]*$/i;
/** More characters than any beginning of a tag that closes a title. */
const longestOpenTag = 20;

/** Browsers end a closing tag behind its attributes, the tokenizer at the first `>`: it must have none. */
const endOfClosingTag = /[\s/]*>/y;

/**
 * The place of every placeholder, in their order. All of them count as there, and none adds markup of its own: the
 * text around them is read once, as browsers read it.
 * @param pieces the template's text; `undefined` where a placeholder stands
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
  /** The placeholders inside a part of the text; parts come in their order. */
  const put = (start: number, end: number, placeAt: (offset: number) => Place): void => {
    while ((offsets[next] ?? end) < start) next += 1;
    for (; (offsets[next] ?? end) < end; next += 1) places[next] = placeAt(offsets[next] as number);
  };
  let element = "";
  let inElement = "";
  let attribute = "";
  let value: readonly [number, number] | undefined;
  let isSound = true;
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
        isSound &&= endOfClosingTag.test(html);
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
  return isSound ? places : undefined;
}
