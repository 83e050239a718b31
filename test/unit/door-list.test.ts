/** What the door list shows of a ticket. */
import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";

const { doorName, markOfCode } = await import("#domain/registrations/door/door-list.ts");

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
