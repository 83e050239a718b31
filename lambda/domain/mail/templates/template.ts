/** Validates and renders templates (`docs/contract.md`, "Emails"). Pure. */
import { type Template as Node, Tokenizer, TokenKind, TypeGuards } from "liquidjs";
import type { Issue } from "#kit/errors.ts";
import { oneLine, shortened } from "#kit/text/text.ts";
import { htmlEngine, language, textEngine } from "./engine.ts";
import { foreignElement, type Place, placesIn } from "./html-place.ts";
import { addresses, placeholders, scopeOf, type Values } from "./placeholders.ts";

/** The three parts of a template in the template language, or of a rendered mail. */
export interface TemplateContent {
  readonly subject: string;
  readonly html: string;
  /** Empty: the mail has no plain-text part. */
  readonly text: string;
}

const parts = ["subject", "html", "text"] as const;
type Part = (typeof parts)[number];

const engineOf = (part: Part) => (part === "html" ? htmlEngine : textEngine);

/** Maximum placeholders and tags of one part together. */
const maxTokens = 500;
/** Maximum characters of one placeholder or tag. Parsing time is quadratic in its length. */
const longestToken = 500;
/** Maximum characters of a rendered part, above the size with any normal values. */
const largestPart = 1_000_000;

/** Maximum characters of a rendered subject. Lines of mails are limited to 998 characters (RFC 5322). */
const longestSubject = 400;

/** The template cannot be rendered with these values. Retries fail too. */
export class RenderFailed extends Error {}

interface Token {
  readonly kind: TokenKind;
  /** The text of the token. Of HTML: without the white space that a placeholder beside it removes (`{{- fname -}}`). */
  readonly text: string;
}

const tokensOf = (source: string): Token[] =>
  new Tokenizer(source).readTopLevelTokens(htmlEngine.options).map((token) => ({
    kind: token.kind,
    text: TypeGuards.isHTMLToken(token) ? token.getContent() : token.getText(),
  }));

/** The variables that a source uses, such as `event.ename`. */
const namedBy = (part: Part, source: string | Node[]): string[] =>
  engineOf(part)
    .variableSegmentsSync(source)
    .map((segments) => segments.map((segment) => (Array.isArray(segment) ? "[...]" : String(segment))).join("."));

function mayStand(place: Place, output: string): boolean {
  if (place.kind === "text") return true;
  const isLink = place.kind === "quoted" && place.attribute === "href";
  return isLink && namedBy("html", output).every((name) => addresses.includes(name));
}

const inside = "inside an HTML tag, a comment or a style";

/**
 * The error of a placeholder or tag in a wrong context. Template tags are allowed only in text, not inside markup or a
 * title. Every branch of an `if` therefore begins and ends in text, and a single pass finds the context of each
 * placeholder.
 */
function misplaced(html: string): string | undefined {
  const tokens = tokensOf(html);
  const foreign = foreignElement(tokens.map(({ kind, text }) => (kind === TokenKind.HTML ? text : "")).join(""));
  if (foreign) return `must not contain <${foreign}>`;
  const places = placesIn(tokens.map(({ kind, text }) => (kind === TokenKind.HTML ? text : undefined)));
  if (!places) return "must not have anything but its name in a closing tag";
  const placed = tokens.filter(({ kind }) => kind !== TokenKind.HTML);
  for (const [index, place] of places.entries()) {
    const { kind, text } = placed[index] as Token;
    if (kind === TokenKind.Tag && (place.kind !== "text" || place.inTitle)) {
      return `has ${oneLine(text)} ${place.kind === "text" ? "inside a title" : inside}: put it around whole elements`;
    }
    if (kind === TokenKind.Output && !mayStand(place, text)) {
      return `has ${oneLine(text)} ${inside}: placeholders may stand in text, and ${addresses.join(" and ")} also in href="..."`;
    }
  }
  return undefined;
}

function syntaxProblem(error: unknown): string {
  const { message = "" } = error as Error;
  return `is not a valid template (${language}): ${oneLine(message).slice(0, 300)}`;
}

/** A placeholder or condition with two values and no operator between them. Liquid drops one of them without an error. */
function overfull(source: string): string | undefined {
  const expressions = new Tokenizer(source).readTopLevelTokens(htmlEngine.options).map((token) => {
    if (TypeGuards.isTagToken(token)) return /^(if|unless|elsif)$/.test(token.name) ? token.args : "";
    return TypeGuards.isOutputToken(token) ? token.content : "";
  });
  return expressions.find((expression) => {
    const rest = new Tokenizer(expression);
    const isValue = [...rest.readExpressionTokens()].map(({ kind }) => kind !== TokenKind.Operator);
    rest.skipBlank();
    const isCutShort = !rest.end() && rest.peek() !== "|";
    return isCutShort || isValue.some((value, index) => value && isValue[index - 1]);
  });
}

/** The error of one part of a template. Undefined when the part is valid. */
function problemOf(part: Part, source: string): string | undefined {
  try {
    if (part !== "text" && source.trim() === "") return "must not be blank";
    if ((source.match(/\{[{%]/g) ?? []).length > maxTokens)
      return `must have at most ${maxTokens} placeholders and tags`;
    if (tokensOf(source).some(({ kind, text }) => kind !== TokenKind.HTML && text.length > longestToken)) {
      return `must not have a placeholder or tag of more than ${longestToken} characters`;
    }
    const nodes = engineOf(part).parse(source);
    const more = overfull(source);
    if (more !== undefined) return `has "${oneLine(more).slice(0, 100)}", which is more than one name`;
    if (/\{\s+\{/.test(source)) return 'has "{ {": braces of a placeholder stand together, as in {{ fname }}';
    const unknown = namedBy(part, nodes).find((name) => !(placeholders as readonly string[]).includes(name));
    if (unknown !== undefined) {
      return `names "${oneLine(unknown).slice(0, 100)}", which is not known. Known are: ${placeholders.join(", ")}`;
    }
    const place = part === "html" ? misplaced(source) : undefined;
    if (place) return place;
    // Any value may be absent, so the template must also render without values.
    engineOf(part).renderSync(nodes, scopeOf({}));
    return undefined;
  } catch (error) {
    return syntaxProblem(error);
  }
}

/** Validates a template. @returns at most one error per part */
export const templateIssues = (content: TemplateContent): Issue[] =>
  parts.flatMap((part) => {
    const message = problemOf(part, content[part]);
    return message === undefined ? [] : [{ path: `/${part}`, message }];
  });

/** A template that can be rendered many times. */
export type ParsedTemplate = Readonly<Record<Part, Node[]>>;

/** Parses a template that `templateIssues` has accepted. */
export const parseTemplate = ({ subject, html, text }: TemplateContent): ParsedTemplate => ({
  subject: textEngine.parse(subject),
  html: htmlEngine.parse(html),
  text: textEngine.parse(text),
});

/** @throws RenderFailed the result is too large, or a limit of the engine is exceeded */
export function render(template: ParsedTemplate, values: Values): TemplateContent {
  const scope = scopeOf(values);
  const rendered = (part: Part): string => {
    const text = String(engineOf(part).renderSync(template[part], scope));
    if (text.length > largestPart) throw new RenderFailed("too large");
    return text;
  };
  try {
    return {
      subject: shortened(oneLine(rendered("subject")), longestSubject),
      html: rendered("html"),
      text: rendered("text"),
    };
  } catch (error) {
    // The engine's message may contain a person's data, so it is replaced.
    throw error instanceof RenderFailed ? error : new RenderFailed("a limit is exceeded", { cause: error });
  }
}
