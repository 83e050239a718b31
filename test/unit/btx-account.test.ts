/** The name under which other people see a player. */
import { expect, test } from "@jest/globals";
import { displayName } from "#domain/game/account.ts";

test.each([
  [{ fname: " Ada ", lname: "Lovelace" }, "Ada L."],
  [{ fname: "Ada" }, "Ada"],
  [{ fname: "Ada", lname: "?" }, "Ada"],
  [{ fname: "漢字", lname: "Ünal" }, "漢字 Ü."],
  [{ fname: "a".repeat(100) }, "a".repeat(60)],
  [{ fname: "ada@student.example", lname: "L" }, "Player"],
  [{ lname: "Lovelace" }, "Player"],
  [undefined, "Player"],
  // These marks would reverse the names and numbers beside the name.
  [{ fname: "\u202EAda\u2067", lname: "\u2066L" }, "Ada L."],
])("the name of %j is shown as %s", (person, name) => {
  expect(displayName(person)).toBe(name);
});
