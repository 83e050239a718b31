/** A project that an admin reads while another admin takes it out of the game (`docs/contract.md`, "Conditional edits"). */

import { beforeEach, expect, test } from "@jest/globals";
import { keyOf } from "#outbox/stored-kinds.ts";
import { get, sent, table } from "./mocked-table.ts";

const { readProjectToEdit } = await import("#domain/game/store.ts");
const { getItem } = await import("#kit/table/table.ts");

const edition = (version: number, isActive: boolean) => ({
  META: { projectId: "p", eventId: "e", ticker: "P", name: "P", description: "", createdAt: 1, version },
  MARKET: { projectId: "p", eventId: "e", isActive },
});

beforeEach(() => {
  table.reset();
  // The removal is committed between the first read and the second.
  let reads = 0;
  table.on(get).callsFake((({ Key }: { Key: { SK: "META" | "MARKET" } }) => {
    reads += 1;
    return { Item: (reads === 1 ? edition(1, true) : edition(2, false))[Key.SK] };
  }) as never);
});

test("has never a newer tag than its market: a save for the tag is refused, and not made on what was not seen", async () => {
  const project = await readProjectToEdit("p");
  expect([project?.text.version, project?.market.isActive]).toEqual([1, false]);
  expect(sent.gets().map(({ ConsistentRead }) => ConsistentRead)).toEqual([true, true]);
});

test("control: in the other order the new tag stands beside a market that is still in the game", async () => {
  const market = await getItem(keyOf("project, market", { project: "p" }), "strong");
  const text = await getItem(keyOf("project, text", { project: "p" }), "strong");
  expect([text, market]).toMatchObject([{ version: 2 }, { isActive: true }]);
});
