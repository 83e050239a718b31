/** A message passes only when a validator has looked at it. */
import { expect, jest, test } from "@jest/globals";
import type { CompiledSchema } from "#kit/schema/validation.ts";

const schemas = await import("#outbox/message-schemas.ts");
/** The validator of the messages about deleted events. The tests take it away or replace it. */
let validator: CompiledSchema | undefined;
const own = schemas.endedEvent.validate.body;
jest.unstable_mockModule("#outbox/message-schemas.ts", () => ({
  ...schemas,
  endedEvent: {
    get validate() {
      return { body: validator };
    },
  },
}));
const { leavingMessage, eventEndMessage, UnknownMessage } = await import("#outbox/messages.ts");

const metadata = { id: "01", occurredAt: "2030-01-01T00:00:00.000Z", actor: "system", correlationId: "r" };
const bodyWith = (data: object) => JSON.stringify({ "detail-type": "event.deleted", detail: { metadata, data } });
const sound = bodyWith({ id: "gala", year: 2030, generation: "i" });
const unsound = bodyWith({ id: "gala" });

function takes(body: string): boolean {
  try {
    eventEndMessage(body);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(UnknownMessage);
    return false;
  }
}

test.each([
  ["its validator, only sound messages pass", own, [true, false]],
  ["no validator, no message passes", undefined, [false, false]],
  ["a validator that takes everything, as no validator once counted, unsound messages pass", () => true, [true, true]],
] as const)("with %s", (_, given, passes) => {
  validator = given;
  expect([sound, unsound].map(takes)).toEqual(passes);
});

test("a message of another type does not pass", () => {
  validator = own;
  expect(takes(sound.replace("event.deleted", "event.created"))).toBe(false);
});

test.each([
  ["{", "not JSON"],
  [sound.replace("event.deleted", "event.created"), "not for this consumer"],
  [sound.replace('"occurredAt":"2030', '"occurredAt":"when 2030'), "/detail/metadata/occurredAt must be a date"],
  [unsound, "/year: required"],
  [sound.replace('"gala"', "7"), "/id/: type"],
])("a message that does not pass says where it is wrong, and quotes nothing: %#", (body, message) => {
  validator = own;
  expect(() => eventEndMessage(body)).toThrow(message);
});

test("a deleted account is understood also in a message of before origins, which may wait or be replayed", () => {
  const body = (data: object) => JSON.stringify({ "detail-type": "user.deleted", detail: { metadata, data } });
  expect(leavingMessage(body({ email: "ada@x.example" })).data).toEqual({ email: "ada@x.example" });
  expect(() => leavingMessage(body({ origin: "self/account" }))).toThrow(UnknownMessage);
});
