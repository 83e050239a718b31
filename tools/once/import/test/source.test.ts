/** How an import finds and reads the files of the present backend's tables (`docs/moving-in.md`). */
import "../../../../test/unit/environment.ts";

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { marshall } from "@aws-sdk/util-dynamodb";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { rowsIn, rowsOf, textIn } from "../source/rows.ts";
import { Source } from "../source/source.ts";
import { Mapping, survey } from "../source/survey.ts";
import { sourceFiles, tableOf } from "../source/tables.ts";

const rows = fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }), { minLength: 2, maxLength: 6 });

describe("rows are read from", () => {
  test.each<[string, (all: readonly object[]) => string]>([
    ["a row in each line", (all) => all.map((one) => `${JSON.stringify(one)}\n`).join("")],
    ["a list", (all) => JSON.stringify(all)],
    ["the answer of a scan", (all) => JSON.stringify({ Items: all, Count: all.length, ScannedCount: 9 }, null, 1)],
    ["a list behind a byte order mark", (all) => `\uFEFF${JSON.stringify(all)}`],
  ])("%s", (_name, textOf) => {
    fc.assert(
      fc.property(rows, (all) => {
        const one = (row: object) => rowsIn(JSON.stringify(row));
        expect(rowsIn(textOf(all))).toEqual(all.flatMap(one));
      }),
    );
  });

  test.each<[string, object[]]>([
    ['oops\n{"a":1}\n{"b":', [{ broken: "oops" }, { row: { a: 1 } }, { broken: '{"b":' }]],
    ['[1,{"a":1}]', [{ broken: "1", why: "the text is no object" }, { row: { a: 1 } }]],
  ])("%s, and what is no row is not lost", (text, expected) => expect(rowsIn(text)).toMatchObject(expected));

  test.each(['[{"a":1}', '{"Items":[{"a":1},'])("%s: a list without an end is refused", (text) =>
    expect(() => rowsIn(text)).toThrow("its list is not whole"),
  );
});

describe("a file", () => {
  const text = '[{"fname":"Zoë","lname":"Łukasz 🎉"}]';
  const [utf8, utf16] = [Buffer.from(text), Buffer.from(text, "utf16le")];
  const marked = (mark: string, encoding: BufferEncoding) => Buffer.from(mark + text, encoding);
  const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();

  test.each<[string, Buffer]>([
    ["UTF-8", utf8],
    ["UTF-8 behind a byte order mark", marked("\uFEFF", "utf8")],
    ["UTF-16, little end first", utf16],
    ["UTF-16, big end first", swapped(utf16)],
    ["UTF-16 behind a byte order mark", marked("\uFEFF", "utf16le")],
    ["UTF-16, big end first, behind a byte order mark", swapped(marked("\uFEFF", "utf16le"))],
  ])("in %s is read", (_name, bytes) => expect(rowsIn(textIn(bytes))).toEqual([{ row: JSON.parse(text)[0] }]));

  test.each<[string, Buffer, string]>([
    ["Windows-1252", Buffer.from('[{"fname":"Zoë"}]', "latin1"), "not in UTF-8, but probably in Windows-1252. Convert"],
    ["another one", Buffer.from('[{"fname":"\x81ë"}]', "latin1"), "it is not in UTF-8"],
    ["UTF-32", Buffer.from("\uFEFF\0[\0{\0\ud800\0", "utf16le"), "it is in UTF-32. Convert it"],
    ["damaged UTF-16", Buffer.from('[{"fname":"\ud800"}]', "utf16le"), "it is not in UTF-16LE"],
  ])("in %s is refused by name, rather than read with other letters", (_name, bytes, why) => {
    expect(() => textIn(bytes)).toThrow(why);
    // Control: without the check a letter is lost.
    expect(bytes.toString()).toContain("\ufffd");
  });
});

describe("a row", () => {
  test("is the same with DynamoDB's types and without", () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string()));
    // The SDK itself drops the first name, and takes an object with the second one for an instance of a class.
    const name = fc.string({ minLength: 1 }).filter((one) => one !== "__proto__" && one !== "constructor");
    const record = fc.dictionary(name, fc.oneof(value, fc.dictionary(name, value)), {
      minKeys: 1,
    });
    fc.assert(
      fc.property(record, (row) => {
        expect(rowsIn(JSON.stringify({ Item: marshall(row) }))).toEqual([{ row: { ...row } }]);
        expect(rowsIn(JSON.stringify(marshall(row)))).toEqual([{ row: { ...row } }]);
      }),
    );
  });

  test("has sets as lists", () => {
    const [row] = rowsIn('{"Item":{"a":{"SS":["x","y"]},"b":{"B":"AAE="}}}');
    expect(row).toEqual({ row: { a: ["x", "y"], b: "2 bytes" } });
  });
});

describe("the tables of a folder", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "import-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const put = async (path: string, content: string | Buffer) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };

  test.each([
    ["biztechEvents", "events", 0],
    ["biztechEvents-2026-01-01.json.gz", "events", 0],
    ["BIZTECHREGISTRATIONSPROD", "registrations", 0],
    ["biztechMembers2026PROD.jsonl", "members", 2026],
    ["biztechEventFeedback", "feedback", 0],
  ])("%s", (name, kind, year) => {
    expect(tableOf(name)).toEqual({ kind, year });
  });

  test.each(["biztechQuizzes", "biztechEventsOld", "myBiztechEvents", "biztechUsers2024", "events.json"])(
    "%s is none",
    (name) => {
      expect(tableOf(name)).toBeUndefined();
    },
  );

  test("files, folders of parts and exports are found; all other files are named", async () => {
    await put("biztechUsersPROD/AWSDynamoDB/1-a/data/x.json.gz", gzipSync('{"Item":{"id":{"S":"a@b.ca"}}}\n'));
    await put("biztechUsersPROD/AWSDynamoDB/1-a/manifest-files.json", "{}");
    await put("biztechPrizes/y.json", '{"id":"mug"}');
    await put("biztechQuizzes.json", "[]");
    await put("notes.txt", "hello");
    const found = await sourceFiles(folder);
    expect(found.files.map(({ path, kind }) => [path.slice(folder.length + 1), kind])).toEqual([
      ["biztechPrizes/y.json", "prizes"],
      ["biztechUsersPROD/AWSDynamoDB/1-a/data/x.json.gz", "users"],
    ]);
    expect(found.unknown).toEqual(["biztechQuizzes.json", "notes.txt"]);
  });

  test("a file that is cut off ends the import", async () => {
    const whole = gzipSync(JSON.stringify({ id: "a".repeat(5_000) }));
    await put("biztechUsers.json.gz", whole.subarray(0, whole.length - 10));
    await expect(rowsOf(join(folder, "biztechUsers.json.gz"))).rejects.toThrow(/cannot be read to its end/);
  });

  test("a row with a date of two moments is refused, and no other one", async () => {
    const starts = ["2026-11-01T01:30", "2026-11-02T01:30"];
    const rows = starts.map((startDate, at) => JSON.stringify({ id: `e${at}`, year: 2026, ename: "E", startDate }));
    await put("biztechEvents.jsonl", rows.join("\n"));
    const timeZone = "America/Toronto";
    const values = { timeZone, currency: "CAD", adminDomain: "club.example", holds: {} as never };
    const { outcomes } = survey(new Mapping(await Source.in(folder, timeZone), values, 0));
    const why = "startDate is a time that a clock change repeats: give it an offset";
    expect(outcomes.map(({ name, refused }) => [name, refused])).toEqual([
      ["e0;2026", why],
      ["e1;2026", undefined],
    ]);
  });

  test("of two rows of one record the newer one counts, and of two tables of members the later one", async () => {
    await put(
      "biztechUsers.jsonl",
      '{"id":"A@b.ca","updatedAt":1}\n{"id":"a@b.ca","updatedAt":3}\n{"id":"a@b.ca","updatedAt":2}\n',
    );
    await put("biztechMembers2025.json", '[{"id":"a@b.ca","updatedAt":9},{"id":"old@b.ca","updatedAt":9}]');
    await put("biztechMembers2026.json", '[{"id":"A@B.ca","updatedAt":1,"profileID":"P"}]');
    const source = await Source.in(folder, "America/Vancouver");
    const passedOver = (kind: "users" | "members") => source.all(kind).map(({ passedOver }) => passedOver);
    const newer = "another row of the same record is newer";
    expect(passedOver("users")).toEqual([newer, undefined, newer]);
    expect(passedOver("members")).toEqual([
      newer,
      "a membership of 2025 only, and memberships are those of 2026",
      undefined,
    ]);
    expect([source.hasMembership("a@b.ca"), source.hasMembership("old@b.ca")]).toEqual([true, false]);
    expect(source.ownerOf("P")).toBe("a@b.ca");
  });
});
