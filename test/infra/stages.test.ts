/** The values of the stages, and what is refused before anything is synthesized. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { stageProblems, validStage } from "../../lib/stage-rules.ts";
import { type HostedPages, localStage, type NewPool, type StageConfig, stages } from "../../lib/stages.ts";
import { local, production, staging } from "../stages.ts";

test.each(Object.values(stages))("$name, as lib/stages.ts has it, is valid", (stage) => {
  expect(stageProblems(stage)).toEqual([]);
});

test("what a club writes there changes no other test", () => {
  const readers = ["unit", "infra"].flatMap((folder) => {
    const files = readdirSync(new URL(`../${folder}/`, import.meta.url), "utf8").filter((file) => file.endsWith(".ts"));
    return files.filter((file) =>
      /^import \{[^}]*\b(?:stages|production|staging)\b[^}]*\} from "[./]+\/lib\/stages\.ts"/m.test(
        readFileSync(new URL(`../${folder}/${file}`, import.meta.url), "utf8"),
      ),
    );
  });
  expect(readers).toEqual(["stages.test.ts"]);
});

test.each([production, staging, local])("$name of the tests is valid", (stage) => {
  expect(stageProblems(stage)).toEqual([]);
});

test.each([production, staging, local])("$name: holds and rush as the design says", (stage) => {
  expect(stage.holds).toEqual({ newRegistration: 1_800_000, promotion: 86_400_000, acceptance: 259_200_000 });
  expect(stage.throttle).toEqual({ rate: 1_000, burst: 2_000 });
  expect(stage.timeZone).toBe("America/Vancouver");
});

test.each(["/event/{id}/{year}/register", "/{year}/{id}", "/#/events?id={id}&year={year}"])(
  "%s may be the page of an event",
  (eventPage) => expect(stageProblems({ ...production, webAppUrl: "https://app.club.example", eventPage })).toEqual([]),
);

describe("the laptop's stage", () => {
  test("has defaults of its own", () => {
    expect(local).toMatchObject({ adminEmailDomain: "club.example", allowedOrigins: ["http://localhost:3000"] });
  });

  test("takes admin domain and origins from the environment", () => {
    const stage = localStage({
      ADMIN_EMAIL_DOMAIN: "ubc.example",
      ALLOWED_ORIGINS: "http://localhost:3000, http://127.0.0.1:5173",
    });
    expect(stage).toMatchObject({
      adminEmailDomain: "ubc.example",
      allowedOrigins: ["http://localhost:3000", "http://127.0.0.1:5173"],
    });
    expect(stageProblems(stage)).toEqual([]);
  });

  test("links to pages at its own address", () => {
    const pages = [{}, { PORT: "4710" }].map((environment) => localStage(environment).pages);
    expect(pages).toMatchObject([{ laptopUrl: "http://localhost:4000" }, { laptopUrl: "http://localhost:4710" }]);
  });

  test("may have a mailbox for its alarms, with a budget, and needs none", () => {
    expect([local.alarmEmail, local.monthlyBudget, local.repository]).toEqual([undefined, undefined, undefined]);
    const watched = {
      alarmEmail: "me@club.example",
      monthlyBudget: 1,
      repository: "https://github.com/me/club-events",
    };
    expect(stageProblems({ ...local, ...watched })).toEqual([]);
    expect(stageProblems({ ...local, monthlyBudget: 1 })).not.toEqual([]);
  });

  test("may have no admin at all", () => {
    expect(stageProblems(localStage({ ADMIN_EMAIL_DOMAIN: "" }))).toEqual([]);
  });

  test.each(["", "*", "localhost:3000", "http://localhost:3000/", "http://localhost:3000,"])(
    "refuses ALLOWED_ORIGINS=%j",
    (origins) => {
      expect(stageProblems(localStage({ ALLOWED_ORIGINS: origins }))).not.toEqual([]);
    },
  );
});

// https://docs.stripe.com/currencies#zero-decimal, and its special cases
describe("the currency", () => {
  const problems = (currency: string) => stageProblems({ ...production, membershipPrice: 1_000_000, currency });

  test.each(["JPY", "ISK", "UGX"])("%s is refused: it has no cents", (currency) =>
    expect(problems(currency)).toEqual([`currency: ${currency} has no cents, and prices are in cents`]),
  );

  test.each(["KWD"])("%s is refused: it has three decimals", (currency) =>
    expect(problems(currency)).toEqual([`currency: ${currency} has three decimals, and prices have two`]),
  );

  test.each(["CAD", "HUF"])("%s is taken: its charges have cents", (currency) =>
    expect(problems(currency)).toEqual([]),
  );
});

describe("an existing user pool", () => {
  const existing = { userPoolId: "ca-central-1_Ab12CdEf3", clientId: "4abc0example", region: "ca-central-1" };

  test("may take the place of the stack's own", () => {
    expect(stageProblems({ ...production, identity: { existing } })).toEqual([]);
  });

  test("is nothing for the laptop", () => {
    expect(stageProblems({ ...local, identity: { existing } })).toEqual([
      "identity.existing: the laptop has a pool of its own",
    ]);
  });
});

test("pages may be elsewhere, where their addresses are said", () => {
  const base = "https://app.club.example";
  const elsewhere = { webAppUrl: base, eventPage: "/{id}/{year}", doorPage: `${base}/door/`, linkPage: `${base}/my/` };
  expect(stageProblems({ ...production, pages: "elsewhere", ...elsewhere })).toEqual([]);
  expect(stageProblems({ ...local, pages: "elsewhere", ...elsewhere })).toEqual(["pages: the laptop serves them"]);
});

test("a secret in the place of its name is not repeated", () => {
  const problems = stageProblems({ ...production, paymentsSecret: "sk_live_x", chatWebhookSecret: "https://x" });
  expect(problems).toEqual([
    "chatWebhookSecret: is not the name of a secret",
    "paymentsSecret: is no name of a secret",
  ]);
});

test("a restored table may take the place of the stack's own", () => {
  const tableName = "ClubEvents-production-restored";
  const streamArn = `arn:aws:dynamodb:ca-central-1:123456789012:table/${tableName}/stream/2026-11-22T10:00:00.000`;
  expect(stageProblems({ ...production, restoredTable: { tableName, streamArn } })).toEqual([]);
});

const certificateArn = "arn:aws:acm:ca-central-1:123456789012:certificate/12345678-1234-1234-1234-123456789012";

describe("an address of the API's own", () => {
  const own = { domainName: "api.club.example", certificateArn };

  test("is a name with its certificate", () => {
    expect(stageProblems({ ...production, ...own })).toEqual([]);
  });

  test("is nothing for the laptop", () => {
    expect(stageProblems({ ...local, ...own })).toEqual(["domainName: the laptop has no address of its own"]);
  });
});

describe("refused:", () => {
  const identity = (change: object): Partial<StageConfig> => ({
    identity: { ...production.identity, ...change } as NewPool,
  });
  const existing = (change: object): Partial<StageConfig> => ({
    identity: { existing: { userPoolId: "ca-central-1_Ab12", clientId: "4abc", region: "ca-central-1", ...change } },
  });
  const restored = (streamArn: string, tableName = "ClubEvents-restored"): Partial<StageConfig> => ({
    restoredTable: { tableName, streamArn },
  });
  const stream = "arn:aws:dynamodb:ca-central-1:123456789012:table/ClubEvents-restored/stream/2026-11-22T10:00:00.000";
  const holds = (change: Partial<StageConfig["holds"]>): Partial<StageConfig> => ({
    holds: { ...production.holds, ...change },
  });

  const routeThrottle = (change: Partial<StageConfig["routeThrottle"]>): Partial<StageConfig> => ({
    routeThrottle: { ...production.routeThrottle, ...change },
  });

  const signUps = (change: Partial<StageConfig["signUps"]>): Partial<StageConfig> => ({
    signUps: { ...production.signUps, ...change },
  });

  const hosted = (change: Partial<HostedPages>): Partial<StageConfig> => ({
    pages: { contact: "events@club.example", ...change },
  });

  const campaigns = (change: Partial<StageConfig["campaigns"]>): Partial<StageConfig> => ({
    campaigns: { ...production.campaigns, ...change },
  });

  test.each<[string, RegExp, Partial<StageConfig>]>([
    ["a laptop as origin", /allowedOrigins.*laptop/, { allowedOrigins: ["http://localhost:3000"] }],
    ["a wildcard origin", /allowedOrigins.*wildcard/, { allowedOrigins: ["https://*.club.example"] }],
    ["an origin with a path", /bare origin/, { allowedOrigins: ["https://app.club.example/"] }],
    ["plain HTTP", /allowedOrigins.*https/, { allowedOrigins: ["http://app.club.example"] }],
    ["no origin", /names no origin/, { allowedOrigins: [] }],
    ["an email as admin domain", /adminEmailDomain/, { adminEmailDomain: "exec@club.example" }],
    ["a sender without domain", /mailSender/, { mailSender: "events" }],
    ["no name of the sender", /senderName/, { senderName: "" }],
    ["a sender's name of two lines", /senderName/, { senderName: "Club\r\nBcc: victim@club.example" }],
    ["a sender's name that looks encoded", /senderName/, { senderName: "=?utf-8?Q?x?=" }],
    ["a long name of the sender", /senderName/, { senderName: "é".repeat(23) }],
    [
      "a webhook itself",
      /chatWebhookSecret.*not the name/,
      { chatWebhookSecret: "https://hooks.chat.example/T0/B0/x" },
    ],
    ["a key of the payment provider", /paymentsSecret.*no name/, { paymentsSecret: "sk_live_x" }],
    ["no name of the payments secret", /paymentsSecret.*no name/, { paymentsSecret: "" }],
    ["no mail in a second", /mailsPerSecond/, campaigns({ mailsPerSecond: 0 })],
    ["nowhere to unsubscribe", /unsubscribeAddress/, campaigns({ unsubscribeAddress: "unsubscribe" })],
    ["pages elsewhere without their addresses", /doorPage: is missing/, { pages: "elsewhere" }],
    ["pages without a contact", /contact/, { pages: {} } as object],
    ["a colour by its name", /no colour/, hosted({ colours: { accent: "green" } })],
    ["a name of the pages without a certificate", /or neither/, hosted({ domainName: "events.club.example" })],
    [
      "a certificate of the pages in another region",
      /not in us-east-1/,
      hosted({ domainName: "events.club.example", certificateArn }),
    ],
    [
      "the API's name for the pages",
      /is the API's/,
      {
        ...{ domainName: "club.example", certificateArn },
        ...hosted({ domainName: "club.example", certificateArn: certificateArn.replace("ca-central-1", "us-east-1") }),
      },
    ],
    ["pages on a laptop", /laptopUrl/, hosted({ laptopUrl: "http://localhost:4000" })],
    ["a web application without events", /eventPage: is there/, { webAppUrl: "https://app.club.example" }],
    ["guests of another kind", /guests/, { guests: "friends" } as object],
    ["a page of an event that is no path", /eventPage/, { eventPage: "event/{id}/{year}" }],
    ["a page on another host", /eventPage/, { eventPage: "//evil.example/{id}/{year}" }],
    ["a page of all years of an event", /eventPage/, { eventPage: "/event/{id}" }],
    ["a page with an unknown placeholder", /eventPage/, { eventPage: "/event/{id}/{year}/{eventId}" }],
    ["a page with a blank", /eventPage/, { eventPage: "/event/{id}/{year} register" }],
    ["a domain name without a certificate", /no certificateArn/, { domainName: "api.club.example" }],
    ["a certificate without a domain name", /no domainName/, { certificateArn }],
    ["an address as domain name", /no lower-case/, { domainName: "https://api.club.example", certificateArn }],
    ["a wildcard as domain name", /no lower-case/, { domainName: "*.club.example", certificateArn }],
    ["AWS's own name", /belongs to AWS/, { domainName: "x.execute-api.ca-central-1.amazonaws.com", certificateArn }],
    [
      "another ARN",
      /no ARN of a/,
      { domainName: "a.club.example", certificateArn: "arn:aws:iam::1:server-certificate/x" },
    ],
    ["a certificate's id", /no ARN of a/, { domainName: "a.club.example", certificateArn: "12345678-1234" }],
    ["an unknown time zone", /timeZone/, { timeZone: "America/Atlantis" }],
    ["a currency of no country", /"CDN" is no ISO 4217 code/, { currency: "CDN" }],
    ["a price with fractions of a cent", /membershipPrice/, { membershipPrice: 15.5 }],
    ["a price that cannot be paid", /membershipPrice: at least 0\.50 CAD/, { membershipPrice: 49, currency: "CAD" }],
    [
      "a price of a form below the minimum",
      /membershipPrices\.education\.UBC: at least 0\.50 CAD/,
      { membershipPrices: { education: { UBC: 49 } } },
    ],
    [
      "a price by a field that the form lacks",
      /membershipPrices: "shoes"/,
      { membershipPrices: { shoes: { big: 12_00 } } as object },
    ],
    ["a price too small for its currency", /at least 4\.00 HKD/, { membershipPrice: 399, currency: "HKD" }],
    ["a hold of no time", /holds/, holds({ newRegistration: 0 })],
    ["a hold shorter than a payment session", /30 minutes/, holds({ newRegistration: 600_000 })],
    ["holds in the wrong order", /promotion <= acceptance/, holds({ acceptance: 3_600_000 })],
    ["a throttle that stops a rush", /throttle/, { throttle: { rate: 10, burst: 20 } }],
    ["no sign-up at all", /signUps.perHour: must be a whole number/, signUps({ perHour: 0 })],
    ["a domain with more than all", /perHourAndDomain <=/, signUps({ perHourAndDomain: 301 })],
    ["sign-ups for all mails of a day", /from 1 to 2,000/, signUps({ perHour: 2_001 })],
    ["an address as open domain", /openDomains: "a@uni.ca"/, signUps({ openDomains: ["a@uni.ca"] })],
    ["a table that stops a rush", /tableThroughput/, { tableThroughput: { reads: 12_000, writes: 1_000 } }],
    ["no limit of the door", /routeThrottle.door/, routeThrottle({ door: { rate: 0, burst: 1 } })],
    ["a route with more than the whole API", /routeThrottle.door/, routeThrottle({ door: { rate: 1, burst: 2_001 } })],
    [
      "alarms for no mailbox",
      /alarmEmail.*no person/,
      { alarmEmail: undefined, monthlyBudget: undefined, repository: undefined } as object,
    ],
    ["alarms for two mailboxes", /alarmEmail.*no email/, { alarmEmail: "a@club.example, b@club.example" }],
    ["a mailbox without a budget", /monthlyBudget/, { monthlyBudget: undefined } as object],
    ["alarms without a runbook", /repository/, { repository: undefined } as object],
    ["a repository without https", /repository/, { repository: "git@github.com:club/events.git" }],
    ["a repository with a path into it", /repository/, { repository: "https://github.com/club/events/" }],
    ["sending passwords in plain", /passwordInPlain/, identity({ passwordInPlain: true })],
    ["a laptop as sign-in target", /callbackUrls.*laptop/, identity({ callbackUrls: ["http://localhost:3000/x"] })],
    ["a reserved word in the sign-in page", /domainPrefix/, identity({ domainPrefix: "my-aws-club" })],
    ["another way to verify", /verification.*"sms" is neither/, identity({ verification: "sms" })],
    ["a pool id without a region", /userPoolId.*no id/, existing({ userPoolId: "Ab12" })],
    ["a pool id with a path", /userPoolId.*no id/, existing({ userPoolId: "ca-central-1_Ab12/../x" })],
    ["a long pool id", /userPoolId.*no id/, existing({ userPoolId: `ca-central-1_${"a".repeat(60)}` })],
    ["a pool of another region", /not in the region us-west-2/, existing({ region: "us-west-2" })],
    ["a zone as region", /region: "ca-central-1a" is no region/, existing({ region: "ca-central-1a" })],
    ["an address as client", /clientId.*no id/, existing({ clientId: "https://app.club.example" })],
    [
      "an existing pool and a new one",
      /values of a new one \(domainPrefix, callbackUrls/,
      identity({ existing: { userPoolId: "ca-central-1_Ab12", clientId: "4abc", region: "ca-central-1" } }),
    ],
    ["a restored table without a stream", /streamArn: "" is no stream/, restored("")],
    ["the stream of another table", /no stream of the table ClubEvents-other/, restored(stream, "ClubEvents-other")],
    ["an ARN as the restored table's name", /tableName.*is no name/, restored(stream, stream)],
    ["images over plain HTTP", /imageUrlScheme/, { imageUrlScheme: "http" }],
    ["losing production's data", /production/, { removalPolicy: "destroy" }],
    ["production without protection", /production/, { deletionProtection: false }],
  ])("%s", (_, problem, change) => {
    const stage = { ...production, ...change };
    expect(stageProblems(stage)).toContainEqual(expect.stringMatching(problem));
    expect(() => validStage(stage)).toThrow(problem);
  });
});
