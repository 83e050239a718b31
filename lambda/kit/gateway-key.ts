/**
 * The keys under which API Gateway knows the paths of the contract, some of which end in a slash.
 *
 * - API Gateway creates no route whose path ends in "/", and a greedy route takes such a path, with an empty `proxy`.
 *   Observed: https://github.com/storacha/w3infra/pull/166.
 * - A path with a slash at its end does not match the route without one.
 *   Observed: https://github.com/aws-powertools/powertools-lambda-python/pull/1609.
 * - A full match wins over a greedy one. Documented: API Gateway, "Create routes for HTTP APIs".
 *
 * `npm run smoke` tries these paths in a deployed stage. If AWS behaves otherwise, one route `$default` with the
 * authorizer can take them all, with a route `OPTIONS /{proxy+}` without one for the preflights of browsers.
 */

const greedyEnd = "{proxy+}";

/** `GET /users/` becomes `GET /users/{proxy+}`; every other key stays as it is. */
export const gatewayKey = (key: string): string =>
  key.endsWith("/") && !key.endsWith(" /") ? `${key}${greedyEnd}` : key;

/** The values of a path's parameters. API Gateway may leave out an empty one. */
type PathParameters = Readonly<Record<string, string | undefined>>;

/**
 * The key of the contract for a request that came under a key of the gateway.
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
  return name !== "" && !value && known(start) ? start : routeKey;
}
