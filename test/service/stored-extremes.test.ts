/** A number that no route can write, but that is stored all the same, breaks no answer (`docs/design.md`, "The data model"). */
import { NumberValue, ScanCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { addressOf, type Call, sent } from "./document/calls.ts";
import { operationsOf } from "./document/operations.ts";
import { admin, givenWorld, people, type World } from "./document/world.ts";
import { committed } from "./documented.ts";

let world: World;
beforeAll(async () => {
  world = await givenWorld();
});
afterAll(() => world.stage.close());

const email = people[1] as string;

/** Every GET that needs no device, as an admin, with and without an event. @returns the errors of the service */
async function errorsOf(values: Readonly<Record<string, string>>): Promise<string[]> {
  const { tokenFor, outputs } = world.stage;
  const authorization = `Bearer ${await tokenFor(admin)}`;
  const partOf = (name: string, path: string) => values[`${path} ${name}`] ?? values[name] ?? "none";
  const wrong: string[] = [];
  for (const { method, access, parameters, paths } of operationsOf(committed())) {
    const path = paths[0] as string;
    if (method !== "GET" || access === "door") continue;
    const inPath = parameters.filter((one) => one.in === "path").map(({ name }) => name);
    const inQuery = parameters.filter((one) => one.in === "query");
    const params = Object.fromEntries(inPath.map((name) => [name, partOf(name, path)]));
    for (const asked of [/^(users|count)$/, /^(eventID|year|users|count)$/, /^(eventID|year|format)$/, /^email$/]) {
      const query = inQuery
        .filter(({ name, required }) => required || asked.test(name))
        .map(({ name }) => [name, partOf(name, path)]);
      const address = addressOf({ path, params, query } as unknown as Call);
      const { status, text } = await sent(outputs.apiUrl, method, address, { authorization }, undefined);
      if (status >= 500) wrong.push(`${address}: ${text}`);
    }
  }
  return wrong;
}

/** A value of each parameter, of records that `givenWorld` makes. */
async function known(): Promise<Record<string, string>> {
  const { api } = world.stage;
  const campaigns = (await api("GET", "/emails/campaigns", { as: admin })).body;
  const { profileID } = (await api("GET", "/profiles/user/", { as: email })).body;
  return {
    ...{ email, profileID, eventId: "open", eventID: "open", year: "2031", formType: "attendee", projectId: "team-0" },
    ...{ users: "true", count: "true", format: "csv", templateName: "News-0", "/prizes/{id} id": "mug-0" },
    "/emails/campaigns/{id} id": campaigns[0].campaignId,
  };
}

/** With these the store counts, and nobody is shown them. */
const ofTheStore = /^(ttl|version|termsVersion)$/;

test("every list and record is answered, whatever numbers are stored", async () => {
  const values = await known();
  expect(await errorsOf(values)).toEqual([]);
  const { table, outputs } = world.stage;
  const { Items = [] } = await table.send(new ScanCommand({ TableName: outputs.tableName, ConsistentRead: true }));
  for (const extreme of ["9007199254740993", "-1e30", "0.5"]) {
    for (const { PK, SK, ...attributes } of Items) {
      const numbers = Object.keys(attributes).filter(
        (name) => typeof attributes[name] === "number" && !ofTheStore.test(name),
      );
      if (numbers.length === 0) continue;
      await table.send(
        new UpdateCommand({
          TableName: outputs.tableName,
          Key: { PK, SK },
          UpdateExpression: `SET ${numbers.map((_, n) => `#n${n} = :extreme`).join(", ")}`,
          ExpressionAttributeNames: Object.fromEntries(numbers.map((name, n) => [`#n${n}`, name])),
          ExpressionAttributeValues: { ":extreme": NumberValue.from(extreme) },
        }),
      );
    }
    await world.stage.indexed();
    expect([extreme, await errorsOf(values)]).toEqual([extreme, []]);
  }
}, 300_000);
