/** The format of the payments secret, also checked before a deploy. */

export interface PaymentCredentials {
  /** `sk_...`, or `rk_...` of a restricted key. */
  readonly apiKey: string;
  /** `whsec_...`: signing secrets of webhooks. There are two during a rotation. */
  readonly webhookSecrets: readonly string[];
}

const isText = (value: unknown, pattern: RegExp): value is string => typeof value === "string" && pattern.test(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message contains the secret text, so it must not be passed on.
    return undefined;
  }
}

/** @throws Error with the name of the wrong field, but without its value */
export function parseCredentials(text: string): PaymentCredentials {
  const { apiKey, webhookSecrets } = (parsed(text) ?? {}) as Record<keyof PaymentCredentials, unknown>;
  if (!isText(apiKey, /^[sr]k_\w+$/)) throw new Error("The payments secret has no apiKey that starts with sk_ or rk_.");
  const secrets: unknown[] = Array.isArray(webhookSecrets) ? webhookSecrets : [];
  const wellFormed = secrets.filter((secret) => isText(secret, /^whsec_\S+$/));
  if (secrets.length < 1 || secrets.length > 2 || wellFormed.length < secrets.length) {
    throw new Error("The payments secret has no webhookSecrets: one or two that start with whsec_.");
  }
  return { apiKey, webhookSecrets: wellFormed };
}
