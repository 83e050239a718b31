/** Whom a search at the door finds, and what it shows of them (`docs/contract.md`, "The door"). */
import { expect, test } from "@jest/globals";
import { registrationRecord } from "./given.ts";

const { foundIn } = await import("#domain/registrations/door/search.ts");

const person = (fname: string, lname?: string, email = "x@student.example") => ({
  mark: email,
  registration: {
    ...registrationRecord({ fname, email, basicInformation: lname === undefined ? {} : { lname } }),
    ...{ PK: email, SK: "" },
  },
});
const namesFor = (text: string, ...people: readonly ReturnType<typeof person>[]) =>
  foundIn(people, text).people.map(({ name }) => name);

test.each([
  ["a first name", "ad", ["Ada", "Lovelace"], "Ada L."],
  ["a last name", "lov", ["Ada", "Lovelace"], "Ada Lov…"],
  ["a whole last name", "LOVELACE", ["Ada", "Lovelace"], "Ada Lovelace"],
  ["both", "ada  lov", ["Ada", "Lovelace"], "Ada Lov…"],
  ["the initial", "ada l", ["Ada", "Lovelace"], "Ada L."],
  ["a last name that is the end of the first one", "lovel", ["Ada King Lovelace"], "Ada Lovel…"],
  ["a first and a last name without the second one", "mary smi", ["Mary Ann", "Smith"], "Mary Smi…"],
  ["both first names and the last one", "mary ann smi", ["Mary Ann", "Smith"], "Mary Smi…"],
  ["an apostrophe that is not typed", "oneil", ["Tip", "O'Neil"], "Tip O'Neil"],
  ["an apostrophe that only the text has", "o’neil", ["Tip", "ONeil"], "Tip ONeil"],
  ["a hyphen typed as a space", "jean luc", ["Jean-Luc", "Picard"], "Jean-Luc P."],
  ["a hyphen that is not typed, and accents", "jeanluc pic", ["Jéan-Luc", "Picard"], "Jéan-Luc Pic…"],
  ["letters that fold to two", "strass", ["Eva", "Straßer"], "Eva Straß…"],
  ["an email", "x@stu", ["Ada", "Lovelace"], "Ada L."],
] as const)("%s is found", (_what, text, [first, last], shown) => {
  expect(namesFor(text, person(first, last), person("Grace", "Hopper", "grace@student.example"))).toEqual([shown]);
});

test.each(["velace", "lovelace ada", "adalovelacex", "@student", "''", "."])("%j finds none", (text) => {
  expect(namesFor(text, person("Ada", "Lovelace"), person("Tip", "O'Neil"))).toEqual([]);
});

test("a person is told apart by a masked email; the eleventh is announced, and not shown", () => {
  const people = Array.from({ length: 11 }, (_, n) => person("Ada", "Lovelace", `p${n}@student.example`));
  expect(foundIn(people.slice(1), "ada")).toMatchObject({ hasMore: false });
  const { people: found, hasMore } = foundIn(people, "ada");
  expect([found.length, hasMore]).toEqual([10, true]);
  expect(found[0]).toEqual({ mark: "p0@student.example", name: "Ada L.", email: "p…@student.example" });
});
