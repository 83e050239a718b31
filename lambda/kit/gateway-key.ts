/**
 * The keys under which API Gateway knows the paths of the contract. API Gateway creates no route whose path ends in
 * "/", and a path with a slash at its end does not match the route without one. A greedy parameter takes this path, and
 * every longer one (`docs/design.md`, "Paths that end in a slash").
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
