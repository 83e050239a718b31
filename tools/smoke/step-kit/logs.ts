/** Errors in the logs of the functions, and what they say. */

/** A line of an error in the log of a function. */
export interface LoggedError {
  /** The function's name in the stack: `Registrations`. */
  readonly functionName: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly text: string;
}

/** The logs of a stage's functions. */
export interface Logs {
  /** Milliseconds until a line can be read. */
  readonly delay: number;
  /**
   * The errors since then, oldest first for each function.
   * @param since epoch milliseconds
   * @param functionNames absent: all functions
   * @throws Failed the logs cannot be read
   */
  errors(since: number, stop: AbortSignal, functionNames?: readonly string[]): Promise<readonly LoggedError[]>;
}

const longestText = 400;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

function fieldsOf(line: string): Fields {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : { message: line };
  } catch {
    return { message: line };
  }
}

const joined = (parts: readonly unknown[]): string =>
  parts.filter((part) => typeof part === "string" && part !== "").join(": ");

export const errorLevels = ["ERROR", "CRITICAL", "FATAL"] as const;

/** Whether a line is of an error, or of an invocation that ran out of time. */
export function isErrorLine(line: string): boolean {
  const { level, record } = fieldsOf(line);
  return errorLevels.some((one) => one === level) || (isObject(record) && record.status === "timeout");
}

/**
 * What a line says. Lambda writes its own lines for an error that a handler threw, and for an invocation that ran out of
 * time. The functions log the error of a request whole, and of a message its name and the refused action.
 * https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html
 */
function textOf(line: string): string {
  const { type, message, errorType, errorMessage, error, trace, refused, reason, code } = fieldsOf(line);
  if (type === "platform.report") return "an invocation ran out of time";
  if (isObject(error)) return joined([error.name, error.message]);
  const { name, refused: action = refused } = isObject(trace) ? trace : {};
  const byIam = typeof action === "string" && `IAM refused ${action}`;
  return joined([errorType, errorMessage ?? message, name, code, byIam, reason]);
}

/** Whether IAM has refused an action: waiting does not help. */
export const isRefusal = ({ text }: LoggedError): boolean =>
  text.includes("is not authorized to perform") || textOf(text).includes("IAM refused");

/** The last error of each function, as sentences. @param subject before the function's name */
export function toldBy(errors: readonly LoggedError[], subject = ""): string {
  const last = new Map(errors.map(({ functionName, text }) => [functionName, textOf(text).slice(0, longestText)]));
  return [...last].map(([name, text]) => `${subject}${name} logged: ${text.replace(/\.$/, "")}.`).join(" ");
}
