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
    ["with both, and one that we do not know", `${signed(text, "whsec_other")},${signed().split(",")[1]}`],
    ["five minutes ago", signed(text, secrets.current, seconds - 300)],
    ["by a clock that is ahead", signed(text, secrets.current, seconds + 20)],
  ])("%s", async (_, signature) => {
    expect(await post({ body: text, signature })).toEqual(taken);
    expect(warned).not.toHaveBeenCalled();
  });

  test("in base64", async () => {
    const body = Buffer.from(text).toString("base64");
    expect(await post({ body, signature: signed(), isBase64Encoded: true })).toEqual(taken);
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

  test("without a call to the table, the network or the provider", async () => {
    const fetched = jest.spyOn(globalThis, "fetch");
    expect(await post({ body: text, signature: signed() })).toEqual(taken);
    expect(fetched).not.toHaveBeenCalled();
    expect(table.calls()).toEqual([]);
  });
});

/** Requests of a sender who does not know the secret, or who repeats a recorded request. */
const forged: Record<string, Posted & { readonly reason: string }> = {
  "no signature": { body: text, reason: "no signature" },
  "an empty signature": { body: text, signature: "", reason: "no signature" },
  garbage: { body: text, signature: "garbage", reason: "wrong signature" },
  "a signature without time": { body: text, signature: signed().split(",")[1], reason: "wrong signature" },
  "an invalid time": { body: text, signature: signed().replace(/t=\d+/, "t=x"), reason: "wrong signature" },
  "a later time put in": {
    body: text,
    signature: signed().replace(/t=\d+/, `t=${seconds + 1}`),
    reason: "wrong signature",
  },
  "a signature of an older scheme": {
    body: text,
    signature: signed().replace("v1=", "v0="),
    reason: "wrong signature",
  },
  "another secret": { body: text, signature: signed(text, "whsec_other"), reason: "wrong signature" },
  "an empty secret": {
    body: text,
    signature: `t=${seconds},v1=${createHmac("sha256", "").update(`${seconds}.${text}`).digest("hex")}`,
    reason: "wrong signature",
  },
  "another body": { body: text.replace("ch_1", "ch_2"), signature: signed(), reason: "wrong signature" },
  "one blank more": { body: `${text} `, signature: signed(), reason: "wrong signature" },
  "no body": { signature: signed(), reason: "wrong signature" },
  "a recorded request": { body: text, signature: signed(text, secrets.current, seconds - 301), reason: "too old" },
  "a recorded request, with the secret that is being replaced": {
    body: text,
    signature: signed(text, secrets.previous, seconds - 301),
    reason: "too old",
  },
  "something signed that is not JSON": { body: "{", signature: signed("{"), reason: "not JSON" },
};

describe("an event is refused, and the log says only why:", () => {
  test.each(Object.keys(forged))("%s", async (kind) => {
    const { reason, ...posted } = forged[kind] as (typeof forged)[string];
    const failed = jest.spyOn(log, "error");
    expect(await post(posted)).toEqual(refused);
    expect(warned.mock.calls).toEqual([["payment event refused", { reason }]]);
    expect(failed).not.toHaveBeenCalled();
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

  test("257 KB with any signature", async () => {
    const body = JSON.stringify({ ...event, filler: "x".repeat(257 * 1024) });
    const large = { status: 413, body: expect.objectContaining({ code: "TOO_LARGE" }) };
    expect(await post({ body, signature: signed(body) })).toEqual(large);
    const encoded = Buffer.from(body).toString("base64");
    expect(await post({ body: encoded, signature: signed(body), isBase64Encoded: true })).toEqual(large);
    const fits = JSON.stringify({ ...event, filler: "x".repeat(200 * 1024) });
    const base64 = Buffer.from(fits).toString("base64");
    expect(await post({ body: base64, signature: signed(fits), isBase64Encoded: true })).toEqual(taken);
  });
});

test("a refused body is logged once, whatever number of secrets it was tried with; a signed one is not", async () => {
  const tried = [secrets.current, secrets.previous];
  const linesFor = async (signature?: string, payload = text): Promise<number> => {
    warned.mockClear();
    await signedEvent({ bytes: Buffer.from(payload), signature }, tried, now).catch(() => undefined);
    return warned.mock.calls.filter(([line]: unknown[]) => line === "payment event refused").length;
  };
  for (const signature of [undefined, "garbage", signed(text, "whsec_other"), signed(text, secrets.current, 1)]) {
    expect(await linesFor(signature)).toBe(1);
  }
  expect(await linesFor(signed("{"), "{")).toBe(1);
  expect(await linesFor(signed())).toBe(0);
});

test("if signatures were not verified, a forged body would be accepted", async () => {
  const body = { bytes: Buffer.from(text), signature: "garbage" };
  await expect(signedEvent(body, [secrets.current], now)).rejects.toThrow("signature");
  const verify = jest.spyOn(Stripe.webhooks, "constructEventAsync");
  verify.mockImplementationOnce(async (bytes) => JSON.parse(bytes.toString()));
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

  test("the log lines of events name no person", async () => {
    table.on(get).resolves({} as never);
    const told = jest.spyOn(log, "info");
    expect(await post({ body, signature: signed(body) })).toEqual(taken);
    expect(told.mock.calls).toEqual([["payment event", { session: "cs_1", meaning: "paid", effect: "not ours" }]]);
  });
});
