/** Partition keys that take so many write units a second and no more, as those of AWS do. */
import { expect, test } from "@jest/globals";
import { checking, codesOf, givenTable, putting } from "./engine/given.ts";
import { outcomeOf, type Reply, reasonsOf } from "./engine/protocol-client.ts";

/** A table whose time stands still until a test moves it. */
async function givenLimited() {
  let now = Date.UTC(2030, 0, 1);
  const table = await givenTable({ clock: () => now, partitionLimit: 4 });
  const wait = (milliseconds: number) => {
    now += milliseconds;
  };
  return { ...table, wait };
}

const ofTable = expect.stringMatching(/^Throughput exceeds the current capacity of your table or index\. /);
const throttled = "ThrottlingException";
const times = async (count: number, act: () => Promise<Reply>): Promise<string[]> => {
  const outcomes: string[] = [];
  for (let n = 0; n < count; n += 1) outcomes.push(outcomeOf(await act()));
  return outcomes;
};
const fine = (count: number) => Array<string>(count).fill("fine");

test("a key takes its units and throttles the next write, until they have come back", async () => {
  const table = await givenLimited();
  let n = 0;
  const put = () => {
    n += 1;
    return table.put("a", { n: { N: `${n}` } });
  };
  expect(await times(5, put)).toEqual([...fine(4), throttled]);
  const refused = await put();
  expect([refused.status, refused.body.message, await table.numberOf("a")]).toEqual([400, ofTable, 4]);
  expect(outcomeOf(await table.put("b"))).toBe("fine");
  table.wait(250);
  expect(await times(2, put)).toEqual(["fine", throttled]);
  table.wait(60_000);
  expect(await times(5, put)).toEqual([...fine(4), throttled]);
});

test("a transaction is cancelled with the reason at its throttled members, checks among them", async () => {
  const table = await givenLimited();
  expect(await times(2, () => table.transact(putting("a"), checking("b")))).toEqual(fine(2));
  const refused = await table.transact(putting("a"), putting("c"), checking("b"));
  expect(codesOf(refused)).toEqual(["ThrottlingError", "None", "ThrottlingError"]);
  expect(reasonsOf(refused)?.[0]?.Message).toEqual(ofTable);
  expect((await table.get("c")).body).toEqual({});
});
