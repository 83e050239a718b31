/** How a service asks whether a caller is allowed to act. */

/**
 * Authorizes one request by the access key that signed it.
 * @param action `service:Action`
 * @param resource ARN
 * @param context values of condition keys
 * @returns AWS's message when the caller may not; undefined when it may
 */
export type Authorize = (
  accessKeyId: string,
  action: string,
  resource: string,
  context?: Readonly<Record<string, string>>,
) => string | undefined;

/** For services that run alone: every caller may do everything. */
export const allowAll: Authorize = () => undefined;

/** The access key in `AWS4-HMAC-SHA256 Credential=<access key id>/...`; empty for a request that is not signed. */
export const accessKeyIdOf = (authorization = ""): string => /Credential=([^/,]+)/.exec(authorization)?.[1] ?? "";
