/** The stage's throttles: token buckets, as in API Gateway. */
import type { RouteSettings, StageProperties } from "../template/resources.ts";

/** AWS's limits of an account, for a stage without limits of its own. */
const accountLimits = { rate: 10_000, burst: 5_000 };

/**
 * Whether one more request to a route may pass now. A route with settings of its own has a bucket of its own. All
 * other requests share one: AWS does not say whether each route has its own part of the default, and here it has none.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
 *
 * @param clock gives milliseconds
 */
export function createThrottles(
  { DefaultRouteSettings, RouteSettings = {} }: Pick<StageProperties, "DefaultRouteSettings" | "RouteSettings">,
  clock: () => number = () => performance.now(),
): (routeKey: string | undefined) => boolean {
  const shared = createBucket(DefaultRouteSettings, clock);
  // Settings of a route replace the default, so a limit that they do not name is the account's.
  const own = new Map(Object.entries(RouteSettings).map(([key, settings]) => [key, createBucket(settings, clock)]));
  return (routeKey) => (own.get(routeKey ?? "") ?? shared)();
}

function createBucket(settings: RouteSettings | undefined, clock: () => number): () => boolean {
  const rate = settings?.ThrottlingRateLimit ?? accountLimits.rate;
  const burst = settings?.ThrottlingBurstLimit ?? accountLimits.burst;
  let tokens = burst;
  let last = clock();
  return () => {
    const now = clock();
    tokens = Math.min(burst, tokens + ((now - last) / 1_000) * rate);
    last = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
