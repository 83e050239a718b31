/** The payment webhook: which events of the provider it accepts, by signature, secret and time. */
import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import Stripe from "stripe";
import { log } from "#kit/log.ts";
import { anyText } from "../any-text.ts";
import { get, now, requestId, table } from "./mocked-table.ts";

const secrets = { current: "whsec_current", previous: "whsec_previous" };
let stored: unknown = { apiKey: "sk_test_unit", webhookSecrets: [secrets.current, secrets.previous] };
jest.unstable_mockModule("#kit/secret.ts", () => ({ readSecret: async () => JSON.stringify(stored) }));

const { handler } = await import("#api/payment-webhook/index.ts");
const { signedEvent } = await import("#api/payment-webhook/signature.ts");

const seconds = now / 1_000;
const event = { id: "evt_1", object: "event", type: "charge.refunded", data: { object: { id: "ch_1" } } };
const text = JSON.stringify(event);
const signed = (payload = text, secret = secrets.current, timestamp = seconds): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });

interface Posted {
  readonly body?: string | undefined;
  readonly signature?: string | undefined;
  readonly isBase64Encoded?: boolean;
}

async function post({ body, signature, isBase64Encoded = false }: Posted) {
  const answer = await handler({
    routeKey: "POST /payments/webhook",
    headers: { "content-type": "application/json", ...(signature !== undefined && { "stripe-signature": signature }) },
    body,
    isBase64Encoded,
    requestContext: { requestId, timeEpoch: now },
  } as never);
  return { status: answer.statusCode, body: JSON.parse(String(answer.body)) };
}

const taken = { status: 200, body: { received: true } };
const refused = {
  status: 400,
  body: {
    code: "VALIDATION",
    message: "The signature is missing, wrong or too old.",
    requestId,
    issues: [{ path: "/stripe-signature", message: "is missing, wrong or too old" }],
  },
};

let warned: ReturnType<typeof jest.spyOn>;
beforeEach(() => {
  table.reset();
  stored = { apiKey: "sk_test_unit", webhookSecrets: [secrets.current, secrets.previous] };
  warned = jest.spyOn(log, "warn");
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe("a signed event is accepted", () => {
  test.each([
    ["with the secret", signed()],
    ["with the secret that is being replaced", signed(text, secrets.previous)],
    ["five minutes ago", signed(text, secrets.current, seconds - 300)],
  ])("%s", async (_, signature) => {
    expect(await post({ body: text, signature })).toEqual(taken);
    expect(warned).not.toHaveBeenCalled();
  });

  test("with any text in it, byte for byte as it was sent", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme" }),
        fc.nat(4),
        fc.boolean(),
        async (name, indent, isBase64Encoded) => {
          const payload = ` ${JSON.stringify({ ...event, name }, null, indent)}\n`;
          const body = isBase64Encoded ? Buffer.from(payload).toString("base64") : payload;
          expect(await post({ body, signature: signed(payload), isBase64Encoded })).toEqual(taken);
        },
      ),
      { numRuns: 50 },
    );
  });
});

const old = seconds - 301;
const wrong = "wrong signature";
const emptySecret = createHmac("sha256", "").update(`${seconds}.${text}`).digest("hex");

/** Lines that a wrong secret of ours leaves, and that a stranger's request leaves. */
const [ours, strange] = ["payment event refused", "payment address tried"];
const noForm = "no signature of the provider's form";

describe("an event is refused, and the log says only why:", () => {
  test.each<[string, string, string, Posted]>([
    ["no signature", strange, "no signature", { body: text }],
    ["a signature without time", strange, noForm, { body: text, signature: signed().split(",")[1] }],
    ["an older scheme", strange, noForm, { body: text, signature: signed().replace("v1=", "v0=") }],
    ["a short signature", strange, noForm, { body: text, signature: `t=${seconds},v1=00ff` }],
    ["a later time put in", ours, wrong, { body: text, signature: signed().replace(/t=\d+/, `t=${seconds + 1}`) }],
    ["another secret", ours, wrong, { body: text, signature: signed(text, "whsec_other") }],
    ["two other secrets", ours, wrong, { body: text, signature: `${signed(text, "a")},v1=${emptySecret}` }],
    ["an empty secret", ours, wrong, { body: text, signature: `t=${seconds},v1=${emptySecret}` }],
    ["another body", ours, wrong, { body: text.replace("ch_1", "ch_2"), signature: signed() }],
    ["one blank more", ours, wrong, { body: `${text} `, signature: signed() }],
    ["another secret, long ago", strange, "too old", { body: text, signature: signed(text, "whsec_other", old) }],
    ["another secret, and no event", strange, "no event", { body: "{}", signature: signed("{}", "whsec_other") }],
    ["a recorded request", strange, "too old", { body: text, signature: signed(text, secrets.current, old) }],
    ["one with the former secret", strange, "too old", { body: text, signature: signed(text, secrets.previous, old) }],
    ["something signed that is not JSON", strange, "no event", { body: "{", signature: signed("{") }],
  ])("%s", async (_, line, reason, posted) => {
    expect(await post(posted)).toEqual(refused);
    expect(warned.mock.calls).toEqual([[line, { reason }]]);
    expect(table.calls()).toEqual([]);
  });

  test("any request of a sender who knows no secret", async () => {
    const header = fc.oneof(anyText(), fc.constant(signed()), fc.stringMatching(/^(t=\d*,?|v1=[0-9a-f]*,?)*$/));
    await fc.assert(
      fc.asyncProperty(anyText(), header, fc.boolean(), async (body, signature, isBase64Encoded) => {
        expect(await post({ body, signature, isBase64Encoded })).toEqual(refused);
      }),
      { numRuns: 300 },
    );
  });
});

type Verifier = { verifyHeaderAsync(): Promise<boolean> };

describe("a thin event, which has only the name of what it is about,", () => {
  const thin = {
    ...{ id: "evt_2", object: "v2.core.event", type: "v1.checkout.session.completed", created: "2026-11-29T12:00:00Z" },
    related_object: { id: "cs_1", type: "checkout.session", url: "/v1/checkout/sessions/cs_1" },
  };
  const body = JSON.stringify(thin);

  test("is taken, so that it does not come again, and has no effect", async () => {
    expect(await post({ body, signature: signed(body) })).toEqual(taken);
    expect([warned.mock.calls, table.calls()]).toEqual([[], []]);
  });

  test("is the provider's all the same: one that no secret has signed rings the alarm", async () => {
    expect(await post({ body, signature: signed(body, "whsec_other") })).toEqual(refused);
    expect(warned.mock.calls).toEqual([["payment event refused", { reason: "wrong signature" }]]);
  });
});

test("if signatures were not verified, a forged body would be accepted", async () => {
  const body = { bytes: Buffer.from(text), signature: "garbage" };
  await expect(signedEvent(body, [secrets.current], now)).rejects.toThrow("signature");
  jest.spyOn(Stripe.webhooks.signature as object as Verifier, "verifyHeaderAsync").mockResolvedValueOnce(true);
  expect(await signedEvent(body, [secrets.current], now)).toEqual(event);
});

describe("no event is lost:", () => {
  const paid = {
    ...event,
    type: "checkout.session.completed",
    data: {
      object: {
        id: "cs_1",
        client_reference_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        payment_status: "paid",
        customer_email: "ada@student.example",
      },
    },
  };
  const body = JSON.stringify(paid);

  test.each([
    ["a secret that is not stored", { apiKey: "sk_test_unit", webhookSecrets: [] }, undefined],
    ["a table that fails", undefined, Object.assign(new Error("secret detail"), { name: "ValidationException" })],
  ])("after %s the answer is a 500, so the provider sends the event again", async (_, secret, error) => {
    if (secret) stored = secret;
    if (error) table.on(get).rejects(error as never);
    const failed = jest.spyOn(log, "error").mockImplementation(() => undefined);
    const answer = await post({ body, signature: signed(body) });
    expect(answer).toEqual({ status: 500, body: expect.objectContaining({ code: "INTERNAL" }) });
    expect(JSON.stringify(answer)).not.toContain("detail");
    expect(JSON.stringify(failed.mock.calls)).not.toContain("ada@");
  });
});
