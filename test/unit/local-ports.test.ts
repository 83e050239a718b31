/** The variable PORT of `npm start`. */
import { expect, test } from "@jest/globals";
import { portIn, portsFrom, WrongPort } from "../../lib/local/stage/ports.ts";

test.each(["0", "abc", "70000", "-1", "", "4000.5", " 4000"])("PORT=%j is refused", (text) => {
  expect(() => portIn(text)).toThrow(WrongPort);
  expect(() => portIn(text)).toThrow(`PORT is "${text}"`);
});

test("the services take the ports after the API's", () => {
  expect(portsFrom(portIn("5000"))).toMatchObject({ api: 5000, identity: 5001, payments: 5008 });
});
