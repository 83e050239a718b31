/**
 * The string formats for schemas. Validators and other code share these definitions.
 */
import { canonicalEmail } from "../text/email.ts";
import { isTimeZone } from "../text/time-zone.ts";

/** Control characters with U+2028 and U+2029, except newline, carriage return and tab. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is what this is for
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]/;
const lineBreak = /[\r\n]/;
/** A lone surrogate cannot be stored as UTF-8. */
const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

const isText = (text: string): boolean => !controlCharacter.test(text) && isWellFormed(text);
const isSingleLine = (text: string): boolean => isText(text) && !lineBreak.test(text);

const eventId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const templateName = /^[A-Za-z0-9_-]{1,64}$/;
/**
 * A media type without parameters: `image/` and a token of RFC 6838. Browsers treat SVG and other XML types as documents, and
 * would run their scripts on the bucket's origin.
 */
export const imageType = /^image\/(?![sS][vV][gG]|.*\+[xX][mM][lL]$)[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}$/;
const isoDate =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?)?$/i;

/** Whether the text is an ISO 8601 date or date-time of an existing day, in the years 1900 to 2200. */
function isIsoDate(text: string): boolean {
  const [, year, month, day] = isoDate.exec(text) ?? [];
  if (!year || !month || !day) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return Number(year) >= 1900 && Number(year) <= 2200 && date.getUTCMonth() === Number(month) - 1;
}

/** Maximum characters of a URL. */
export const longestUrl = 2_048;

/**
 * Rejects text that the URL parser would correct, because it would be stored uncorrected. The length is checked first,
 * because validators check the format of too long text as well.
 */
const isUrl = (text: string, schemes: RegExp): boolean =>
  text.length <= longestUrl && isSingleLine(text) && !/\s/.test(text) && schemes.test(text) && URL.canParse(text);

/** `www.example.com:8080` up to the path, without credentials. */
const bareHost = /^(?:[\p{L}\p{N}][\p{L}\p{N}-]*\.)+\p{L}[\p{L}\p{N}-]*[\p{L}\p{N}](?::\d{1,5})?(?=[/?#]|$)/u;

/** People enter links without a scheme: `linkedin.com/in/ada` means `https://linkedin.com/in/ada`. */
const withScheme = (text: string): string => (bareHost.test(text) ? `https://${text}` : text);
/** `cv.pdf` without a path is a file name, not a host. */
const fileWithScheme = (text: string): string => (text.includes("/") ? withScheme(text) : text);

const isHttpsUrl = (text: string): boolean => isUrl(text, /^https:\/\//i);
const isWebUrl = (text: string): boolean => isUrl(text, /^https?:\/\//i);

/** Browsers leave a `+` in a query value unescaped, and it arrives as a space. */
const plusFromSpace = (text: string): string => text.trim().replaceAll(" ", "+");

/** A format: its check, the error message, and the stored form. */
interface Format {
  readonly check: (text: string) => boolean;
  readonly message: string;
  /** Absent: the text is stored unchanged. */
  readonly canonical?: (text: string) => string | boolean | null;
}

const emailMessage = "must be an email address, without accents and / ? # %";
const dateMessage = "must be a date such as 2030-03-01 or 2030-03-01T18:00, of the years 1900 to 2200";
const linkMessage = "must be a web address such as https://example.com/page";
/** Clients put names into paths, and no path carries `..` (`gateway-key.ts`). */
const isMoreThanDots = (text: string): boolean => isSingleLine(text) && /[^\s.]/.test(text);
const trimmed = (text: string): string => text.trim();

export const formats = {
  text: { check: isText, message: "must not contain control characters" },
  line: { check: isSingleLine, message: "must be a single line without control characters", canonical: trimmed },
  name: {
    check: isMoreThanDots,
    message: "must be a single line that is not blank or only dots",
    canonical: trimmed,
  },
  /** A name that may be left blank. */
  "name-or-blank": {
    check: (text) => isMoreThanDots(text) || (isSingleLine(text) && text.trim() === ""),
    message: "must be a single line that is not only dots",
    canonical: trimmed,
  },
  email: {
    check: (text) => canonicalEmail(text) !== undefined,
    message: emailMessage,
    canonical: (text) => canonicalEmail(text) ?? text,
  },
  "query-email": {
    check: (text) => canonicalEmail(plusFromSpace(text)) !== undefined,
    message: emailMessage,
    canonical: (text) => canonicalEmail(plusFromSpace(text)) ?? text,
  },
  "event-id": {
    check: (text) => eventId.test(text),
    message: "must be 1 to 64 letters, digits, '-' or '_', and start with a letter or digit",
  },
  "template-name": {
    check: (text) => templateName.test(text),
    message: "must be 1 to 64 letters, digits, '-' or '_'",
  },
  "image-type": {
    check: (text) => imageType.test(text),
    message: "must be a media type that starts with image/, such as image/jpeg, and not an SVG",
  },
  "iso-date": {
    check: (text) => isIsoDate(text.trim()),
    message: dateMessage,
    canonical: trimmed,
  },
  "time-zone": {
    check: (text) => isTimeZone(text),
    message: "must be the name of a time zone, such as America/Vancouver",
  },
  /** A form without a date sends an empty text. */
  "date-or-blank": {
    check: (text) => text.trim() === "" || isIsoDate(text.trim()),
    message: dateMessage,
    canonical: (text) => text.trim() || null,
  },
  /** `Yes` and `No` of a form's select. */
  flag: {
    check: (text) => /^(true|false|yes|no|)$/i.test(text.trim()),
    message: "must be true or false, or Yes or No",
    canonical: (text) => (text.trim() === "" ? null : /^(true|yes)$/i.test(text.trim())),
  },
  /** The URL of a file. */
  "file-link": {
    check: (text) => isHttpsUrl(fileWithScheme(text)),
    message: "must be an https address such as https://example.com/file",
    canonical: fileWithScheme,
  },
  /** A link that a person enters. */
  link: { check: (text) => text === "" || isWebUrl(withScheme(text)), message: linkMessage, canonical: withScheme },
  /** A link that a program sends, unchanged: a guessed scheme could be wrong. */
  "web-url": { check: (text) => text === "" || isWebUrl(text), message: linkMessage },
} satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;

const mapFormats = <T>(value: (format: Format) => T) =>
  Object.fromEntries(Object.entries<Format>(formats).map(([name, format]) => [name, value(format)]));

/** The checks, in the form that validators need. */
export const formatChecks = mapFormats(({ check }) => check);
/** The canonical forms, in the form that validators need. */
export const canonicalForms = mapFormats(({ canonical }) => canonical ?? ((text: string) => text));
