/** The feature flags of cdk.json, so that every synthesis results in the same template as `cdk deploy`. */
import { readFileSync } from "node:fs";

const cdkJson = new URL("../cdk.json", import.meta.url);

export const featureFlags = (): Record<string, unknown> =>
  (JSON.parse(readFileSync(cdkJson, "utf8")) as { context: Record<string, unknown> }).context;
