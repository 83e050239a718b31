/** What the check-in page finds and says while a name is typed, with and without the service. */
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { createSearch, type FoundPeople, matchesIn } from "../../client/door/search.ts";
import type { DoorList, Ticket } from "../../client/door/verdict.ts";
import { Refused } from "../../client/shared/call.ts";

const givenList = (...names: readonly string[]): DoorList => ({
  event: { id: "kickoff", year: 2030, ename: "Kickoff" },
  ...{ devices: [], choices: [] },
  tickets: names.map((name): Ticket => [`mark of ${name}`, "registered", name, []]),
});
const guests = givenList("Ada L.", "Grace H.", "Jean-Luc P.", "Tip O.", "Zoë");

test.each([
  ["gráce", ["Grace H."], []],
  ["ada lovelace", [], ["Ada L."]],
  ["Lovelace", [], ["Ada L."]],
  ["jeanluc", ["Jean-Luc P."], []],
  ["jean luc picard", [], ["Jean-Luc P."]],
  ["O'Neil", [], ["Tip O."]],
  ["oneil", [], ["Tip O."]],
  ["zoe", ["Zoë"], []],
  ["ada hopper", [], []],
  ["- '", [], []],
])("on the phone %j finds by letters %j and by initial %j", (text, lettered, byInitial) => {
  const found = matchesIn(guests, text);
  expect(found.lettered.map(({ name }) => name)).toEqual(lettered);
  expect(found.all.map(({ name }) => name)).toEqual([...lettered, ...byInitial]);
});

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const notHere = "Last names are not on this phone.";

function givenSearch(answer: (text: string) => Promise<FoundPeople>, isOnline = true) {
  const asked: string[] = [];
  const search = createSearch({
    ask: (text) => {
      asked.push(text);
      return answer(text);
    },
    isOnline: () => isOnline,
    onChange: () => undefined,
  });
  const typed = async (text: string) => {
    search.type(text);
    await jest.advanceTimersByTimeAsync(300);
  };
  return { ...search, asked, typed, said: () => search.found(guests).sentence };
}
const lovelace = { mark: "mark of Ada L.", name: "Ada Love…", email: "a…@student.example" };
const found = async () => ({ people: [lovelace], hasMore: false });

test("the service is asked once typing has paused, and its people have an email", async () => {
  const search = givenSearch(found);
  search.type("lo");
  expect(search.said()).toBe("1 found by first name or initial. Asking the server for last names …");
  await jest.advanceTimersByTimeAsync(100);
  await search.typed("love");
  expect(search.asked).toEqual(["love"]);
  const { matches, sentence } = search.found(guests);
  expect(matches).toEqual([{ mark: lovelace.mark, name: "Ada Love…", detail: lovelace.email }]);
  expect(sentence).toBe("1 found.");
});

test("an answer to what was typed before is not shown", async () => {
  let answer: (people: FoundPeople) => void = () => {};
  const search = givenSearch(
    () =>
      new Promise((done) => {
        answer = done;
      }),
  );
  await search.typed("love");
  search.type("grace");
  answer({ people: [lovelace], hasMore: false });
  await jest.advanceTimersByTimeAsync(0);
  expect(search.found(guests).matches.map(({ name }) => name)).toEqual(["Grace H."]);
});

test("only the service says that a person is not found", async () => {
  const none = givenSearch(async () => ({ people: [], hasMore: false }));
  await none.typed("turing");
  expect(none.said()).toBe("Not found: no first name, last name or email of this event begins like this.");
  const offline = givenSearch(found, false);
  await offline.typed("turing");
  expect([offline.asked, offline.said()]).toEqual([[], `None found by first name or initial. ${notHere}`]);
  const short = givenSearch(found);
  await short.typed("t");
  expect([short.asked, short.said()]).toEqual([[], `1 found by first name or initial. ${notHere}`]);
});

test.each([
  [
    new Refused(429, { message: "You have searched too often. Please try again later." }),
    /^You have searched too often/,
  ],
  [new TypeError("Failed to fetch"), /^There is no answer of the server\. /],
])("%s is said, and the phone's own list is searched", async (problem, sentence) => {
  const search = givenSearch(() => Promise.reject(problem));
  await search.typed("grace");
  expect(search.said()).toMatch(sentence);
  expect(search.said()).toContain(`1 found by first name or initial. ${notHere}`);
  expect(search.found(guests).matches).toHaveLength(1);
});

test("more than thirty people, and more of the service, are announced", async () => {
  const many = givenList(...Array.from({ length: 31 }, (_, n) => `Ada${n} L.`));
  const offline = givenSearch(found, false);
  await offline.typed("ada");
  const { matches, sentence } = offline.found(many);
  expect([matches.length, sentence]).toEqual([
    30,
    `31 found by first name or initial, 30 shown. Type more of the name. ${notHere}`,
  ]);
  const online = givenSearch(async () => ({ people: [lovelace], hasMore: true }));
  await online.typed("love");
  expect(online.said()).toBe("1 shown, and there are more. Type more of the name.");
});
