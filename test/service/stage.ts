/** A local stage in memory, for tests that call the service over HTTP. */
import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, DynamoDBDocumentClient, PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { type LocalStageOptions, startLocalStage } from "../../lib/local/stage/index.ts";
import { type SynthesisSettings, synthesizeLocalStage } from "../../lib/local/template/synthesis.ts";
import { readEmf } from "../emf.ts";
import { documentedBy } from "./documented.ts";
import { type BareStage, givenMethods } from "./given.ts";
import { expectNoPersonNamed } from "./personal.ts";

/** Says what is wrong with an answer of the API. */
const undocumented = documentedBy();

/** Each try may take the fifteen seconds of a request. */
const mostTries = 8;

const root = fileURLToPath(new URL("../../", import.meta.url));

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
 * a person, or is no line in CloudWatch's format although it looks like one. An answer that the reference of the API does not describe is an error of `api`.
 */
export async function givenStage(
  options: Omit<LocalStageOptions, "assembly"> & SynthesisSettings = {},
): Promise<ServiceStage> {
  const {
    adminEmailDomain,
    allowedOrigins,
    publicEvents,
    publicProfiles,
    verification,
    indexLag = Number(process.env.INDEX_LAG ?? 0),
    ...rest
  } = options;
  const assembly = await localAssembly({
    adminEmailDomain,
    allowedOrigins,
    publicEvents,
    publicProfiles,
    verification,
  });
  const disorder = process.env.DISORDER ? Number(process.env.DISORDER) : undefined;
  const stage = await startLocalStage({ assembly, port: 0, memory: true, seed: false, indexLag, disorder, ...rest });
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
  const bare: BareStage = {
    ...stage,
    table,
    tokenFor,
    api: async (method, path, { as, token, body, headers, once = false } = {}) => {
      const bearer = token ?? (as && (await tokenFor(as)));
      const call = () =>
        fetch(apiUrl + path, {
          method,
          headers: {
            ...(bearer && { authorization: `Bearer ${bearer}` }),
            ...(body !== undefined && { "content-type": "application/json" }),
            ...headers,
          },
          ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
        });
      let response = await call();
      for (let tries = 1; !once && tries < mostTries && response.status === 503; tries += 1) {
        const seconds = response.headers.get("retry-after");
        if (seconds === null) break;
        await pause(Number(seconds) * 1_000);
        response = await call();
      }
      const text = await response.text();
      const contentType = response.headers.get("content-type") ?? "";
      const { status, headers: answered } = response;
      const problem = undocumented({ method, path, status, contentType, text, headers: answered });
      if (problem)
        throw new Error(`${method} ${path}: ${problem} (docs/openapi.json; "npm run openapi" writes it anew).`);
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
      client.destroy();
      await stage.close();
      expectNoPersonNamed(stage.logs);
      for (const { text } of stage.logs) readEmf(text);
    },
  };
  return { ...bare, ...givenMethods(bare) };
}

/**
 * Folder of the synthesized local stage. All test files share one folder for the same sources and settings. Two test
 * files that begin at the same time both make it, and one result is deleted.
 * @throws Error when the functions are not built
 */
export async function localAssembly(settings: SynthesisSettings): Promise<string> {
  if (!existsSync(join(root, "dist/functions"))) throw new Error('Run "npm run build" first.');
  const cache = join(root, ".cache/local-stage");
  const assembly = join(cache, await sourceHash(settings));
  if (existsSync(assembly)) return assembly;
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, "draft-"));
  await synthesizeLocalStage(draft, settings);
  await rename(draft, assembly).catch(() => rm(draft, { recursive: true }));
  await forgetOld(cache);
  return assembly;
}

/** Deletes folders that are older than a day: no test run still reads them. */
async function forgetOld(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const { mtimeMs } = await stat(join(cache, name));
    if (mtimeMs < Date.now() - 86_400_000) await rm(join(cache, name), { recursive: true, force: true });
  }
}

/** Hash of everything that goes into the template: sources, and the bundles, which it names by their content. */
async function sourceHash(settings: SynthesisSettings): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(settings));
  const below = async (folder: string): Promise<string[]> =>
    (await readdir(join(root, folder), { recursive: true })).map((file) => join(folder, file));
  const folders = await Promise.all(["lib", "lambda", "dist/functions"].map(below));
  for (const file of ["cdk.json", "bin/app.ts", "package-lock.json", ...folders.flat()].sort()) {
    if (!/\.(ts|json|mjs)$/.test(file) || file.startsWith(join("lib", "local"))) continue;
    hash.update(file).update(await readFile(join(root, file)));
  }
  return hash.digest("hex").slice(0, 16);
}
