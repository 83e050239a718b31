/** The function that answers a request. */
import { capabilities } from "#api/routes.ts";

const segmentsOf = (path: string): string[] => (path.split("?")[0] ?? "").split("/");

function isRoute(key: string, method: string, path: string): boolean {
  const [verb, pattern = ""] = key.split(" ");
  const [wanted, given] = [segmentsOf(pattern), segmentsOf(path)];
  const fits = (segment: string, n: number) => segment === given[n] || (segment.startsWith("{") && given[n] !== "");
  return verb === method && wanted.length === given.length && wanted.every(fits);
}

/** The capability whose function answers a request; undefined for a path without a route. */
export const capabilityOf = ({
  method,
  path,
}: {
  readonly method: string;
  readonly path: string;
}): string | undefined =>
  Object.entries(capabilities).find(([, declared]) =>
    declared.some(({ keys }) => keys.some((key) => isRoute(key, method, path))),
  )?.[0];

/** The name in the stack of a capability's function: `PaymentWebhook`. The bucket is `Images`. */
export const functionNameOf = (capability: string): string =>
  capability === "images"
    ? "Presigner"
    : capability.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
