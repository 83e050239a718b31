/** Describes failed calls to AWS in one sentence. */
import { type Finding, problem } from "./finding.ts";

class MissingPermission extends Error {
  readonly action: string;

  constructor(action: string, options: ErrorOptions) {
    super(`no permission for ${action}`, options);
    this.action = action;
  }
}

/** Error codes of a missing permission, which differ between services. */
const denied = new Set(["AccessDenied", "AccessDeniedException", "AuthorizationError", "AuthorizationErrorException"]);

/** https://docs.aws.amazon.com/STS/latest/APIReference/CommonErrors.html */
const expired = new Set(["ExpiredToken", "ExpiredTokenException", "RequestExpired"]);
const unknownCaller = new Set([
  "IncompleteSignature",
  "InvalidClientTokenId",
  "InvalidSignatureException",
  "MissingAuthenticationToken",
  "SignatureDoesNotMatch",
  "UnrecognizedClientException",
]);

/** Error names and socket codes of calls without a response. */
const unanswered = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "ETIMEDOUT",
  "TimeoutError",
]);

const nameOf = (error: unknown): string => (error as { name?: string } | undefined)?.name ?? "";
const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? "");

/** Whether the error has this name in the service's client. */
export const isNamed = (error: unknown, name: string): boolean => nameOf(error) === name;

/**
 * Whether the answer is that there is no such stack. CloudFormation has no error of its own for it.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html
 */
export const isNoStack = (error: unknown): boolean =>
  isNamed(error, "ValidationError") && /does not exist/.test((error as Error).message);

/** Whether the caller may not do what it asked for. */
export const isMissingPermission = (error: unknown): boolean => error instanceof MissingPermission;

/** @throws MissingPermission when the caller may not do this action; any other error as it comes */
export async function asking<T>(action: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (denied.has(nameOf(error))) throw new MissingPermission(action, { cause: error });
    throw error;
  }
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";

/**
 * @param policy where to find the policy that allows the action, or who has it
 * @returns the finding of a failed call: the problem, and what to do
 */
export function failure(error: unknown, region: string, policy: string): Finding {
  if (error instanceof MissingPermission) {
    return problem(
      `cannot be checked: these credentials have no permission for ${error.action}.`,
      `allow it; ${policy} has what it needs.`,
    );
  }
  const name = nameOf(error);
  const message = firstLine(error);
  if (expired.has(name) || (/ProviderError$/.test(name) && /expired/i.test(message))) {
    return problem("the credentials have expired.", "aws sso login, or take new credentials.");
  }
  if (/ProviderError$/.test(name)) {
    return problem("there are no credentials.", "export AWS_PROFILE=<profile>, or aws configure sso.");
  }
  if (unknownCaller.has(name)) {
    return problem(
      `AWS does not know these credentials in ${region}.`,
      "check AWS_PROFILE and AWS_ACCESS_KEY_ID, and whether the account has this region enabled.",
    );
  }
  if (unanswered.has(name) || unanswered.has(codeOf(error))) {
    return problem(
      `AWS does not answer in ${region} (${codeOf(error) || name}).`,
      "check the network and the name of the region.",
    );
  }
  return problem(`cannot be checked: ${name}: ${message}`, "try again; if it stays, look into the AWS console.");
}
