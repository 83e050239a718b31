/** The journal in which services keep their data. */
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { Journal } from "../service-kit/journal.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "journal-"));
  file = join(folder, "new", "lines.jsonl");
});
afterEach(() => rm(folder, { recursive: true }));

/** Opens a journal of numbers of which only the last counts. */
function givenJournal() {
  const replayed: number[] = [];
  let last = 0;
  const journal = Journal.open({ file, current: () => [last] }, (line: number) => {
    replayed.push(line);
    last = line;
  });
  const append = (line: number): void => {
    last = line;
    journal.append(line);
  };
  return { replayed, append, journal };
}

test("appended lines are replayed, and after a compaction only the present state", async () => {
  const { append } = givenJournal();
  append(1);
  append(2);
  expect(await readFile(file, "utf8")).toBe("0\n1\n2\n");
  expect(givenJournal().replayed).toEqual([0, 1, 2]);
  expect(givenJournal().replayed).toEqual([2]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("the file is written anew before it gets long", async () => {
  const { append } = givenJournal();
  for (let line = 1; line <= 5_000; line += 1) append(line);
  expect((await readFile(file, "utf8")).split("\n").length).toBeLessThan(1_100);
  expect(givenJournal().replayed.at(-1)).toBe(5_000);
});

test("a line that was cut short is left out, a broken one in the middle is an error", async () => {
  givenJournal();
  await writeFile(file, "1\n2\n3");
  expect(givenJournal().replayed).toEqual([1, 2]);
  await writeFile(file, "1\n{\n3\n");
  expect(() => givenJournal()).toThrow("cannot read line 2");
});
