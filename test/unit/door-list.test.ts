/** What the door list shows of a ticket. */
import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import { givenGala } from "./gala.ts";

const { doorList, doorName, markOfCode } = await import("#domain/registrations/door/door-list.ts");

test.each([
  [{ fname: "Ada", basicInformation: { lname: "Lovelace" } }, "Ada L."],
  [{ fname: "Ada", basicInformation: {} }, "Ada"],
  [{ fname: " Ada King  Lovelace ", basicInformation: {} }, "Ada L."],
  [{ fname: "Ada Lovelace", basicInformation: { lname: " Lovelace" } }, "Ada L."],
  [{ fname: "", basicInformation: {} }, ""],
  [{ fname: "Zoë".repeat(20), basicInformation: { lname: "Åström" } }, `${"Zoë".repeat(10)} Å.`],
  [{ fname: "😀😀", basicInformation: { lname: "😀x" } }, "😀😀 😀."],
])("a name has no last name: %j", (person, name) => {
  expect(doorName(person)).toBe(name);
});

test("a mark is twelve bytes of the code's hash", () => {
  const hash = createHash("sha256").update("V2.ABC").digest();
  expect(Buffer.from(markOfCode("V2.ABC"), "base64url")).toEqual(hash.subarray(0, 12));
  expect(markOfCode("V2.ABC")).toHaveLength(16);
});

test("a seat whose payment was refunded is marked, until it is checked in", async () => {
  const gala = givenGala();
  for (const name of ["paid", "refunded", "entered"]) await gala.register(name, { fname: name });
  gala.remember("refunded", { refunded: true });
  gala.remember("entered", { refunded: true, status: "checkedIn" });
  const { tickets } = await doorList(gala.event(), "key");
  expect(tickets.map(([, state, name]) => [name, state])).toEqual([
    ["paid", "registered"],
    ["refunded", "refunded"],
    ["entered", "checkedIn"],
  ]);
});
