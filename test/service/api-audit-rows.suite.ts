/** Each route with which an executive writes, and the rows that its requests leave (`docs/contract.md`, "Audit"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { routes } from "#api/routes.ts";
import { personal, send, writes } from "./executive-writes.ts";
import { exec } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

interface StoredRow {
  readonly PK: string;
  readonly SK: string;
  readonly action?: string;
  readonly actor?: string;
  readonly requestId?: string;
  readonly detailType?: string;
  readonly detail?: { readonly metadata: { readonly actor: string; readonly correlationId: string } };
  readonly audit?: { readonly changes?: readonly { readonly field: string }[]; readonly reason?: string };
}

/** The statuses of the answers, and the rows of the executive with the ids of the requests. */
const statuses = new Map<string, number>();
const rowsOf = new Map<string, StoredRow[]>();

/** Does all of the requests, then reads the table once. */
beforeAll(async () => {
  const requests = new Map<string, string>();
  for (const [key, { given }] of Object.entries(writes)) {
    const [method = "", pattern = ""] = key.split(" ");
    const { path = pattern, body } = await given(stage);
    const { status, headers } = await send(stage, method, path, body);
    statuses.set(key, status);
    requests.set(headers.get("apigw-requestid") ?? "", key);
    rowsOf.set(key, []);
  }
  await stage.settled();
  for (const item of (await stage.storedItems()) as unknown as StoredRow[]) {
    const { actor, requestId, detail } = item;
    const key = requests.get(requestId ?? detail?.metadata.correlationId ?? "");
    if (key && /^(AUD|OUT)#/.test(item.PK) && (actor ?? detail?.metadata.actor) === exec) rowsOf.get(key)?.push(item);
  }
});

describe("a write by an executive", () => {
  test("has an entry here for each route", () => {
    const mayAdmin = (route: (typeof routes)[number]) =>
      route.access === "admin" || ["self or admin", "self unless admin"].includes(route.owner?.who ?? "");
    const writing = routes.filter((route) => route.method !== "GET" && mayAdmin(route)).map(({ key }) => key);
    expect(Object.keys(writes).sort()).toEqual([...writing].sort());
  });

  test.each(Object.entries(writes))("leaves its rows: %s", (key, { rows }) => {
    expect(statuses.get(key)).toBeLessThan(300);
    const found = rowsOf.get(key) ?? [];
    const named = found.map(({ action, detailType, audit }) => [
      action ?? detailType,
      (audit?.changes ?? []).map(({ field }) => field).sort(),
    ]);
    expect(Object.fromEntries(named)).toEqual(rows);
    expect(named).toHaveLength(Object.keys(rows).length);
    expect(JSON.stringify(found.map(({ audit }) => audit ?? {}))).not.toContain(personal);
  });
});
