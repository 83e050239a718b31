/**
 * The string formats that schemas may name. Validators and other code use the same definitions, so a key part, an email
 * or a date has one meaning.
 */
import { canonicalEmail } from "./email.ts";

/** Control characters with U+2028 and U+2029, except newline, carriage return and tab. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is what this is for
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]/;
const lineBreak = /[\r\n]/;
/** A lone half of a surrogate pair cannot be stored as UTF-8. */
const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

const isText = (text: string): boolean => !controlCharacter.test(text) && isWellFormed(text);
const isSingleLine = (text: string): boolean => isText(text) && !lineBreak.test(text);

const eventId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const templateName = /^[A-Za-z0-9_-]{1,64}$/;
const isoDate =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?)?$/i;

/** Whether the text is an ISO 8601 date or date-time of a day that exists, in the years 1900 to 2200. */
function isIsoDate(text: string): boolean {
  const [, year, month, day] = isoDate.exec(text) ?? [];
  if (!year || !month || !day) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return Number(year) >= 1900 && Number(year) <= 2200 && date.getUTCMonth() === Number(month) - 1;
}

/** Characters of a web address, at most. */
export const longestUrl = 2_048;

/**
 * Refuses a text that the URL parser would repair, because it would be stored without the repair. The length is checked
 * first: a validator also checks the format of a text that is too long, and the parser is not code of this service.
 */
const isUrl = (text: string, schemes: RegExp): boolean =>
  text.length <= longestUrl && isSingleLine(text) && !/\s/.test(text) && schemes.test(text) && URL.canParse(text);

/** `www.example.com:8080`, up to the path, and no more: what people type is never an address with a password or a mail. */
const bareHost = /^(?:[\p{L}\p{N}][\p{L}\p{N}-]*\.)+\p{L}[\p{L}\p{N}-]*[\p{L}\p{N}](?::\d{1,5})?(?=[/?#]|$)/u;

/** People type links without a scheme: `linkedin.com/in/ada` is meant as `https://linkedin.com/in/ada`. */
const withScheme = (text: string): string => (bareHost.test(text) ? `https://${text}` : text);
/** A file is at some path, and `cv.pdf` alone is the name of a file and no address. */
const fileWithScheme = (text: string): string => (text.includes("/") ? withScheme(text) : text);

const isHttpsUrl = (text: string): boolean => isUrl(text, /^https:\/\//i);
const isWebUrl = (text: string): boolean => isUrl(text, /^https?:\/\//i);

/** Browsers leave a `+` in a query value unescaped, and it arrives as a space. */
const plusFromSpace = (text: string): string => text.trim().replaceAll(" ", "+");

/** A format: its check, the sentence that the caller reads when the check fails, and the form that is stored. */
interface Format {
  readonly check: (text: string) => boolean;
  readonly message: string;
  /** Absent: the text is stored as it came. */
  readonly canonical?: (text: string) => string;
}

const emailMessage = "must be an email address";
const linkMessage = "must be a web address such as https://example.com/page";
const trimmed = (text: string): string => text.trim();

export const formats = {
  text: { check: isText, message: "must not contain control characters" },
  line: { check: isSingleLine, message: "must be a single line without control characters", canonical: trimmed },
  name: {
    check: (text) => isSingleLine(text) && text.trim() !== "",
    message: "must be a single line that is not blank",
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
  "iso-date": {
    check: (text) => isIsoDate(text.trim()),
    message: "must be a date such as 2030-03-01 or 2030-03-01T18:00, of the years 1900 to 2200",
    canonical: trimmed,
  },
  /** The address of a file that a person has put somewhere. */
  "file-link": {
    check: (text) => isHttpsUrl(fileWithScheme(text)),
    message: "must be an https address such as https://example.com/file",
    canonical: fileWithScheme,
  },
  /** What a person types or pastes. */
  link: { check: (text) => text === "" || isWebUrl(withScheme(text)), message: linkMessage, canonical: withScheme },
  /** What a program sends. It is taken as it is: a scheme that is guessed could lead to another place than meant. */
  "web-url": { check: (text) => text === "" || isWebUrl(text), message: linkMessage },
} satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;

const mapFormats = <T>(value: (format: Format) => T) =>
  Object.fromEntries(Object.entries<Format>(formats).map(([name, format]) => [name, value(format)]));

/** The checks alone, in the form that validators need. */
export const formatChecks = mapFormats(({ check }) => check);
/** The canonical forms alone, in the form that validators need. */
export const canonicalForms = mapFormats(({ canonical }) => canonical ?? ((text: string) => text));
