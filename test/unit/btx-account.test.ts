/** What others see of a player. */
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
  // They would turn around the names and numbers beside it.
  [{ fname: "\u202EAda\u2067", lname: "\u2066L" }, "Ada L."],
])("%j is %s", (person, name) => {
  expect(displayName(person)).toBe(name);
});
