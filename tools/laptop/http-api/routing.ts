/** Finds the route of the template for a request, as an HTTP API does. */
import Router from "find-my-way";
import type { RouteProperties } from "../template/resources.ts";

/** A route of the template with its function. */
export interface GatewayRoute extends RouteProperties {
  readonly functionId: string;
  /** Milliseconds until the gateway gives up. */
  readonly timeout: number;
}

export interface RouteMatch {
  readonly route: GatewayRoute;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * The path as an HTTP API sees it: decoded once, before routing, so that `%2F` separates segments; the part after an
 * encoded `?` is lost. Source: https://github.com/middleapi/standard-server/pull/93 (captures of a deployed API).
 * @returns undefined when the percent-encoding is broken
 */
export function decodedPath(rawPath: string): string | undefined {
  try {
    return decodeURIComponent(rawPath).split("?")[0];
  } catch {
    return undefined;
  }
}

/** Finds the route of a request. */
export type FindRoute = (method: string, path: string) => RouteMatch | undefined;

/**
 * Makes the router: a fixed segment beats a parameter, a full match beats `{proxy+}`. A path with a slash at its end is
 * another path, and a parameter is never empty.
 */
export function createRouter(routes: readonly GatewayRoute[]): FindRoute {
  const router = Router({ maxParamLength: 16_384 });
  for (const route of routes) {
    const [method, path = ""] = route.RouteKey.split(" ");
    router.on(method as "GET", routerPath(path), () => undefined, route);
  }
  return (method, path) => {
    // The router decodes the path, which is decoded already: encode it again.
    const found = router.find(method as "GET", path.split("/").map(encodeURIComponent).join("/"));
    if (!found) return undefined;
    const route = found.store as GatewayRoute;
    return { route, params: namedParams(route, found.params) };
  };
}

/** `/events/{eventId}/{year}` as `/events/:eventId(^[^]+$)/:year(^[^]+$)`; greedy parameters only stand at the end. */
const routerPath = (path: string): string =>
  path.replace(/\{([^}+]+)\+\}$/, "*").replace(/\{([^}+]+)\}/g, (_, name: string) => `:${name}(^[^]+$)`);

/** The name of the route's greedy parameter. */
const greedyName = ({ RouteKey }: GatewayRoute): string | undefined => /\{([^}+]+)\+\}$/.exec(RouteKey)?.[1];

function namedParams(route: GatewayRoute, found: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const greedy = greedyName(route);
  return Object.fromEntries(
    Object.entries(found).map(([name, value]) => [name === "*" && greedy ? greedy : name, value ?? ""]),
  );
}
