/** The stage of an outputs file, with the interface of the stages that tests start themselves. */
import { randomInt } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, paginateQuery, paginateScan } from "@aws-sdk/lib-dynamodb";
import { outputsIn } from "../../tools/kit/outputs.ts";
import { awsPlace } from "../../tools/smoke/aws.ts";
import { endpointOf } from "../../tools/smoke/endpoint.ts";
import { laptopPlace } from "../../tools/smoke/laptop.ts";
import { stageIn, type TestedStage } from "../../tools/smoke/outputs.ts";
import { cleanUp } from "../../tools/smoke/step-kit/clean-up.ts";
import type { Person } from "../../tools/smoke/step-kit/place.ts";
import { never } from "../../tools/smoke/step-kit/waiting.ts";
import { callerOf } from "../service/call.ts";
import { type BareStage, exec, type GivenOptions, givenMethods, type ServiceStage } from "../service/given.ts";
import { untilIndexed } from "../service/until-indexed.ts";
import { mailsAt } from "./mails.ts";
import { inAllTexts, Names } from "./names.ts";
import { NotOnThisStage, withoutThese } from "./not-on-this-stage.ts";
import { originsOf } from "./origins.ts";
import { quietStack } from "./quiet.ts";

const provider = "the provider's buttons are the laptop's inside";

/** What only a stage in the process of the tests has. */
const inside: Readonly<Record<string, string>> = {
  engine: "the engine of the table is the laptop's inside",
  functions: "the processes of the functions are the laptop's inside",
  bucket: "the inside of the bucket is the laptop's",
  chat: "the chat's list is the laptop's inside",
  payments: provider,
  logs: "lines of logs arrive minutes later elsewhere",
  invoke: "the test calls a function past its trigger",
  endpoint: "the test asks for a service of the laptop",
  environmentOf: "the environment of functions is the laptop's inside",
  rights: "the list of rights is the laptop's inside",
  restart: "the processes of the functions are the laptop's inside",
  runSchedule: "the clock is the laptop's inside",
  deadLetters: "the dead-letter queues of a stage have messages of others",
  giveUp: "the test puts a message past its rule",
  redrive: "the dead-letter queues of a stage have messages of others",
  table: "the test reads or writes the table past the service",
};

/** The values of a stage that a test reads by the names of the laptop's outputs, if it has them. */
function outputsOf(stage: TestedStage, text: (name: string) => string, webhookSecret: string | undefined): object {
  const { apiUrl, region, userPoolId, userPoolClientId, imageBucket } = stage;
  const { isLaptop } = stage;
  const own = { apiUrl, region, userPoolId, userPoolClientId, imageBucket, adminEmailDomain: "club.example" };
  const more = isLaptop ? ["mailUrl", "chatUrl"] : [];
  const outputs = { ...own, ...Object.fromEntries(more.map((name) => [name, text(name)])) };
  const reasons: Record<string, string> = { paymentsUrl: provider };
  for (const name of ["dynamodbUrl", "tableName"]) reasons[name] = inside.table as string;
  if (!isLaptop) for (const name of ["mailUrl", "chatUrl"]) reasons[name] = "the stage has no such page";
  for (const name of ["identityUrl", "imagesUrl"]) reasons[name] = "the test calls a service of AWS itself";
  if (webhookSecret === undefined) reasons.webhookSecret = "the stage has no secret of the payment provider";
  else Object.assign(outputs, { webhookSecret });
  return withoutThese(outputs, reasons);
}

interface Running {
  readonly apiUrl: string;
  readonly origins: readonly string[];
}

/** @throws NotOnThisStage when a test wants a stage with other settings */
async function refuseOthers(
  { apiUrl, origins }: Running,
  options: GivenOptions,
  harmless: readonly unknown[],
): Promise<void> {
  const {
    publicEvents,
    publicProfiles,
    allowedOrigins,
    standIns,
    quiet: _quiet,
    hasStrays: _strays,
    ...others
  } = options;
  if (standIns !== undefined && !harmless.includes(standIns))
    throw new NotOnThisStage("the test has stand-ins for functions");
  const shown = async (path: string) => (await fetch(apiUrl + path)).status !== 401;
  if (publicEvents !== undefined && publicEvents !== (await shown("/events")))
    throw new NotOnThisStage(`the setting publicEvents of the stage is ${!publicEvents}`);
  if (publicProfiles !== undefined && publicProfiles !== (await shown("/profiles/profile/none")))
    throw new NotOnThisStage(`the setting publicProfiles of the stage is ${!publicProfiles}`);
  if (allowedOrigins !== undefined && `${allowedOrigins}` !== `${origins}`)
    throw new NotOnThisStage(`the stage allows ${origins.join(" and ")}`);
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (other !== undefined) throw new NotOnThisStage(`the test chooses ${other} of its stage`);
}

/** Where the pool publishes its keys. */
const keysUrl = (stage: TestedStage): string => {
  const { region, userPoolId } = stage;
  const aws = endpointOf("COGNITO_IDENTITY_PROVIDER") ?? `https://cognito-idp.${region}.amazonaws.com`;
  return `${stage.isLaptop ? stage.text("identityUrl") : aws}/${userPoolId}/.well-known/jwks.json`;
};

/** What an admin can delete, by the path that makes it. */
type Fields = Readonly<Record<string, unknown>>;
const deletedAt: Readonly<Record<string, (sent: Fields, answer: { readonly user?: Fields }) => string>> = {
  "/events": ({ id, year }) => `/events/${id}/${year}?force=true&refund=none`,
  "/prizes": ({ id }) => `/prizes/${id}`,
  "/emails/templates": ({ templateName }) => `/emails/templates/${templateName}`,
  "/members": ({ email }) => `/members/${email}`,
  "/members/grant": ({ email }) => `/users/${email}`,
  "/users": (_, { user }) => `/users/${user?.email}`,
};

/** Megabytes of a table that a test may read whole. */
const mostPages = 20;

/** Deleting what thousands of requests made takes its time. */
const longestCleanUp = 300_000;

/**
 * @param file the outputs file
 * @param options of the stage that the test wants
 * @param harmless stand-ins that make no difference to a test that has them
 * @throws NotOnThisStage when the stage has other settings
 */
export async function deployedStage(
  file: string,
  options: GivenOptions,
  harmless: readonly unknown[],
): Promise<ServiceStage> {
  const [stage, found] = [await stageIn(file), await outputsIn(file)];
  const { text } = found;
  if (stage.stage.name === "production") throw new Error("Tests never run on production.");
  await refuseOthers({ apiUrl: stage.apiUrl, origins: originsOf(found) }, options, harmless);
  const { isLaptop } = stage;
  const place = isLaptop ? laptopPlace(stage) : awsPlace(stage);
  const names = new Names(`x${Date.now().toString(36)}${randomInt(1_000)}`, stage.stage.adminEmailDomain);
  const made = cleanUp(longestCleanUp);

  const people = new Map<string, Promise<Person>>();
  let last: Promise<unknown> = Promise.resolve();
  /** The web application's library signs in one person at a time. */
  const signedIn = (email: string): Promise<Person> => {
    // The pool knows no upper case.
    const key = email.toLowerCase();
    const known = people.get(key);
    if (known) return known;
    const person = last.then(() => place.people.signedIn(names.emails(email), made, never));
    last = person.catch(() => undefined);
    people.set(key, person);
    person.catch(() => people.delete(key));
    return person;
  };
  const tokenFor = async (email: string): Promise<string> => (await signedIn(email)).token;

  const call = callerOf(stage.apiUrl, tokenFor, names);
  const api: BareStage["api"] = async (method, path, request = {}) => {
    const { audience } = (request.body ?? {}) as { audience?: { members?: unknown } };
    if (audience?.members === true)
      throw new NotOnThisStage("a mail to all members would reach people outside of the test");
    const answer = await call(method, path, request);
    const remove = method === "POST" && [200, 201].includes(answer.status) ? deletedAt[path] : undefined;
    const way = remove?.((request.body ?? {}) as never, answer.body);
    if (way !== undefined) {
      made.expect({ what: names.path(way), remove: () => call("DELETE", way, { as: exec }), command: names.path(way) });
    }
    const publicUrl = isLaptop ? undefined : answer.body?.publicUrl;
    if (publicUrl) answer.body.publicUrl = place.reached(publicUrl);
    if (method === "POST" && path === "/payments" && answer.status >= 500) throw new NotOnThisStage(provider);
    return answer;
  };

  const settings = { region: stage.region };
  const laptopTable = () => ({
    endpoint: text("dynamodbUrl"),
    credentials: { accessKeyId: "LOCALTest", secretAccessKey: "local" },
  });
  const client = new DynamoDBClient({ ...settings, ...(isLaptop && laptopTable()) });
  const table = DynamoDBDocumentClient.from(client);
  const TableName = isLaptop ? text("tableName") : text("TableName");

  const mails = mailsAt(isLaptop ? { laptop: text("mailUrl") } : { emulator: process.env.AWS_ENDPOINT_URL }, names);
  const quiet = isLaptop
    ? async () => void (await fetch(`${stage.apiUrl}/local/settled`))
    : quietStack(stage.stackName, settings);
  const known = await place.webhookSecret(never);
  const { keys } = (await (await fetch(keysUrl(stage))).json()) as { keys: readonly object[] };

  const bare = withoutThese(
    {
      outputs: outputsOf(stage, text, "secret" in known ? known.secret : undefined),
      identity: withoutThese(
        {
          jwks: { keys },
          idToken: async (email: string, claims: object = {}) => {
            if (Object.keys(claims).length > 0)
              throw new NotOnThisStage("only the laptop signs tokens with any claims");
            return tokenFor(email);
          },
        },
        { federatedSignIn: "sign-in with Google needs Google", ensureUser: "the pool's list is the laptop's inside" },
      ),
      isShared: true,
      mailbox: { list: mails.list },
      tokenFor,
      api,
      fetch: async (path: string, init: RequestInit = {}) => {
        const sent = typeof init.body === "string" ? { ...init, body: names.body(init.body) } : init;
        const answer = await fetch(stage.apiUrl + names.path(path), sent);
        const body = names.back(await answer.text());
        return new Response(body === "" ? null : body, {
          status: answer.status,
          headers: names.headers(answer.headers),
        });
      },
      usedByOthers: (what: string) => {
        throw new NotOnThisStage(`others use the stage, too: ${what}`);
      },
      async stored(partition: string) {
        const items: Record<string, unknown>[] = [];
        const query = {
          TableName,
          ConsistentRead: true,
          KeyConditionExpression: "PK = :partition",
          ExpressionAttributeValues: { ":partition": names.key(partition) },
        };
        for await (const { Items = [] } of paginateQuery({ client: table }, query)) {
          items.push(...(inAllTexts(Items, names.back) as typeof items));
        }
        return items;
      },
      // In AWS each partition of an index follows alone, so the marker is a good sign and no proof.
      indexed: () => untilIndexed(table, TableName, 0),
      async settled() {
        await quiet();
        await mails.read();
      },
      async close() {
        for (const { what, reason } of await made.run()) console.error(`left ${what}: ${reason}`);
        client.destroy();
      },
    },
    inside,
  );
  /** Items that name a person, in a table that is not too large to read. */
  async function storedItemsWith(email: string): Promise<Record<string, unknown>[]> {
    const [items, real]: [Record<string, unknown>[], string] = [[], names.emails(email).toLowerCase()];
    if (!/^[^@]+@./.test(email)) throw new NotOnThisStage("others use the stage, too: the whole table");
    if (options.standIns !== undefined) await bare.settled();
    let pages = 0;
    for await (const { Items = [] } of paginateScan({ client: table }, { TableName, ConsistentRead: true })) {
      pages += 1;
      if (pages > mostPages) throw new NotOnThisStage("the table is too large to look for a person in all of it");
      items.push(...Items.filter((item) => JSON.stringify(item).toLowerCase().includes(real)));
    }
    // The people of a test sign up here. A test that wants no consumer knows nothing of what these note.
    const unasked = options.standIns === undefined ? ["SIGNUPS#"] : ["SIGNUPS#", "SENT#"];
    const asked = items.filter(({ PK }) => !unasked.some((prefix) => `${PK}`.startsWith(prefix)));
    return inAllTexts(asked, names.back) as typeof items;
  }
  const methods = givenMethods(bare as unknown as BareStage);
  const chatTexts = async () => (await methods.chatTexts()).map(names.back);
  return Object.assign(bare, methods, { chatTexts, storedItemsWith }) as unknown as ServiceStage;
}
