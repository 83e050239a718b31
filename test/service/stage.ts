/** A local stage in memory, for tests that call the service over HTTP. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, DynamoDBDocumentClient, PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll } from "@jest/globals";
import { retryingFetch } from "../../client/index.ts";
import { type LocalStageOptions, startLocalStage } from "../../tools/laptop/stage/index.ts";
import { localAssembly } from "../../tools/laptop/template/made-before.ts";
import type { SynthesisSettings } from "../../tools/laptop/template/synthesis.ts";
import { expectKnownKinds } from "../known-kinds.ts";
import { documentedBy } from "./documented.ts";
import { type BareStage, givenMethods } from "./given.ts";
import { expectNoPersonNamed } from "./personal.ts";
import { nextKeyPair } from "./signing-keys.ts";

/** Says what is wrong with an answer of the API. */
const undocumented = documentedBy();
const howToDeclare =
  "Declare it in `responses` or `refusals` of the route's routes.ts, then run npm run generate, which writes docs/openapi.json.";

/** Asks again as the club's client does. Each try may take the fifteen seconds of a request. */
const patient = retryingFetch({ maxTries: 8 });

/** No message reaches a consumer. For tests that look at the whole table or count calls to the table. */
export const withoutRelay = { Relay: async () => ({ batchItemFailures: [] }) };

/** A stage with the methods of `given.ts`. */
export type ServiceStage = BareStage & ReturnType<typeof givenMethods>;

/** The index has an item after its lag. A machine that is busy may take longer. */
const indexPatience = 10_000;

/**
 * Waits until the indexes have all writes of before. The indexes of the laptop take the writes in their order, so they
 * have all of them as soon as they have a marker that is written now.
 */
async function untilIndexed(table: DynamoDBDocumentClient, TableName: string, indexLag: number): Promise<void> {
  const Key = { PK: `MARKER#${randomUUID()}`, SK: "MARKER" };
  await table.send(new PutCommand({ TableName, Item: { ...Key, GSI1PK: Key.PK, GSI1SK: Key.SK } }));
  const marker = new QueryCommand({
    TableName,
    IndexName: "GSI1",
    KeyConditionExpression: "GSI1PK = :marker",
    ExpressionAttributeValues: { ":marker": Key.PK },
  });
  const end = Date.now() + indexLag + indexPatience;
  while ((await table.send(marker)).Count === 0) {
    if (Date.now() > end) throw new Error("The indexes did not follow the table.");
    await pause(10);
  }
  await table.send(new DeleteCommand({ TableName, Key }));
}

/**
 * Starts a stage on free ports, without seed data unless `options` ask for it. With the variable INDEX_LAG the indexes of
 * its table lag behind by so many milliseconds. With the variable DISORDER, a seed, stream, queues and bus deliver in
 * another order and some things twice. The caller must close it. `close` throws when a line of the functions' logs names
 * a person, or is no line in CloudWatch's format although it looks like one, and when the table has items of no kind,
 * unless the test puts them there (`hasStrays`). An answer that the reference of the API does not describe is an error of `api`.
 */
export async function givenStage(
  options: Omit<LocalStageOptions, "assembly"> & SynthesisSettings & { readonly hasStrays?: boolean } = {},
): Promise<ServiceStage> {
  const {
    adminEmailDomain,
    allowedOrigins,
    publicEvents,
    publicProfiles,
    verification,
    refunds,
    indexLag = Number(process.env.INDEX_LAG ?? 0),
    hasStrays = false,
    ...rest
  } = options;
  const assembly = await localAssembly({
    adminEmailDomain,
    allowedOrigins,
    publicEvents,
    publicProfiles,
    verification,
    refunds,
  });
  const disorder = process.env.DISORDER ? Number(process.env.DISORDER) : undefined;
  const stage = await startLocalStage({
    assembly,
    port: 0,
    memory: true,
    seed: false,
    indexLag,
    disorder,
    makeKeyPair: nextKeyPair,
    ...rest,
  });
  const { region, dynamodbUrl, tableName, apiUrl } = stage.outputs;
  const credentials = { accessKeyId: "LOCALTest", secretAccessKey: "local" };
  const client = new DynamoDBClient({ region, endpoint: dynamodbUrl, credentials });
  const table = DynamoDBDocumentClient.from(client);
  const tokens = new Map<string, Promise<string>>();
  const tokenFor = (email: string): Promise<string> => {
    const token = tokens.get(email) ?? stage.identity.idToken(email);
    tokens.set(email, token);
    return token;
  };
  let isClosed = false;
  const bare: BareStage = {
    ...stage,
    table,
    tokenFor,
    api: async (method, path, { as, token, body, headers, once = false } = {}) => {
      const bearer = token ?? (as && (await tokenFor(as)));
      const request = new Request(apiUrl + path, {
        method,
        headers: {
          ...(bearer && { authorization: `Bearer ${bearer}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const response = await (once ? fetch : patient)(request);
      const text = await response.text();
      const contentType = response.headers.get("content-type") ?? "";
      const { status, headers: answered } = response;
      const problem = undocumented({ method, path, status, contentType, text, headers: answered });
      if (problem) throw new Error(`${method} ${path}: ${problem}. ${howToDeclare}`);
      return { status: response.status, body: text === "" ? undefined : JSON.parse(text), headers: response.headers };
    },
    stored: async (partition) => {
      const { Items = [] } = await table.send(
        new QueryCommand({
          TableName: tableName,
          ConsistentRead: true,
          KeyConditionExpression: "PK = :partition",
          ExpressionAttributeValues: { ":partition": partition },
        }),
      );
      return Items;
    },
    indexed: async () => {
      if (indexLag > 0) await untilIndexed(table, tableName, indexLag);
    },
    close: async () => {
      // Closing it again does nothing.
      if (!hasStrays && !isClosed) await expectKnownKinds(table, tableName);
      isClosed = true;
      client.destroy();
      await stage.close();
      expectNoPersonNamed(stage.logs);
    },
  };
  return { ...bare, ...givenMethods(bare) };
}

const shared = new Map<unknown, Promise<ServiceStage>>();
function sharedBy(key: unknown, options: Parameters<typeof givenStage>[0]): Promise<ServiceStage> {
  const stage = shared.get(key) ?? givenStage(options);
  shared.set(key, stage);
  return stage;
}

/** The stage that the suites of a test file share, so their events and people need names of their own. It is closed after the last test. */
export const sharedStage = (standIns?: LocalStageOptions["standIns"]): Promise<ServiceStage> =>
  sharedBy(standIns, { standIns });

/** The same for a stage that shows events and profiles without a token. */
export const sharedOpenStage = (): Promise<ServiceStage> =>
  sharedBy("open", { publicEvents: true, publicProfiles: true });

afterAll(async () => {
  for (const stage of shared.values()) await (await stage).close();
});
