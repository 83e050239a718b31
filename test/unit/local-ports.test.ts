/** The ports of the local stage. What is no port number: `local-flags.test.ts`. */
import { expect, test } from "@jest/globals";
import { portIn, portsFrom } from "../../lib/local/stage/ports.ts";

test("the services take the ports after the API's", () => {
  expect(portsFrom(portIn("5000"))).toMatchObject({ api: 5000, identity: 5001, payments: 5008 });
});
