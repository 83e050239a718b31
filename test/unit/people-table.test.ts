/** People from a table: what clubs' files say, what would become of each row, and what is asked for and reported. */
import { describe, expect, test } from "@jest/globals";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { canonicalEmail } from "#kit/text/email.ts";
import { type Answer, carryOut, Halted, type Outcome, patience } from "../../client/people/carry-out.ts";
import { answerIn, dateIn, emailIn, flagIn, namesIn, orderIn } from "../../client/people/cells.ts";
import { fieldsFor, guessed, type Question, questionsAbout, type TableEvent } from "../../client/people/fields.ts";
import { listsFor, type Outlook, outlookOf, type Present } from "../../client/people/outlook.ts";
import { needsOrder, type Person, peopleIn } from "../../client/people/people.ts";
import { reportOf } from "../../client/people/report.ts";
import { tableIn, UnreadableTable } from "../../client/people/table.ts";

const most = 100_000;
const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string, mark = "\ufeff") => new Uint8Array(Buffer.from(mark + text, "utf16le"));
const swapped = (bytes: Uint8Array) => new Uint8Array(Buffer.from(bytes).swap16());
const latin = "ÀÉÖßéñü€“”–Žœ";
const windows = (text: string) =>
  Uint8Array.from([...text], (letter) => {
    const high = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ".indexOf(letter);
    const codes = "80 82 83 84 85 86 87 88 89 8a 8b 8c 8e 91 92 93 94 95 96 97 98 99 9a 9b 9c 9e 9f".split(" ");
    return high < 0 ? letter.charCodeAt(0) : Number.parseInt(codes[high] ?? "", 16);
  });

const encodings: readonly (readonly [name: string, encode: (text: string) => Uint8Array])[] = [
  ["UTF-8", utf8],
  ["UTF-8 with a mark", (text) => utf8(`\ufeff${text}`)],
  ["UTF-16", utf16],
  ["UTF-16, the other way round", (text) => swapped(utf16(text))],
  ["Windows-1252", windows],
];

const cell = fc.string({
  unit: fc.constantFrom(...'ab7@ ",;\t\n', ..."=+-'", ...latin),
  maxLength: 12,
});
const headings = ["E-mail", "First name", "Note"];

describe("a table", () => {
  test.each(encodings)("is read as it was written: %s", (name, encode) => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 20 }),
        fc.constantFrom(",", ";", "\t"),
        fc.constantFrom("\n", "\r\n", "\r"),
        (rows, separator, end) => {
          const written = (text: string) => (/["\n\r,;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
          const text = [headings, ...rows].map((cells) => cells.map(written).join(separator)).join(end) + end;
          const full = rows.flatMap((cells, at) => (cells.some((one) => one.trim() !== "") ? [[cells, at + 2]] : []));
          if (full.length === 0) return;
          // A file with no strange letter is the same in both.
          if (name === "Windows-1252" && ![...text].some((letter) => letter > "\x7f")) return;
          const table = tableIn(encode(text), most);
          expect(table.headings).toEqual(headings);
          const read = (one: string) => one.trim().replace(/^'(?=[=+\-@\d])/, "");
          expect(table.rows).toEqual(full.map(([cells, row]) => ({ row, cells: (cells as string[]).map(read) })));
        },
      ),
    );
  });

  test.each([
    ["a heading has commas", "Email;Why, how, when?\na@b.example;so\n", ["Email", "Why, how, when?"]],
    ["texts have semicolons", "Email,Note\na@b.example,one; two; three\nb@b.example,x\n", ["Email", "Note"]],
    ["Excel says it", "sep=;\nEmail;Note\na@b.example;x,y\n", ["Email", "Note"]],
    ["there is one column", "Email\na@b.example\n", ["Email"]],
    ["headings repeat and lack", "Email,Name,,name,\na@b.example,A,B,C\n", ["Email", "Name", "Column 3", "name (2)"]],
    ["blank lines come first", "\n\nEmail,Name\na@b.example,A\n", ["Email", "Name"]],
  ])("has its headings when %s", (_, text, expected) => {
    expect(tableIn(utf8(text), most).headings).toEqual(expected);
  });

  test.each<[string, Uint8Array, RegExp]>([
    ["a workbook", Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0), /workbook \(XLSX.*"CSV UTF-8"/],
    ["an old workbook", Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 1), /old workbook/],
    ["a PDF", utf8("%PDF-1.7 x"), /PDF/],
    ["a picture", Uint8Array.of(0xff, 0xd8, 0xff, 0, 0, 0, 1, 2), /no text/],
    ["nothing", utf8(" \n"), /empty/],
    ["headings only", utf8("Email\n"), /no rows/],
    [
      "an open quotation mark",
      utf8('Email,Note\na@b.example,x\nb@b.example,"y\nc@b.example,z\n'),
      /in row 3 has no end/,
    ],
    ["too much", utf8(`Email\n${"a@b.example\n".repeat(11)}`), /has 11 rows, and 10 are taken/],
  ])("is refused with a sentence: %s", (_, bytes, says) => {
    expect(() => tableIn(bytes, 10)).toThrow(UnreadableTable);
    expect(() => tableIn(bytes, 10)).toThrow(says);
  });

  test("a broken row is said by its number, and the others are read", () => {
    const { rows } = tableIn(utf8('Email,Note\na@b.example,"x" y"\nb@b.example,y,z\n\nc@b.example,z\n'), most);
    expect(rows.map(({ row, fault }) => [row, fault])).toEqual([
      [2, expect.stringMatching(/quotation mark/)],
      [3, "The row has more cells than the headings."],
      [5, undefined],
    ]);
  });
});

const question = (questionId: string, type: Question["type"], more: Partial<Question> = {}): Question => ({
  ...{ questionId, type, label: `${questionId}?`, required: false },
  ...more,
});

const counts = {
  remaining: null,
  partnerRemaining: null,
  waitlistCount: 0,
  partnerWaitlistCount: 0,
  dynamicCounts: [],
};
const givenEvent = (more: object = {}): TableEvent =>
  ({
    ...{ id: "gala", year: 2030, ename: "Gala", isApplicationBased: false, pricing: { member: 0, nonMember: 0 } },
    ...{ registrationQuestions: [], partnerRegistrationQuestions: [], counts },
    ...more,
  }) as unknown as TableEvent;

describe("columns", () => {
  test.each([
    [
      "registrations",
      "E-Mail Address|Given name|Surname|PARTNER|Dietary restrictions|Why?|Shoe size",
      ["email", "fname", "basicInformation.lname", "isPartner", "basicInformation.diet", "answer.why", undefined],
    ],
    [
      "members",
      "Courriel|Prénom|Nom|Valid until|Student #|email",
      ["email", "firstName", "lastName", "until", "studentNumber", undefined],
    ],
    ["accounts", "mail|Name|Faculty", ["email", "name", "faculty"]],
  ] as const)("are known by their headings: %s", (purpose, given, expected) => {
    const event = givenEvent({ registrationQuestions: [question("why", "TEXT", { label: "Why?" })] });
    expect(guessed(given.split("|"), fieldsFor(purpose, event))).toEqual(expected);
  });

  test("of an event's question count before what the form always asks", () => {
    const event = givenEvent({ registrationQuestions: [question("q1", "TEXT", { label: "Diet" })] });
    expect(guessed(["Diet"], fieldsFor("registrations", event))).toEqual(["answer.q1"]);
  });

  test("that are not known, or twice the same, are asked about", () => {
    const fields = fieldsFor("members");
    expect(questionsAbout(["E", "Shoe"], ["email", undefined], fields)).toEqual(["What is in the column “Shoe”?"]);
    expect(questionsAbout(["E", "F"], ["email", null], fields)).toEqual([]);
    expect(questionsAbout(["E", "F", "G", "H"], ["topics", "topics", "x", "name"], fields)).toEqual([
      ...["There is no field x.", "Two columns are “Topics”.", "No column is the email."],
    ]);
    expect(questionsAbout(["E", "F", "G"], ["email", "name", "lastName"], fields)).toHaveLength(1);
  });
});

describe("cells", () => {
  test("an email is one as the API takes it", () => {
    const unit = fc.constantFrom(..."aZ9.@-+_' ", "é", "K", "/", "%");
    const likely = fc.tuple(fc.string({ unit, maxLength: 8 }), fc.string({ unit, maxLength: 8 }));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.emailAddress(),
          likely.map(([a, b]) => `${a}@${b}.example`),
        ),
        (text) => {
          const read = emailIn(text.trim());
          expect("value" in read ? read.value : undefined).toBe(canonicalEmail(text.trim()));
        },
      ),
    );
  });

  test.each([
    ["Ada <ADA@x.example>", "ada@x.example"],
    ["mailto:ada@x.example", "ada@x.example"],
  ])("an email in other words: %s", (text, value) => {
    expect(emailIn(text)).toEqual({ value });
  });

  test.each([
    ["", /no email/],
    ["josé@x.example", /“é”.*accents/],
    ["a@x.example; b@x.example", /more than one/],
    ["ada", /is no email/],
  ])("no email: %s", (text, says) => {
    expect(emailIn(text)).toEqual({ fault: expect.stringMatching(says) });
  });

  test.each([
    ["2031-08-31", undefined, "2031-08-31"],
    ["2031-08-31 00:00:00", undefined, "2031-08-31"],
    ["31.8.2031", undefined, "2031-08-31"],
    ["31/08/2031", "day", "2031-08-31"],
    ["8/31/2031", "month", "2031-08-31"],
    ["29.02.2032", undefined, "2032-02-29"],
  ] as const)("a date: %s", (text, order, value) => {
    expect(dateIn(text, order)).toEqual({ value });
  });

  test.each(["29.02.2031", "31/08/31", "8/31/2031", "2031-08-31 18:00", "soon"])("no date: %s", (text) => {
    expect(dateIn(text, "day")).toEqual({ fault: expect.stringMatching(/is no date/) });
  });

  test.each([
    [["03/04/2031", "13/04/2031"], "day"],
    [["03/04/2031", "04/13/2031"], "month"],
    [["03/04/2031"], undefined],
    [["13/04/2031", "04/13/2031"], undefined],
  ])("which comes first in %j", (texts, order) => {
    expect(orderIn(texts)).toBe(order);
  });

  test("yes, no, names", () => {
    expect(["Yes", "x", "0", "NEIN", ""].map(flagIn)).toEqual(
      [true, true, false, false, undefined].map((value) => ({ value })),
    );
    expect(flagIn("maybe")).toHaveProperty("fault");
    expect(["Ada King Lovelace", "Lovelace, Ada", "Ada", ""].map(namesIn)).toEqual([
      ...[
        ["Ada King", "Lovelace"],
        ["Ada", "Lovelace"],
        ["Ada", ""],
        ["", ""],
      ],
    ]);
  });

  const diet = question("diet", "CHECKBOX", { choices: ["Nuts, all", "Milk", "Other"] });
  test.each<[Question, string, unknown]>([
    [diet, "milk; nuts, all", ["Milk", "Nuts, all"]],
    [diet, "Nuts, all", ["Nuts, all"]],
    [diet, "Milk\nPeas", ["Milk", "Peas"]],
    [question("w", "SELECT", { choices: ["A", "B"] }), " b", "B"],
    [question("s", "SKILLS"), "go, c", ["go", "c"]],
    [question("t", "TEXT"), "a\nb", "a\nb"],
    [question("t", "TEXT"), "", undefined],
  ])("an answer to %j: %s", (asked, text, value) => {
    expect(answerIn(asked, text)).toEqual({ value });
  });

  test.each<[Question, string, RegExp]>([
    [diet, "Peas; Beans", /“Beans” is no choice of “diet\?”: Nuts, all, Milk/],
    [question("w", "WORKSHOP_SELECTION", { choices: ["A", "Other"] }), "C", /no choice/],
    [question("t", "TEXT", { required: true }), "", /needs an answer/],
    [question("t", "TEXT", { charLimit: 2 }), "abc", /more than 2/],
    [question("u", "UPLOAD"), "http://x", /https/],
  ])("no answer to %j: %s", (asked, text, says) => {
    expect(answerIn(asked, text)).toEqual({ fault: expect.stringMatching(says) });
  });
});

const peopleOf = (csv: string, purpose: "registrations" | "members" | "accounts", event?: TableEvent) => {
  const table = tableIn(utf8(csv), most);
  const mapping = guessed(table.headings, fieldsFor(purpose, event)).map((one) => one ?? null);
  return peopleIn(table, { purpose, mapping, ...(event && { event }) });
};
const at = { now: Date.parse("2030-03-01T20:00:00Z"), timeZone: "America/Vancouver" };
const saysOf = (rows: readonly Outlook[]) => rows.map(({ row, fate }) => `${row} ${fate}`);

describe("what would become of the rows", () => {
  const workshop = question("w", "WORKSHOP_SELECTION", { choices: ["A", "B"] });
  const csv = `email,name,partner,w?\n${["a,A,,A", "b,B,yes,", "c,C,,A", "a,A,,A", "d,D,maybe,C", "e,E,,B", "f,F,,"]
    .map((line) => line.replace(",", "@x.example,"))
    .join("\n")}\n`;

  test("seats go by row, partners have their own, and faults end no other row", () => {
    const event = givenEvent({
      ...{ registrationQuestions: [workshop], partnerCapac: 1 },
      counts: {
        ...counts,
        ...{ remaining: 2, partnerRemaining: 0 },
        dynamicCounts: [{ questionId: "w", counts: [{ label: "A", count: 1, cap: 2 }] }],
      },
    });
    const there = [{ email: "e@x.example", registrationStatus: "cancelled", applicationStatus: "" }];
    const people = peopleOf(csv, "registrations", event);
    const rows = outlookOf(people, { purpose: "registrations", event }, { registrations: there } as Present, at);
    expect(saysOf(rows)).toEqual(["2 seat", "3 line", "4 fault", "5 fault", "6 fault", "7 there", "8 seat"]);
    expect(rows[3]?.says).toBe("Row 2 has the same email.");
    expect(rows[4]?.says).toMatch(/maybe.*“C” is no choice/);
    expect(rows[0]?.steps).toEqual([
      {
        ...{ method: "POST", path: "/registrations", isKeyed: true },
        body: { eventID: "gala", year: 2030, email: "a@x.example", fname: "A", dynamicResponses: { w: "A" } },
      },
    ]);
  });

  test.each([
    ["a price for all", { pricing: { member: 5, nonMember: 5 } }, ["2 pay", "3 pay"]],
    ["one for others than members", { pricing: { member: 0, nonMember: 5 } }, ["2 seat", "3 pay"]],
    ["applications", { isApplicationBased: true }, ["2 apply", "3 apply"]],
    ["a line", { counts: { ...counts, remaining: 5, waitlistCount: 1 } }, ["2 line", "3 line"]],
    ["an end", { calledOff: "Sorry" }, ["2 fault", "3 fault"]],
  ])("an event with %s", (_, more, expected) => {
    const event = givenEvent(more);
    const present = { members: [{ email: "a@x.example" }, { email: "b@x.example", until: "2030-02-01T00:00:00Z" }] };
    const people = peopleOf("email\na@x.example\nb@x.example\n", "registrations", event);
    expect(saysOf(outlookOf(people, { purpose: "registrations", event }, present, at))).toEqual(expected);
    expect(listsFor("registrations", event)).toHaveLength(event.pricing.member === event.pricing.nonMember ? 1 : 2);
  });

  test("members are granted, end when the table says, and what is so stays", () => {
    const lines = [
      "new,2031-08-31",
      "was,2031-08-31",
      "gone,2029-08-31",
      "same,2031-08-31",
      "later,30.6.2030",
      "open,",
    ];
    const csvOfMembers = `email,name,until\n${lines.map((line) => line.replace(",", "@x.example,Ada L,")).join("\n")}\n`;
    const lastMoment = "2031-09-01T06:59:59.999Z";
    const members = [
      { email: "was@x.example", until: "2030-01-01T00:00:00Z" },
      { email: "same@x.example", until: lastMoment },
      { email: "later@x.example", until: lastMoment },
      { email: "open@x.example" },
    ];
    const people = peopleOf(csvOfMembers, "members");
    const rows = outlookOf(people, { purpose: "members" }, { members }, at);
    expect(saysOf(rows)).toEqual(["2 grant", "3 renew", "4 fault", "5 there", "6 end", "7 there"]);
    expect(rows[4]?.says).toBe("Is a member until 2031-08-31, and then until 2030-06-30, which is earlier.");
    expect(rows[0]?.steps.map(({ method, path }) => `${method} ${path}`)).toEqual([
      ...["POST /members/grant", "PATCH /members/new%40x.example"],
    ]);
    // What a restart finds after all of it.
    const after = rows.flatMap(({ email, steps }) => {
      const until = (steps.at(-1)?.body as { until?: string } | undefined)?.until;
      return until === undefined
        ? []
        : [{ email, until: until === "2031-08-31" ? lastMoment : "2030-07-01T06:59:59.999Z" }];
    });
    const again = outlookOf(people, { purpose: "members" }, { members: [...members, ...after] }, at);
    expect(again.filter(({ steps }) => steps.length > 0)).toEqual([]);
  });

  test("a column whose dates tell nothing asks which comes first", () => {
    expect(needsOrder(peopleOf("email,name,until\na@x.example,A B,03/04/2031\n", "members"))).toBe(true);
    expect(
      needsOrder(peopleOf("email,name,until\na@x.example,A B,03/04/2031\nb@x.example,C D,13/04/2031\n", "members")),
    ).toBe(false);
  });
});

/** A service that keeps emails, and answers a request with a key that it knows as before. */
function givenService(answers: readonly Answer[]) {
  const [emails, keys, waits, sent] = [[] as string[], new Map<string, Answer>(), [] as number[], [] as string[]];
  const queue = [...answers];
  const outcomes: Outcome[] = [];
  const carrying = {
    run: "r",
    told: (outcome: Outcome) => void outcomes.push(outcome),
    pause: async (milliseconds: number) => void waits.push(milliseconds),
    send: async ({ body }: { readonly body: Person["body"] }, key: string | undefined): Promise<Answer> => {
      const email = String(body.email);
      sent.push(email);
      const next = queue.shift();
      if (next && next.status !== 0 && next.status !== 503) return next;
      const known = keys.get(String(key));
      if (known) return known;
      if (next?.status === 503) return next;
      emails.push(email);
      const done = { status: 201, body: { registrationStatus: "registered" } };
      keys.set(String(key), done);
      // Done, but the answer is lost.
      return next ?? done;
    },
  };
  return { carrying, emails, waits, outcomes, sent };
}

const seats = (...emails: readonly string[]): Outlook[] =>
  emails.map((email, index) => ({
    ...{ row: index + 2, email, fate: index === 0 ? "line" : "seat", says: "Gets a seat." },
    steps: [{ method: "POST", path: "/registrations", body: { email }, isKeyed: true }],
  }));

describe("carrying out", () => {
  test("waits as the service asks, sends again what had no answer, and does each row once", async () => {
    const { carrying, emails, waits, outcomes } = givenService([
      ...[{ status: 429, retryAfter: 7 }, { status: 503, retryAfter: 2 }, { status: 0 }],
    ]);
    expect(await carryOut(seats("a", "b"), carrying)).toBeUndefined();
    expect(emails).toEqual(["a", "b"]);
    expect(waits[0]).toBe(7_000);
    expect(waits[1]).toBeGreaterThanOrEqual(2_000);
    expect(outcomes.map(({ row, result }) => [row, result])).toEqual([
      [2, "done"],
      [3, "done"],
    ]);
  });

  test("with a new key for each try, a lost answer is done twice", async () => {
    const { carrying, emails } = givenService([{ status: 0 }]);
    let tries = 0;
    await carryOut(seats("a", "b"), { ...carrying, send: (step) => carrying.send(step, `${++tries}`) });
    expect(emails).toEqual(["a", "a", "b"]);
  });

  test("a refusal ends no other row", async () => {
    const refusal = {
      status: 400,
      body: {
        message: "No.",
        issues: [
          { path: "/a", message: "x" },
          { path: "/b", message: "y" },
        ],
      },
    };
    const { carrying, outcomes } = givenService([
      refusal,
      { status: 409, body: { code: "DUPLICATE", message: "There." } },
    ]);
    await carryOut(seats("a", "b", "c"), carrying);
    expect(outcomes.map(({ result, says }) => [result, says])).toEqual([
      ...[
        ["refused", "No. b y."],
        ["there", "There."],
        ["done", "Has a seat."],
      ],
    ]);
  });

  test("an error of the service that stays is said in its row", async () => {
    const { carrying, outcomes } = givenService(Array.from({ length: 4 }, () => ({ status: 500 })));
    await carryOut(seats("a", "b"), carrying);
    expect(outcomes.map(({ result }) => result)).toEqual(["refused", "done"]);
  });

  test.each([
    ["a session ends", [{ status: 201 }, { status: 401 }], /sign in again/],
    [
      "the service is down",
      [{ status: 201 }, ...Array.from({ length: 200 }, () => ({ status: 503, retryAfter: 20 }))],
      /busy/,
    ],
  ])("when %s, the rest is open", async (_, answers, says) => {
    const { carrying, outcomes, waits } = givenService(answers);
    const halted = await carryOut(seats("a", "b", "c"), carrying);
    expect(halted).toBeInstanceOf(Halted);
    expect(halted?.message).toMatch(says);
    expect(outcomes.map(({ result }) => result)).toEqual(["done", "open", "open"]);
    expect(waits.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(patience);
  });

  test("stopped, it finishes the row that it is at", async () => {
    const { carrying, outcomes } = givenService([]);
    const stop = new AbortController();
    const told = (one: Outcome) => {
      carrying.told(one);
      stop.abort();
    };
    expect((await carryOut(seats("a", "b"), { ...carrying, told, stop: stop.signal }))?.message).toBe("Stopped.");
    expect(outcomes.map(({ result }) => result)).toEqual(["done", "open"]);
  });

  test("rows keep their order where some get a place in line, and are sent together otherwise", async () => {
    const order = async (rows: readonly Outlook[]) => {
      let [now, highest] = [0, 0];
      const send = async () => {
        now += 1;
        highest = Math.max(highest, now);
        await new Promise((soon) => setTimeout(soon, 1));
        now -= 1;
        return { status: 201 };
      };
      await carryOut(rows, { ...givenService([]).carrying, send });
      return highest;
    };
    const rows = seats(..."abcdefghij");
    expect(await order(rows)).toBe(1);
    expect(await order(rows.slice(1))).toBeGreaterThan(2);
  });
});

test("no cell of the report is a formula, and a spreadsheet reads it back", () => {
  const hostile = fc.string({ unit: fc.constantFrom(..."=+-@＝'\"ab,;\t\n\r\u200b\u0000 "), maxLength: 10 });
  fc.assert(
    fc.property(fc.array(fc.tuple(hostile, hostile), { minLength: 1, maxLength: 5 }), (texts) => {
      const outcomes = texts.map(([email, says], index): Outcome => ({ row: index + 2, email, result: "done", says }));
      const report = reportOf(outcomes.toReversed());
      for (const separator of [",", ";", "\t"]) {
        const options = { bom: true, delimiter: separator, relax_quotes: true, relax_column_count: true };
        for (const cells of parse(report, options) as string[][])
          for (const one of cells) expect(one).not.toMatch(/(?:^|[\n\r\t;])[\s"\u200b]*[=+\-@＝]/);
      }
      const rows = parse(report, { bom: true, from: 2 }) as string[][];
      expect(rows.map(([row, , outcome]) => [row, outcome])).toEqual(outcomes.map(({ row }) => [String(row), "done"]));
    }),
  );
});
