/**
 * The route keys of API Gateway for the paths of the contract, some of which end in a slash.
 *
 * - API Gateway creates no route whose path ends in "/"; a greedy route matches such a path, with an empty `proxy`.
 *   Observed: https://github.com/storacha/w3infra/pull/166.
 * - A path with a trailing slash does not match the route without one.
 *   Observed: https://github.com/aws-powertools/powertools-lambda-python/pull/1609.
 * - A full match wins over a greedy one. Documented: API Gateway, "Create routes for HTTP APIs".
 *
 * `npm run smoke` tests these paths in a deployed stage. If AWS behaves differently, one route `$default` with the
 * authorizer can match them all, with a route `OPTIONS /{proxy+}` without one for CORS preflights.
 */

const greedyEnd = "{proxy+}";

/** `GET /users/` becomes `GET /users/{proxy+}`; other keys, also those with a greedy end of their own, are unchanged. */
export const gatewayKey = (key: string): string =>
  key.endsWith("/") && !key.endsWith(" /") ? `${key}${greedyEnd}` : key;

/**
 * Whether a text arrives as a part of a path, even if a client does not percent-encode it. The gateway decodes a path once
 * before it finds the route: an encoded slash separates parts, and what follows an encoded `?` is lost
 * (https://github.com/middleapi/standard-server/pull/93). Clients resolve `.` and `..`, also encoded ones, cut off a
 * fragment, and read `\\` as a slash (https://url.spec.whatwg.org/#path-state).
 */
export const isPathPart = (text: string): boolean => text !== "" && !/[/?#%\\]/.test(text) && !/^\.{1,2}$/.test(text);

/** The key of the contract for a declared one: `/{fname+}` is `/{fname}` there. */
export const withoutGreed = (key: string): string => key.replace(/\+\}$/, "}");

/** The values of a path's parameters. API Gateway may omit an empty one. */
type PathParameters = Readonly<Record<string, string | undefined>>;

/**
 * The contract's key for a request with a key of the gateway.
 *
 * @param known whether the function answers a key of the contract
 * @returns undefined when the contract has no such path
 */
export function contractKey(
  routeKey: string,
  parameters: PathParameters,
  known: (key: string) => boolean,
): string | undefined {
  const [, start = "", name = ""] = /^(.*\/)\{([^{}]+)\}$/.exec(routeKey) ?? [];
  const value = parameters[name.replace("+", "")];
  if (routeKey.endsWith(greedyEnd)) return value ? undefined : start;
  // A path that ends in "/" may also arrive as an empty last parameter.
  return name !== "" && !value && known(start) ? start : withoutGreed(routeKey);
}
