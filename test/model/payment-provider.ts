/**
 * The laptop's payment provider in the process of the test. The product's own calls reach it through the official client, of
 * which only the connection is replaced. No time passes and no id is random, so that a run can be repeated.
 */
import { jest } from "@jest/globals";
import Stripe from "stripe";
import type { ProviderInMemory } from "../../tools/laptop/payments/in-memory.ts";
import type { HttpReply } from "../../tools/laptop/service-kit/http-service.ts";

export const webhookSecrets = ["whsec_new", "whsec_old"] as const;
process.env.PAYMENTS_SECRET = "payments";
jest.unstable_mockModule("#kit/secret.ts", () => ({
  readSecret: async () => JSON.stringify({ apiKey: "sk_test_model", webhookSecrets }),
}));

let ids = 0;
jest.unstable_mockModule("../../tools/laptop/payments/keys.ts", () => ({
  newId: (prefix: string) => `${prefix}_${String(ids++).padStart(6, "0")}`,
}));
const inMemory = await import("../../tools/laptop/payments/in-memory.ts");
export const { nextStatuses } = await import("../../tools/laptop/payments/dispute.ts");

/** The provider's answers to the product, or `cut`: the connection ends without one. */
type Answers = ProviderInMemory["answer"];
export type Asked = Parameters<Answers>[0];
let answers: Answers;

/** A provider whose ids begin anew. */
export function newProvider(options: Parameters<typeof inMemory.providerInMemory>[0]): ProviderInMemory {
  ids = 0;
  return inMemory.providerInMemory(options);
}

/** A session over this amount, in cents, that has been paid. */
export async function paidSession(at: ProviderInMemory, amount: number) {
  const item = "line_items[0][price_data]";
  const form = {
    ...{ mode: "payment", success_url: "https://club.example/ok", "line_items[0][quantity]": "1" },
    ...{
      [`${item}[currency]`]: "cad",
      [`${item}[unit_amount]`]: `${amount}`,
      [`${item}[product_data][name]`]: "Model",
    },
  };
  const request = { method: "POST", path: "/v1/checkout/sessions", query: "", body: `${new URLSearchParams(form)}` };
  const reply = await at.answer({ ...request, headers: { authorization: "Bearer sk_test_model" } });
  return at.pay(JSON.parse((reply as HttpReply).body).id);
}

/** From now on the product's calls are answered by this provider. */
export const connectTo = (to: Answers): void => {
  answers = to;
};

const answerOf = ({ status, headers, body }: HttpReply) => ({
  getStatusCode: () => status,
  getHeaders: () => ({ ...headers }),
  getRawResponse: () => ({}),
  toStream: () => ({}),
  toJSON: async () => JSON.parse(body),
});

const connection: Stripe.HttpClient = {
  getClientName: () => "test",
  makeRequest: async (_host, _port, address, method, given, body) => {
    const [path = "", query = ""] = address.split("?");
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name.toLowerCase(), String(value)]),
    );
    const reply = await answers({ method, path, query, headers, body: body ?? "" });
    if (reply === "cut") throw new Error("The connection was cut.");
    return answerOf(reply);
  },
};
Object.assign(Stripe, { createFetchHttpClient: () => connection });
// The client would wait before it tries again.
Object.assign(Stripe.prototype, { getMaxNetworkRetries: () => 0 });
