/** A local stage in memory, for tests that call the service over HTTP. */
import { isDeepStrictEqual } from "node:util";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll } from "@jest/globals";
import { localStage, type NewPool } from "../../lib/stages.ts";
import { outputsIn } from "../../tools/kit/outputs.ts";
import { type LocalStageOptions, startLocalStage } from "../../tools/laptop/stage/index.ts";
import { localAssembly } from "../../tools/laptop/template/made-before.ts";
import type { SynthesisSettings } from "../../tools/laptop/template/synthesis.ts";
import { originsOf } from "../any-stage/origins.ts";
import { expectKnownKinds } from "../known-kinds.ts";
import { callerOf } from "./call.ts";
import { type BareStage, type GivenOptions, givenMethods, type ServiceStage } from "./given.ts";
import { expectNoPersonNamed } from "./personal.ts";
import { nextKeyPair } from "./signing-keys.ts";
import { untilIndexed } from "./until-indexed.ts";

export type { ServiceStage } from "./given.ts";

const unheard = async () => ({ batchItemFailures: [] });

/** No message reaches a consumer. For tests that look at the whole table or count calls to the table. */
export const withoutRelay = { Relay: unheard };

/** No mail or chat message is sent. For tests that look at neither: they are an eighth of all invocations. */
export const withoutNotices = { Mail: unheard, Chat: unheard };

/** Other values than the laptop's. One template has them all, because a synthesis takes five seconds of processor. */
const otherSettings = {
  allowedOrigins: ["http://localhost:3000", "https://app.club.example"],
  publicEvents: true,
  publicProfiles: true,
  refunds: "automatic",
  seeDietAndPhone: ["exec@club.example"],
} satisfies SynthesisSettings;

/** Settings of a template that has what is asked for. What is not asked for may be other than on the laptop. */
function settingsWith(asked: SynthesisSettings): SynthesisSettings {
  const { identity, ...own } = localStage();
  const laptop = { ...own, verification: (identity as NewPool).verification };
  const hasAll = (settings: SynthesisSettings) =>
    Object.entries(asked).every(
      ([name, value]) => value === undefined || isDeepStrictEqual(value, { ...laptop, ...settings }[name as "refunds"]),
    );
  return [{}, otherSettings].find(hasAll) ?? asked;
}

/**
 * Starts a stage on free ports, without seed data unless `options` ask for it. With the variable INDEX_LAG the indexes of
 * its table lag behind by so many milliseconds. With the variable DISORDER, a seed, stream, queues and bus deliver in
 * another order and some things twice. The caller must close it. `close` throws when a line of the functions' logs names
 * a person, or is no line in CloudWatch's format although it looks like one, and when the table has items of no kind,
 * unless the test puts them there (`hasStrays`). An answer that the reference of the API does not describe is an error of `api`.
 * With the variable STAGE, an outputs file, it is that stage, which runs already (`test/any-stage`).
 */
export async function givenStage(options: GivenOptions = {}): Promise<ServiceStage> {
  if (process.env.DEPLOYED_STAGE) {
    const { deployedStage } = await import("../any-stage/deployed.ts");
    return deployedStage(process.env.DEPLOYED_STAGE, options, [withoutRelay, withoutNotices]);
  }
  const { adminEmailDomain, allowedOrigins, publicEvents, publicProfiles, verification, refunds, ...rest } = options;
  const { indexLag = Number(process.env.INDEX_LAG ?? 0), hasStrays = false, ...more } = rest;
  const asked = { adminEmailDomain, allowedOrigins, publicEvents, publicProfiles, verification, refunds };
  const assembly = await localAssembly(settingsWith(asked));
  const disorder = process.env.DISORDER ? Number(process.env.DISORDER) : undefined;
  const stage = await startLocalStage({
    assembly,
    port: 0,
    memory: true,
    seed: false,
    indexLag,
    disorder,
    makeKeyPair: nextKeyPair,
    ...more,
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
    api: callerOf(apiUrl, tokenFor),
    fetch: (path, init) => fetch(apiUrl + path, init),
    isShared: false,
    usedByOthers: () => undefined,
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

/** The origins that the stage of a test is to allow: these, or those of the stage that runs already. */
export async function allowedOriginsOr(chosen: readonly string[]): Promise<readonly string[]> {
  return process.env.DEPLOYED_STAGE ? originsOf(await outputsIn(process.env.DEPLOYED_STAGE)) : chosen;
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

/** The same for a stage that shows events and profiles without a token, and allows several origins. */
export async function sharedOpenStage(): Promise<ServiceStage> {
  const allowedOrigins = await allowedOriginsOr(otherSettings.allowedOrigins);
  return sharedBy("open", { publicEvents: true, publicProfiles: true, allowedOrigins });
}

/** The same for one that shows neither. It is the shared one, unless that runs elsewhere with other settings. */
export const sharedClosedStage = (): Promise<ServiceStage> =>
  process.env.DEPLOYED_STAGE ? sharedBy("closed", { publicEvents: false, publicProfiles: false }) : sharedStage();

afterAll(async () => {
  // The tests have told why a stage did not start.
  const started = await Promise.allSettled(shared.values());
  for (const one of started) if (one.status === "fulfilled") await one.value.close();
});
