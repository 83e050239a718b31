/** An answer with a ticket's code needs the ticket key. The key is loaded before the write, so nothing fails behind it. */
import { beforeEach, expect, jest, test } from "@jest/globals";
import { eventItem, registrationItem, seatsItem } from "./given.ts";
import { batchGet, caller, get, internal, query, sent, table, transactWrite } from "./mocked-table.ts";

jest.unstable_mockModule("#kit/secret.ts", () => ({ readSecret: () => Promise.reject(new Error("no answer")) }));
const { handler } = await import("#api/registrations/index.ts");

const email = "ada@unit.example";
const which = { eventID: "gala", year: 2030 };
const event = eventItem();
const registration = registrationItem({ email, status: "registered" });

beforeEach(() => {
  table.reset();
  table.on(get).resolves({ Item: registration } as never);
  table.on(batchGet).resolves({ Responses: { Unit: [event, seatsItem(event)] } } as never);
  table.on(query).resolves({ Items: [] } as never);
  table.on(transactWrite).resolves({} as never);
});

test.each<[string, object]>([
  ["POST /registrations", { body: { ...which, email } }],
  ["PUT /registrations/{email}/{fname}", { params: { email, fname: "Ada" }, body: { ...which, points: 5 } }],
  ["POST /registrations/check-in", { body: { ...which, email } }],
])("%s without the key is a 500, and changes nothing", async (route, request) => {
  expect(await caller(handler)(route, request)).toEqual(internal);
  expect(sent.transactions()).toEqual([]);
});
