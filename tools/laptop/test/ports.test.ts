/** The ports of the local stage. What is no port number: `flags.test.ts`. */
import { expect, test } from "@jest/globals";
import { blockedPorts, portIn, portsFrom, services, WrongPort } from "../stage/ports.ts";

test("the services take the ports after the API's", () => {
  expect(portsFrom(portIn("5000"))).toMatchObject({ api: 5000, identity: 5001, payments: 5008 });
});

test.each([
  [6000, 6000],
  [4040, 4045],
])("PORT=%d is refused: a service would have port %d, which no browser calls", (first, blocked) => {
  expect(() => portsFrom(first)).toThrow(WrongPort);
  expect(() => portsFrom(first)).toThrow(
    `Browsers and Node refuse to call port ${blocked}, and the stage would take the ports ${first} to ${first + services.length - 1}. ` +
      "Choose others: PORT=5000 npm start",
  );
});

test.each([4000, 5000, 5049, 6001, 0])("control: PORT=%d has no such port", (first) => {
  expect(Object.values(portsFrom(first))).toHaveLength(services.length);
});

test("the list is the one of fetch: Node refuses each of them without a connection", async () => {
  // Newer entries of the standard, which an older Node does not know yet.
  const added = [4190, 6679];
  for (const port of [...blockedPorts].filter((one) => !added.includes(one))) {
    const problem = await fetch(`http://127.0.0.1:${port}`).catch((one: Error) => one);
    expect([port, String((problem as Error).cause)]).toEqual([port, "Error: bad port"]);
  }
});
