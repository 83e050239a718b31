/** The stage's throttle: a token bucket, as in API Gateway. */
import type { StageProperties } from "../template/resources.ts";

/** AWS's limits of an account, for a stage without limits of its own. */
const accountLimits = { rate: 10_000, burst: 5_000 };

/** Answers whether one more request may pass now. `clock` gives milliseconds. */
export function createThrottle(
  settings: StageProperties["DefaultRouteSettings"],
  clock: () => number = () => performance.now(),
): () => boolean {
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
