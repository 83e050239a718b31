/** Text from people without what neither a header nor a line of a mail nor a calendar may carry. Pure. */

const loneSurrogate = /\p{Surrogate}/gu;
const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
const otherControl = /[^\P{Cc}\n\t]/gu;
/** They reverse the text that follows, also ours. Marks that a script needs (LRM, RLM, joiners) stay. */
const bidiOverride = /[\u202A-\u202E\u2066-\u2069]/g;

/** Several lines, separated by `\n`. */
export const manyLines = (text: string): string =>
  text.replace(loneSurrogate, "\uFFFD").replace(lineBreak, "\n").replace(otherControl, "").replace(bidiOverride, "");

/** A single line, every run of white space one space. */
export const oneLine = (text: string): string => manyLines(text).replace(/\s+/g, " ").trim();
