/** The file with which Cognito imports the sign-in accounts of the present backend. */
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { givenFolder } from "../../../../test/unit/folder.ts";
import { accountsOf, reasons } from "../accounts.ts";
import { accountsCommand } from "../command.ts";
import { csvOf } from "../csv.ts";

const record = (texts: Record<string, string> | undefined, place = "users.json, 1") => ({ place, texts });

/** Reads the file by the rules of Cognito's guide: a comma separates unless a backslash stands before it. */
function imported(csv: string): Record<string, string>[] {
  const [header = "", ...rows] = csv.trimEnd().split("\n");
  const cells = (line: string) => line.split(/(?<!\\),/).map((cell) => cell.replaceAll("\\,", ","));
  const columns = cells(header);
  return rows.map((row) => {
    const values = cells(row);
    expect(values).toHaveLength(columns.length);
    return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? ""]));
  });
}

describe("an account", () => {
  test("has the email as its name and as verified, the names, and no second factor", () => {
    const { accounts } = accountsOf([record({ id: "ada@student.example", fname: "Ada", lname: "Lovelace" })]);
    const [row, ...more] = imported(csvOf(accounts));
    expect(more).toEqual([]);
    expect(Object.entries(row ?? {}).filter(([, value]) => value !== "")).toEqual([
      ["given_name", "Ada"],
      ["family_name", "Lovelace"],
      ["email", "ada@student.example"],
      ["email_verified", "TRUE"],
      ["cognito:mfa_enabled", "FALSE"],
      ["cognito:username", "ada@student.example"],
    ]);
  });

  test("whatever a name is made of, it stays in its column and on its row", () => {
    const text = fc.string({
      unit: fc.constantFrom(",", "\\", '"', "\n", "\r", "\u2028", "\t", " ", "é", "a", "\0"),
      maxLength: 30,
    });
    fc.assert(
      fc.property(fc.array(fc.record({ fname: text, lname: text }), { maxLength: 5 }), (names) => {
        const people = names.map((name, index) => record({ id: `p${index}@b.example`, ...name }));
        const csv = csvOf(accountsOf(people).accounts);
        expect(csv).not.toMatch(/["\r\u2028\t\0]|\\(?!,)/);
        const rows = imported(csv);
        expect(rows.map(({ email }) => email)).toEqual(people.map(({ texts }) => texts?.id));
        for (const { given_name = "" } of rows) expect(given_name).toBe(given_name.trim());
      }),
      { numRuns: 500 },
    );
  });
});

describe("refused, with the reason:", () => {
  const long = `${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(20)}.example`;
  test.each<[string, Record<string, string> | undefined, string]>([
    ["a broken line", undefined, reasons.unreadable],
    ["no id", { fname: "A" }, reasons.absent],
    ["no email", { id: "12345678" }, reasons.malformed],
    ["a letter that is not ASCII", { id: "ex\u0435c@club.example" }, reasons.malformed],
    ["a line break inside", { id: "a@b.example\nexec@club.example,x" }, reasons.malformed],
    ["an email that Cognito finds too long", { id: long }, reasons.long],
  ])("%s", (_, texts, reason) => {
    expect(accountsOf([record(texts)])).toEqual({
      accounts: [],
      refused: [{ place: "users.json, 1", id: texts?.id, reason }],
      respelled: [],
    });
  });

  test("the second of two records of one person", () => {
    const { accounts, refused } = accountsOf([
      record({ id: "ada@b.example", fname: "First" }),
      record({ id: "ADA@b.example", fname: "Second" }, "users.json, 2"),
    ]);
    expect(accounts).toEqual([{ email: "ada@b.example", givenName: "First", familyName: "" }]);
    expect(refused).toEqual([{ place: "users.json, 2", id: "ADA@b.example", reason: reasons.twice }]);
  });
});

describe("the command", () => {
  const cleanUp: (() => Promise<unknown>)[] = [];
  let folder: string;
  beforeEach(async () => {
    folder = await givenFolder(cleanUp);
  });
  afterEach(async () => {
    for (const end of cleanUp.splice(0)) await end();
  });

  const run = async (...args: string[]) => {
    const lines: string[] = [];
    const code = await accountsCommand(args, (line) => lines.push(line));
    return { code, lines };
  };
  const given = async (name: string, content: string | Buffer) => {
    const file = join(folder, name);
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(file, content);
    return file;
  };
  const out = () => join(folder, "out", "accounts.csv");
  const emails = async () => imported(await readFile(out(), "utf8")).map(({ email }) => email);
  const people = ["a@b.example", "c@d.example"];
  const typed = people.map((S) => ({
    id: { S },
    fname: { S: "F" },
    studentId: { N: "0" },
    "favedEventsID;year": { SS: ["x;2024"] },
  }));

  beforeEach(() => mkdir(join(folder, "out")));

  test.each<[string, string, string | Buffer]>([
    ["a scan of some fields", "users.json", JSON.stringify(typed.map(({ id }) => ({ id, fname: null })))],
    ["a gzipped export", "a.json.gz", gzipSync(typed.map((Item) => `${JSON.stringify({ Item })}\n`).join(""))],
  ])("reads %s", async (_, name, content) => {
    expect(await run("--from", await given(name, content), "--out", out())).toEqual({
      code: 0,
      lines: [
        "2 records in 1 file",
        `2 accounts in ${out()}. docs/web-app.md, "A new pool with imported accounts", has the commands that import it.`,
      ],
    });
    expect(await emails()).toEqual(people);
    expect((await stat(out())).mode & 0o777).toBe(0o600);
  });

  test("takes users and members together, each person once, and a file that is named twice only once", async () => {
    const users = await given("users.json", '[{"id":"a@b.example","fname":"A"}]');
    const members = await given("members.json", '[{"id":"A@b.example"},{"id":"new@b.example","firstName":"N"}]');
    const { lines } = await run("--from", users, "--from", members, "--from", users, "--out", out());
    expect(lines.slice(0, 2)).toEqual(["3 records in 2 files", `1 record not taken: ${reasons.twice}`]);
    expect(await emails()).toEqual(["a@b.example", "new@b.example"]);
  });

  test("says what is not taken, and writes it with place and reason; the next run without such records removes the file", async () => {
    const file = await given("users.jsonl", '{"id":"A@b.example"}\n{broken\n[1]\n{"id":"nobody"}\n{"id":7}');
    const { code, lines } = await run("--from", file, "--out", out());
    expect({ code, lines }).toEqual({
      code: 0,
      lines: [
        "5 records in 1 file",
        "1 email in another spelling, now in lower case and trimmed",
        `2 records not taken: ${reasons.unreadable}`,
        `1 record not taken: ${reasons.malformed}`,
        `1 record not taken: ${reasons.absent}`,
        `each of them with its reason in ${out()}.refused.jsonl`,
        `1 account in ${out()}. docs/web-app.md, "A new pool with imported accounts", has the commands that import it.`,
      ],
    });
    const refused = (await readFile(`${out()}.refused.jsonl`, "utf8")).trimEnd().split("\n");
    expect(refused.map((line) => JSON.parse(line))).toEqual([
      { place: "users.jsonl, 2", reason: reasons.unreadable },
      { place: "users.jsonl, 3", reason: reasons.unreadable },
      { place: "users.jsonl, 4", id: "nobody", reason: reasons.malformed },
      { place: "users.jsonl, 5", reason: reasons.absent },
    ]);
    await writeFile(file, '{"id":"a@b.example"}');
    await run("--from", file, "--out", out());
    await expect(stat(`${out()}.refused.jsonl`)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test.each<[string, (file: string) => string[], RegExp]>([
    ["nothing", () => [], /^Usage: npm run once -- accounts/],
    ["a file that is not there", (file) => ["--from", `${file}x`], /^There is no .*usersx?\.jsonx\.$/],
    ["a folder without records", (file) => ["--from", join(file, "..", "out")], /^There is no file .json/],
    ["the input as output", (file) => ["--from", file, "--out", file], /would replace a file that is read/],
  ])("%s is wrong use", async (_, args, message) => {
    const file = await given("users.json", '[{"id":"a@b.example"}]');
    const { code, lines } = await run(...args(file));
    expect(code).toBe(2);
    expect(lines).toEqual([expect.stringMatching(message)]);
    expect(await readFile(file, "utf8")).toBe('[{"id":"a@b.example"}]');
  });
});
