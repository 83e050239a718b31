/** Chat messages are sent at most once for each change. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { log } from "#kit/log.ts";
import {
  batchOf,
  failuresOf,
  givenEvent,
  givenRegistration,
  givenWorld,
  markerOf,
  messageOf,
  onTheBus,
  world,
} from "./notification-world.ts";

const { handler } = await import("#consumers/send-chat.ts");

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
const ok: Answer = (response) => response.end("ok");
const status =
  (code: number, headers = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end();

/** The requests that the webhook got, whatever it answered. */
let posted: { path: string | undefined; method: string | undefined; type: string | undefined; body: string }[] = [];
/** The webhook's answers in turn, then `ok`. */
let answers: Answer[] = [];
/** The connections to the webhook. */
let connections: Socket[] = [];

// It would keep an idle connection for longer than a test takes.
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  let body = "";
  request.on("data", (piece) => {
    body += piece;
  });
  request.on("end", () => {
    posted.push({ path: request.url, method: request.method, type: request.headers["content-type"], body });
    (answers.shift() ?? ok)(response, request);
  });
});
server.on("connection", (socket) => connections.push(socket));
let hook = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  hook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
});
beforeEach(() => {
  givenWorld();
  posted = [];
  answers = [];
  connections = [];
  world.secret = async () => hook;
});

const registered = messageOf();
const deliver = async (...message: ReturnType<typeof messageOf>[]) =>
  failuresOf(await handler(batchOf(...message.map(onTheBus)) as never));
const stateOf = async (outboxId = registered.id) => (await markerOf({ outboxId, channel: "chat" }))?.state;

describe("a change of a registration", () => {
  test("is posted as JSON to the address in the secret", async () => {
    givenEvent();
    givenRegistration();
    const secret = jest.spyOn(world, "secret");
    expect(await deliver(registered)).toEqual([]);
    expect(secret).toHaveBeenCalledWith("chat-webhook");
    const body = JSON.stringify({ text: "Ada is registered for Kickstart" });
    expect(posted).toEqual([{ path: "/hook", method: "POST", type: "application/json", body }]);
    expect(await stateOf()).toBe("claimed");
  });

  test.each([
    ["a person checks in", messageOf({ notice: "checkedIn" }, { type: "registration.checkedIn" }), 1],
    ["a ticket is sent again", messageOf({}, { type: "registration.updated" }), 0],
    ["an event moves", messageOf({ notice: "moved", scheduleVersion: 0 }, { type: "registration.updated" }), 0],
  ])("is posted only if its notice is for the chat: %s", async (_, message, messages) => {
    givenEvent();
    givenRegistration();
    expect(await deliver(message)).toEqual([]);
    expect(posted).toHaveLength(messages);
    expect(await stateOf(message.id)).toBe(messages ? "claimed" : undefined);
  });
});

test("nothing is posted about a person who is erased", async () => {
  givenEvent();
  givenRegistration({ email: "erased-0@erased.invalid" });
  const message = messageOf({ email: "erased-0@erased.invalid" });
  expect(await deliver(message)).toEqual([]);
  expect([posted, await stateOf(message.id)]).toEqual([[], undefined]);
});

describe("a refund that is needed", () => {
  const data = {
    email: "ada@student.example",
    purpose: "event",
    eventID: "kickstart",
    year: 2026,
    paymentId: "cs_test_1",
    paymentIntent: "pi_1",
    amount: 1_050,
    currency: "CAD",
    reason: "nothing to pay",
    because: "stage",
  } as const;
  const refund = { ...registered, id: "01refund", type: "payment.refundByHand" };
  const message = (changes: object = {}) =>
    ({ ...refund, data: { ...data, ...changes } }) as unknown as typeof registered;
  const texts = () => posted.map(({ body }) => JSON.parse(body).text);

  test("is posted once: how much, for what, why, and where to find it", async () => {
    expect(await deliver(message(), message())).toEqual([]);
    expect(await deliver(message())).toEqual([]);
    const why = "there was nothing to pay any more";
    expect(texts()).toEqual([`Refund needed: 10.50 CAD for kickstart 2026, ${why}. Payment: pi_1, cs_test_1`]);
    expect(await stateOf("01refund")).toBe("claimed");
  });

  test.each([
    [{ reason: "registration ended" }, "for kickstart 2026, the registration has ended."],
    [{ purpose: "membership", eventID: undefined, year: undefined }, "for membership, there was nothing to pay"],
    [{ amount: 5, paymentIntent: undefined }, "Refund needed: 0.05 CAD"],
    [{ paymentIntent: "<!here> @everyone" }, "&lt;!here&gt; @\u2060everyone"],
  ])("is posted with the known facts: %j", async (changes, text) => {
    expect(await deliver(message(changes))).toEqual([]);
    expect(texts()[0]).toContain(text);
  });

  const erased = {
    email: "erased@erased.invalid",
    type: "payment.refundFailed",
    because: "expired_card",
    wasTold: true,
  };

  test.each([
    ["is told that the person was told", { ...erased, email: data.email }, "The person was told that it comes"],
    [
      "of an erased person that no person is left to tell",
      erased,
      "The person is erased: there is nobody left to tell",
    ],
  ])("of which the money came back: the treasurer %s", async (_, { type, ...changes }, sentence) => {
    const failed = { ...message({ ...changes, refundId: "re_1" }), type } as unknown as typeof registered;
    expect(await deliver(failed)).toEqual([]);
    expect(texts()).toEqual([
      `A refund failed: 10.50 CAD for kickstart 2026, expired card. ${sentence}. Payment: pi_1, cs_test_1`,
    ]);
  });

  test("by hand, of a person who is erased since, does not ask for the person to be told", async () => {
    expect(await deliver(message({ email: erased.email }))).toEqual([]);
    expect(texts()[0]).toContain("any more. The person is erased: there is nobody left to tell. Payment: pi_1");
  });

  test("without its event or amount is not understood, and nothing is posted", async () => {
    expect(await deliver(message({ eventID: undefined }))).toEqual(["m0"]);
    expect(await deliver(message({ amount: "10" }))).toEqual(["m0"]);
    expect(posted).toEqual([]);
  });
});

test("a payout that did not arrive is posted once, although it is about no person", async () => {
  const data = { payoutId: "po_1", amount: 123_45, currency: "CAD", because: "account_closed" };
  const failed = { ...registered, id: "01payout", type: "payment.payoutFailed", data } as unknown as typeof registered;
  expect(await deliver(failed, failed)).toEqual([]);
  expect(posted.map(({ body }) => JSON.parse(body).text)).toEqual([
    "A payout did not reach the club's bank account, correct the account at the provider: 123.45 CAD, account closed. Payout: po_1",
  ]);
});

describe("a chat webhook", () => {
  beforeEach(() => {
    givenEvent();
    givenRegistration();
  });

  test.each([
    ["throttles", status(429, { "retry-after": "1" })],
    ["is not working", status(503)],
    ["redirects", status(307, { location: "/elsewhere" })],
  ])("that %s gets the message again", async (_, answer) => {
    answers = [answer];
    expect(await deliver(registered)).toEqual(["m0"]);
    expect(await stateOf()).toBe("released");
    expect(await deliver(registered)).toEqual([]);
    expect(posted.map(({ path }) => path)).toEqual(["/hook", "/hook"]);
    expect(await stateOf()).toBe("claimed");
  });

  test("that cannot be reached gets the message later", async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => void closed.listen(0, "127.0.0.1", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => void closed.close(resolve));
    world.secret = async () => `http://127.0.0.1:${port}/hook`;
    expect(await deliver(registered)).toEqual(["m0"]);
    world.secret = async () => hook;
    expect(await deliver(registered)).toEqual([]);
    expect(posted).toHaveLength(1);
  });

  test.each([
    ["refuses it", status(400), "error"],
    ["fails", status(500), "warn"],
    ["hangs up", (response: ServerResponse) => void response.destroy(), "warn"],
  ] as const)("that %s is posted to once, and the operator is told (%#)", async (_, answer, level) => {
    answers = [answer];
    const logged = jest.spyOn(log, level);
    expect(await deliver(registered)).toEqual([]);
    expect(await stateOf()).toBe("failed");
    expect(logged).toHaveBeenCalledWith(expect.any(String), expect.objectContaining({ id: registered.id }));
    expect(await deliver(registered)).toEqual([]);
    world.revive();
    expect(await deliver(registered)).toEqual([]);
    expect(posted.map(({ path }) => path)).toEqual(["/hook"]);
  });

  test("that does not answer for five seconds may have posted the message", async () => {
    // The time limit passes as soon as the webhook has the message, so a slow machine does not matter.
    const patience = new AbortController();
    const clock = jest.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal);
    answers = [() => patience.abort(new DOMException("The time is up.", "TimeoutError"))];
    expect(await deliver(registered)).toEqual([]);
    expect(clock).toHaveBeenCalledWith(5_000);
    expect(await stateOf()).toBe("failed");
    expect(await deliver(registered)).toEqual([]);
    expect(posted).toHaveLength(1);
  });
});
