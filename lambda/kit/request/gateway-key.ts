/**
 * The route keys of API Gateway for the paths of the contract, some of which end in a slash.
 *
 * - API Gateway creates no route whose path ends in "/". Observed: https://github.com/storacha/w3infra/pull/166.
 * - A path with a trailing slash does not match the route without one.
 *   Observed: https://github.com/aws-powertools/powertools-lambda-python/pull/1609.
 * - A greedy route "catches all child resources of a route". Whether an empty rest is one is not documented, so nothing
 *   here depends on it: the greedy route of a path that ends in "/" is one level up, where the rest is never empty.
 * - API Gateway "selects the route with the most-specific match": first a full match, then a greedy one. Documented:
 *   https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html#http-api-develop-routes.evaluation
 *
 * A greedy route takes unknown paths too. They need its token, and then are the function's 404. All methods of a path
 * directly below the root (`/registrations/`) share `/{proxy+}`, so only one function can have such paths.
 */

const greedyEnd = "{proxy+}";

/** Whether a declared key ends in a slash, or in a greedy parameter, which may be empty. */
export const needsGreed = (key: string): boolean => /[^ ]\/(\{\w+\+\})?$/.test(key);

/**
 * `GET /users/` becomes `GET /{proxy+}`, and `PUT /users/{email}/{name+}` becomes `PUT /users/{proxy+}`; other keys are
 * unchanged.
 */
export const gatewayKey = (key: string): string => (needsGreed(key) ? key.replace(/[^/]+\/[^/]*$/, greedyEnd) : key);

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

/** A request in the terms of the contract. */
export interface ContractRequest {
  /** The contract's key. */
  readonly key: string;
  readonly parameters: PathParameters;
}

/** Matches the requests of a declared key. */
const patternOf = (key: string): RegExp => {
  const segment = (_: string, name: string, greed: string) => `(?<${name}>${greed ? ".*" : "[^/]+"})`;
  return new RegExp(`^${key.replaceAll(".", "\\.").replaceAll(/\{(\w+)(\+?)\}/g, segment)}$`, "s");
};

/** The request of a path that a greedy route has taken. */
function greedyRequest(path: string, declared: readonly string[]): ContractRequest | undefined {
  // Whether the value of a greedy parameter keeps the path's last slash is not documented either.
  for (const whole of [path, `${path}/`]) {
    for (const key of declared) {
      const found = patternOf(key).exec(whole);
      if (found) return { key: withoutGreed(key), parameters: { ...found.groups } };
    }
  }
  return undefined;
}

/**
 * The contract's request for a request with a key of the gateway.
 *
 * @param greedyKeys the function's declared keys that need a greedy route
 * @returns undefined when the contract has no such path
 */
export function contractRequest(
  routeKey: string,
  parameters: PathParameters,
  greedyKeys: readonly string[],
): ContractRequest | undefined {
  if (routeKey.endsWith(greedyEnd)) {
    const start = routeKey.slice(0, -greedyEnd.length);
    const filled = start.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? "");
    return greedyRequest(filled + (parameters.proxy ?? ""), greedyKeys);
  }
  // A path that ends in "/" may also arrive as an empty last parameter.
  const [, start = "", name = ""] = /^(.*\/)\{(\w+)\}$/.exec(routeKey) ?? [];
  const { [name]: last, ...others } = parameters;
  return !last && greedyKeys.includes(start) ? { key: start, parameters: others } : { key: routeKey, parameters };
}
