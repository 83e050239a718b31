/** Reads secrets of this stage from Secrets Manager, with a cache. */
import { callLimits } from "./call-limits.ts";

/** Seconds for which a secret is cached; a rotated secret is used after that. */
const maxAge = 900;

/** @throws Error the secret does not exist, or is empty */
export async function readSecret(name: string): Promise<string> {
  // Loaded on first use, because most cold starts do not need it.
  const { getSecret, SecretsProvider } = await import("@aws-lambda-powertools/parameters/secrets");
  const { DEFAULT_PROVIDERS } = await import("@aws-lambda-powertools/parameters/base");
  // The package's default provider has no timeout.
  DEFAULT_PROVIDERS.secrets ??= new SecretsProvider({ clientConfig: { requestHandler: callLimits(3_000) } });
  const value = await getSecret(name, { maxAge });
  if (typeof value !== "string" || value === "") throw new Error(`The secret ${name} is empty.`);
  return value;
}
