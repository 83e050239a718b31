/** Which route keys the local stage accepts: those of API Gateway without `$default` and `ANY`, which would open more than one route. */

const methods = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);
const part = /^(\{[\w.-]+\+?\}|[a-zA-Z0-9._-]+)$/;

/**
 * Why CreateRoute would refuse the key. The message about path parts and its expression are AWS's own
 * (https://github.com/sst/sst/issues/207); an empty part, as after a slash at the end, fits the expression no more than
 * a wrong one (https://github.com/storacha/w3infra/pull/166).
 * @returns undefined when API Gateway accepts the key
 */
export function routeKeyProblem(key: string): string | undefined {
  const [method = "", path = "", ...more] = key.split(" ");
  if (!methods.has(method) || !path.startsWith("/") || more.length > 0) {
    return 'The provided route key is not formatted properly for HTTP protocol. Format should be "<HTTP METHOD> /<RESOURCE PATH>" or "$default"';
  }
  if (path === "/") return undefined;
  const parts = path.slice(1).split("/");
  if (!parts.every((one) => part.test(one))) {
    return `One or more path parts appear to be invalid. Parts are validated against this regular expression: ${part.source}`;
  }
  const isGreedyInside = parts.slice(0, -1).some((one) => one.endsWith("+}"));
  return isGreedyInside ? "A greedy path variable must be at the end of the path." : undefined;
}
