/** The club's credentials at the payment provider. A person stores them as a secret (`docs/deploy.md`). */
import { requiredEnv } from "#kit/env.ts";
import { readSecret } from "#kit/secret.ts";
import { type PaymentCredentials, parseCredentials } from "./parse-credentials.ts";

const secretName = requiredEnv("PAYMENTS_SECRET");

/** @throws Error when the secret is missing or malformed */
export const paymentCredentials = async (): Promise<PaymentCredentials> =>
  parseCredentials(await readSecret(secretName));
