/** What the check-in page decides about a ticket, from its list and its own scans. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  canBeUndone,
  type DoorList,
  expected,
  inside,
  isShownBy,
  judge,
  judgeAnswer,
  markOf,
  type Result,
  refuted,
  rowOf,
  type Scan,
  type Ticket,
  toLookAt,
} from "../../client/door/verdict.ts";

const givenList = (...tickets: readonly Ticket[]): DoorList => ({
  event: { id: "kickoff", year: 2030, ename: "Kickoff" },
  devices: ["door 1", "door 2"],
  choices: ["Rust", "Vegetarian"],
  tickets,
});
const ticket = (state: string, since?: number, device?: number): Ticket =>
  since === undefined ? ["ada", state, "Ada L.", [1, 0]] : ["ada", state, "Ada L.", [1, 0], since, device];

let made = 0;
function givenScan(row: Partial<Scan> = {}, outcome?: Result["outcome"], more: Partial<Result> = {}): Scan {
  made += 1;
  const nonce = row.nonce ?? `nonce ${made}`;
  const answer = outcome && { result: { nonce, outcome, ...more }, answeredAt: 1_000 };
  return { mark: "ada", code: "ada", scannedAt: 1_000, device: "door 1", admitted: true, ...row, nonce, ...answer };
}
const colour = (list: DoorList | undefined, ...scans: readonly Scan[]) => judge(list, scans, "ada").colour;

test("a mark is the first 12 bytes of the SHA-256 of the trimmed code", async () => {
  const codes = Array.from({ length: 20 }, (_, n) => `V2.ü${n}`);
  const hashes = codes.map((code) => createHash("sha256").update(code).digest().subarray(0, 12).toString("base64url"));
  expect(await Promise.all(codes.map((code) => markOf(` ${code}\n`)))).toEqual(hashes);
});

test.each([
  ["acceptedComplete", "green", "On the list"],
  ["waitlist", "red", "On the waitlist"],
  ["cancelled", "red", "Cancelled"],
  ["refunded", "red", "Paid back, or lost in a dispute: ask an executive"],
  ["a state of tomorrow", "red", "a state of tomorrow"],
] as const)("a ticket that is %s is %s: %s", (state, expected, sentence) => {
  const verdict = judge(givenList(ticket(state)), [], "ada");
  expect(verdict).toEqual({ colour: expected, sentence, name: "Ada L.", choices: ["Vegetarian", "Rust"] });
});

test("a ticket that the list does not know, or that no list can tell of, is amber", () => {
  expect(judge(givenList(), [], "ada")).toMatchObject({ colour: "amber", sentence: "Not on this list" });
  expect(judge(undefined, [], "ada")).toMatchObject({ colour: "amber", sentence: "There is no list yet" });
});

test("a ticket that is in is red, with the time and the place", () => {
  const since = new Date(2030, 0, 1, 18, 2).getTime();
  const { colour, sentence } = judge(givenList(ticket("checkedIn", since, 1)), [], "ada");
  expect({ colour, sentence }).toEqual({ colour: "red", sentence: "In since 18:02 at “door 2”" });
});

describe("this phone's own scans count until the list shows them", () => {
  const free = givenList(ticket("registered"));
  const taken = givenList(ticket("checkedIn", 5_000, 0));

  test.each<[string, Scan, string]>([
    ["let in, and not sent", givenScan(), "red"],
    ["let in elsewhere before", givenScan({}, "again", { first: { device: "door 2", at: 900 } }), "red"],
    ["let in although the server does not know why", givenScan({}, "admitted", { reason: "unknown" }), "red"],
    ["turned away", givenScan({ admitted: false }, "turnedAway"), "green"],
    ["refused", givenScan({}, "refused", { reason: "cancelled" }), "green"],
    ["let in, and the list that came later says not", givenScan({ isListed: true }, "checkedIn"), "green"],
  ])("%s", (_what, scan, expected) => {
    expect(colour(free, scan)).toBe(expected);
    if (scan.result?.first) expect(judge(free, [scan], "ada").sentence).toContain("“door 2”");
    expect(colour(givenList(), scan)).toBe(expected === "red" ? "red" : "amber");
  });

  test("an undo frees the ticket at once, also while the list still shows it, and no other check-in", () => {
    const scan = givenScan();
    const undo = givenScan({ undoes: scan.nonce });
    expect(colour(free, scan, undo)).toBe("green");
    expect(colour(free, scan, undo, givenScan())).toBe("red");
    const listed = (device: string) => {
      const first = { device, at: 5_000 };
      return { ...givenScan({ isListed: true }, "checkedIn", { first }), nonce: scan.nonce };
    };
    expect(colour(taken, listed("door 1"), undo)).toBe("green");
    expect(colour(taken, listed("door 1"), { ...undo, isListed: true })).toBe("red");
    expect(colour(taken, listed("door 1"), givenScan({ undoes: scan.nonce }, "refused"))).toBe("red");
    expect(colour(taken, listed("door 2"), undo)).toBe("red");
    const again = givenScan({}, "again", { first: { device: "door 2", at: 900 } });
    expect(colour(free, again, givenScan({ undoes: again.nonce }))).toBe("red");
  });

  test("a list shows a check-in when the ticket is in, an undo when it is not, and both after a while", () => {
    const both = [givenScan({}, "checkedIn"), givenScan({ undoes: "x" }, "undone")];
    const shown = (list: DoorList, now: number) => both.map((scan) => isShownBy(list, scan, now));
    expect([shown(taken, 2_000), shown(free, 2_000)].flat()).toEqual([true, false, false, true]);
    expect([shown(free, 400_000), shown(taken, 400_000)].flat()).toEqual([true, true, true, true]);
    expect(isShownBy(taken, givenScan({}, "turnedAway"), 400_000)).toBe(false);
  });

  test("whatever a phone scans and undoes, it never lets a ticket in twice", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.boolean())), (acts) => {
        const scans: Scan[] = [];
        let last: Scan | undefined;
        for (const [isUndo, isAnswered] of acts) {
          if (isUndo && last) {
            scans.push(givenScan({ undoes: last.nonce }, isAnswered ? "undone" : undefined));
            last = undefined;
          } else if (!isUndo) {
            const isGreen = colour(free, ...scans) === "green";
            expect(isGreen).toBe(last === undefined);
            const outcome = isGreen ? "checkedIn" : "turnedAway";
            const scan = givenScan({ admitted: isGreen }, isAnswered ? outcome : undefined);
            scans.push(scan);
            if (isGreen) last = scan;
          }
        }
        expect(inside(free, scans)).toHaveLength(last ? 1 : 0);
      }),
    );
  });
});

test("who is in: by the list and by own scans, the latest first", () => {
  const list = givenList(
    ticket("checkedIn", 5_000, 1),
    ["bob", "registered", "Bob B.", []],
    ["eve", "accepted", "Eve E.", []],
  );
  const scans = [
    givenScan({ mark: "bob", scannedAt: 7_000 }),
    givenScan({ mark: "new", scannedAt: 6_000 }, "admitted"),
  ];
  expect(inside(list, scans)).toEqual([
    { mark: "bob", name: "Bob B.", at: 7_000, device: "door 1" },
    { mark: "new", name: "Not on the list", at: 6_000, device: "door 1" },
    { mark: "ada", name: "Ada L.", at: 5_000, device: "door 2" },
  ]);
});

test("a question turns green or red by its answer", () => {
  const question = givenScan({ admitted: undefined });
  const answer = (outcome: Result["outcome"], more: Partial<Result> = {}) =>
    judgeAnswer(givenList(), question, { nonce: question.nonce, outcome, ...more });
  expect(answer("checkedIn", { name: "Emmy N." })).toMatchObject({ colour: "green", name: "Emmy N." });
  expect(answer("again", { first: { device: "door 2", at: 0 } })).toMatchObject({ colour: "red" });
  expect(answer("refused", { reason: "replaced" })).toMatchObject({ sentence: "Replaced by a newer ticket" });
});

describe("a contradiction of the server is to look at", () => {
  const first = { device: "door 2", at: new Date(2030, 0, 1, 18, 2).getTime() };
  const again = { device: "door 1", at: new Date(2030, 0, 1, 18, 5).getTime() };
  const sentences = (...scans: readonly Scan[]) =>
    toLookAt(givenList(ticket("registered")), scans).map((one) => one.sentence);

  test("let in and cancelled meanwhile, checked in by a question that no executive saw, or not undone", () => {
    expect(sentences(givenScan({}, "admitted", { reason: "cancelled" }))).toEqual([
      expect.stringMatching(/The server says: Cancelled\.$/),
    ]);
    const question = givenScan({ admitted: undefined, isLeft: true }, "checkedIn");
    expect(sentences(question)).toEqual([expect.stringMatching(/^Checked in by the question/)]);
    const undo = givenScan({ undoes: "x" }, "refused");
    expect(sentences(givenScan({ nonce: "x" }, "checkedIn"), undo)).toEqual([expect.stringMatching(/^Not undone/)]);
  });

  test("let in twice, until an executive dismisses it", () => {
    const scan = givenScan({}, "again", { first, again });
    expect(sentences(scan)).toEqual(["Let in twice: 18:02 at “door 2”, and 18:05 at “door 1”."]);
    expect(sentences({ ...scan, isDismissed: true })).toEqual([]);
    expect(sentences(scan, givenScan({ undoes: scan.nonce }))).toEqual([]);
  });

  test.each<[string, Scan[]]>([
    ["what was to be expected", [givenScan({}, "checkedIn")]],
    ["what an executive decided knowingly", [givenScan({ isDeliberate: true }, "again", { first, again })]],
    ["two scans of the phone itself", [givenScan({}, "checkedIn"), givenScan({}, "again", { first, again })]],
  ])("not %s", (_what, scans) => {
    expect(sentences(...scans)).toEqual([]);
  });
});

describe("a green verdict turns into Stop", () => {
  const first = { device: "door 2", at: new Date(2030, 0, 1, 18, 2).getTime() };
  const free = givenList(ticket("registered"));
  const question = (outcome?: Result["outcome"], more: Partial<Result> = {}) =>
    givenScan({ nonce: "question", admitted: undefined, isListed: true }, outcome, more);
  const row = givenScan({ nonce: "row", answers: "question" });

  test.each<[string, DoorList, Scan, Scan[], string]>([
    ["was let in elsewhere", free, givenScan({}, "again", { first }), [], "In since 18:02 at “door 2”"],
    [
      "the question was answered late",
      free,
      row,
      [question("again", { first }), givenScan({ undoes: "question" })],
      "In since 18:02 at “door 2”",
    ],
    [
      "was refunded meanwhile",
      free,
      givenScan({}, "admitted", { reason: "refunded" }),
      [],
      "Paid back, or lost in a dispute: ask an executive",
    ],
    [
      "was refunded, which only the question's answer says",
      free,
      { ...row, result: { nonce: "row", outcome: "checkedIn" } },
      [question("refused", { reason: "refunded" })],
      "Paid back, or lost in a dispute: ask an executive",
    ],
    [
      "an executive undid what had arrived",
      free,
      givenScan({}, "undone"),
      [],
      expect.stringContaining("undone") as never,
    ],
    ["the list shows an undo", free, question("checkedIn"), [], expect.stringContaining("undone") as never],
    ["the list shows a cancellation", givenList(ticket("cancelled")), question("checkedIn"), [], "Cancelled"],
  ])("when the ticket: %s", (_what, list, shown, others, sentence) => {
    expect(refuted(list, shown, [...others, shown])).toEqual({
      colour: "red",
      sentence,
      name: "Ada L.",
      choices: ["Vegetarian", "Rust"],
    });
  });

  test.each<[string, DoorList, Scan, Scan[]]>([
    ["nothing is known", free, givenScan(), []],
    ["it is in", givenList(ticket("checkedIn", 1_000, 0)), question("checkedIn"), []],
    ["the list does not show it yet", free, givenScan({}, "checkedIn"), []],
    [
      "the phone's own question let it in",
      free,
      { ...row, ...givenScan({ nonce: "row", answers: "question" }, "again", { first }) },
      [givenScan({ nonce: "question", admitted: undefined }, "checkedIn")],
    ],
    ["the phone took it back", free, question("checkedIn"), [givenScan({ undoes: "question" })]],
    ["it was let in knowingly", free, givenScan({ isDeliberate: true }, "admitted", { reason: "cancelled" }), []],
  ])("but not when %s", (_what, list, shown, others) => {
    expect(refuted(list, shown, [...others, shown])).toBeUndefined();
  });
});

test("those who may come are counted: who may enter, and who is in", () => {
  const states = ["registered", "accepted", "checkedIn", "cancelled", "waitlist", "refunded"];
  expect(expected(givenList(...states.map((state): Ticket => [state, state, "A", []])))).toBe(3);
  expect(expected(undefined)).toBe(0);
});

test.each(["unanswered", "checkedIn"] as const)("a question (%s) is undone with the row that answers it", (outcome) => {
  const { admitted: _, ...asked } = givenScan({ nonce: "question" });
  const question: Scan = outcome === "unanswered" ? asked : { ...asked, result: { nonce: "question", outcome } };
  const row = givenScan({ nonce: "row", answers: "question" });
  const both = [question, row];
  expect(both.map((one) => canBeUndone(one, both))).toEqual([false, true]);
  expect(canBeUndone(row, [...both, givenScan({ undoes: "row" })])).toBe(false);
  const undone = [...both, ...both.toReversed().map(({ nonce }) => givenScan({ nonce: `no ${nonce}`, undoes: nonce }))];
  const list = givenList(ticket("registered"));
  expect([both, undone].map((scans) => judge(list, scans, "ada").colour)).toEqual(["red", "green"]);
});

test("a row has a code or a mark, and nothing that only the phone needs", () => {
  const { code, admitted, ...byName } = givenScan({ nonce: "n", isTried: true, isDeliberate: true });
  const row = { scannedAt: 1_000, nonce: "n", device: "door 1" };
  expect(rowOf({ ...byName, code: "ada", admitted: true })).toEqual({ ...row, code: "ada", admitted: true });
  expect(rowOf({ ...byName, undoes: "m" })).toEqual({ ...row, mark: "ada", undoes: "m" });
});
