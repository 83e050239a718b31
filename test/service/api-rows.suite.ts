/** Several rows of one request: each row is a registration of its own (`docs/contract.md`, "Registrations"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import pMap from "p-map";
import { exec, people, year } from "./given.ts";
import { type ServiceStage, sharedStage, withoutRelay } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage(withoutRelay);
});

/** An admin registers all of these people again, by one request. @returns its rows */
async function registerAgain(id: string, emails: readonly string[]) {
  const updates = emails.map((email) => ({ email, registrationStatus: "registered" }));
  const body = { eventID: id, year, updates };
  const answer = await stage.api("PUT", "/registrations/massUpdate", { as: exec, body });
  expect(answer.status).toBe(200);
  return answer.body.results as { success: boolean; registrationStatus?: string; message?: string }[];
}

/** @returns an event for which these people have registered, and that they have left again */
async function givenLeft(emails: readonly string[], fields: Record<string, unknown> = {}): Promise<string> {
  const id = await stage.givenEvent(fields);
  await pMap(emails, (email) => stage.registerByAdmin(id, email), { concurrency: 4 });
  await pMap(emails, (email) => stage.moveTo(id, email, "cancelled"), { concurrency: 4 });
  return id;
}

const queueKeysOf = async (id: string, emails: readonly string[]) =>
  Promise.all(emails.map(async (email) => (await stage.storedRegistration(id, email))?.queueKey as string));

/** Follows the cursors of a list. @returns the people of each page */
async function pagesOf(path: string): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const url: string = `${path}${cursor === null ? "" : `&cursor=${cursor}`}`;
    const { status, body, headers } = await stage.list(url);
    expect(status).toBe(200);
    const rows: { email: string }[] = body.registrations ?? body.data ?? [];
    const isTable = typeof body === "string";
    const emails = isTable ? (body.match(/[\w.-]+@[\w.-]+/g) ?? []) : rows.map(({ email }) => email);
    pages.push([...new Set<string>(emails)]);
    cursor = headers.get("x-next-cursor");
    if (isTable) expect(body.includes("NOT COMPLETE")).toBe(cursor !== null);
  } while (cursor !== null);
  return pages;
}

/** The lists that show the registrations of an event. */
const lists: readonly (readonly [name: string, path: (id: string) => string])[] = [
  ["of the event", (id) => `/registrations?eventID=${id}&year=${year}&limit=2`],
  ["with a filter", (id) => `/registrations?eventID=${id}&year=${year}&status=registered&limit=2`],
  ["as a table", (id) => `/registrations?eventID=${id}&year=${year}&format=csv&limit=2`],
  ["of all years", (id) => `/registrations?eventID=${id}&limit=2`],
  ["with the users", (id) => `/events/${id}/${year}?users=true&limit=2`],
];

describe("people whom one request registers again", () => {
  test("each have a queueKey of their own, and all pages of all lists show them", async () => {
    const emails = people(9, "again");
    const id = await givenLeft(emails);
    expect((await registerAgain(id, emails)).filter(({ success }) => !success)).toEqual([]);
    expect(new Set(await queueKeysOf(id, emails)).size).toBe(emails.length);
    for (const [name, path] of lists) {
      const pages = await pagesOf(path(id));
      expect([name, pages.flat().sort()]).toEqual([name, emails]);
      expect([name, pages.filter((page) => page.length > 2)]).toEqual([name, []]);
    }
  });
});
