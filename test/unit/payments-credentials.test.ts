/** The secret of the payment provider is read strictly, and no error repeats it. */
import { expect, test } from "@jest/globals";
import { parseCredentials } from "#domain/payments/provider/parse-credentials.ts";

const apiKey = "sk_test_Confidential1";
const webhookSecrets = ["whsec_Confidential2"];

test.each([[{ apiKey, webhookSecrets }], [{ apiKey: "rk_live_x", webhookSecrets: ["whsec_a", "whsec_b"] }]])(
  "%j is accepted",
  (credentials) => {
    expect(parseCredentials(JSON.stringify({ ...credentials, more: 1 }))).toEqual(credentials);
  },
);

test.each([
  ["no JSON", `${apiKey} Confidential`],
  ["no key", JSON.stringify({ webhookSecrets })],
  ["a public key", JSON.stringify({ apiKey: "pk_test_Confidential", webhookSecrets })],
  ["a key with a line break", JSON.stringify({ apiKey: `${apiKey}\n`, webhookSecrets })],
  ["no webhook secrets", JSON.stringify({ apiKey })],
  ["three of them", JSON.stringify({ apiKey, webhookSecrets: ["whsec_a", "whsec_b", "whsec_Confidential"] })],
  ["one of them malformed", JSON.stringify({ apiKey, webhookSecrets: ["whsec_a", "Confidential"] })],
])("%s is refused, without repeating the secret", (_, text) => {
  let refused: Error | undefined;
  try {
    parseCredentials(text);
  } catch (error) {
    refused = error as Error;
  }
  expect(refused?.message).toMatch(/^The payments secret has no /);
  expect(`${refused?.stack} ${String(refused?.cause)}`).not.toContain("Confidential");
});
