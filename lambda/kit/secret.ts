/** Secrets of this stage, read from Secrets Manager and kept for a while. */

/** Seconds after which a rotated secret is noticed. */
const maxAge = 900;

/** @throws Error when there is no such secret, or it is empty */
export async function readSecret(name: string): Promise<string> {
  // Loaded when first needed: most cold starts have something else to wait for meanwhile.
  const { getSecret } = await import("@aws-lambda-powertools/parameters/secrets");
  const value = await getSecret(name, { maxAge });
  if (typeof value !== "string" || value === "") throw new Error(`The secret ${name} is empty.`);
  return value;
}
