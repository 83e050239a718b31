/** The rules for the values of a stage. They are checked before the stack is synthesized. */

import { isChargeable, minimumChargeText } from "#domain/events/minimum-charges.ts";
import { pricedFields } from "#domain/payments/checkout/membership-price.ts";
import type { TermRule } from "#domain/people/members/terms.ts";
import { compileValidator } from "#kit/schema/compile.ts";
import { issuesOf } from "#kit/schema/validation.ts";
import { isoText, oneLine } from "#kit/text/text.ts";
import { isTimeZone } from "#kit/text/time-zone.ts";
import { certificateRegion, stageSchema } from "./stage-schema.ts";
import type { ExistingPool, StageConfig } from "./stages.ts";

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Why this URL is invalid, as the end of a sentence; undefined when it is valid. */
const addressProblem = (stage: StageConfig, address: string): string | undefined => {
  if (!URL.canParse(address)) return "is not an absolute URL";
  const { protocol, hostname } = new URL(address);
  if (loopback.has(hostname)) return stage.name === "production" ? "is a laptop's address" : undefined;
  // URL accepts a wildcard as a host name.
  if (hostname.includes("*")) return "contains a wildcard";
  return protocol === "https:" || stage.name === "local" ? undefined : "is not https";
};

/** The values that are URLs, by field. */
const addressesOf = ({ allowedOrigins, webAppUrl, doorPage, linkPage, identity }: StageConfig) => ({
  allowedOrigins,
  webAppUrl: webAppUrl === undefined ? [] : [webAppUrl],
  doorPage: doorPage === undefined ? [] : [doorPage],
  linkPage: linkPage === undefined ? [] : [linkPage],
  "identity.callbackUrls": identity.existing ? [] : identity.callbackUrls,
  "identity.logoutUrls": identity.existing ? [] : identity.logoutUrls,
});

/**
 * Whether this is a valid sender's name for mails. In a header it is one encoded word, limited to 75 characters (RFC 2047):
 * 45 bytes in base64.
 */
const isSenderName = (name: string): boolean =>
  name !== "" && name === oneLine(name) && !name.includes("=?") && Buffer.byteLength(name) <= 45;

const currencies = new Set(Intl.supportedValuesOf("currency"));
/**
 * What the payment provider takes in whole units, whatever is usual in shops. Amounts in ISK and UGX have two decimals
 * there, which have to be 00. HUF and TWD are whole in payouts only.
 * https://docs.stripe.com/currencies#zero-decimal (as of 2026-09)
 */
const withoutCents = new Set("BIF CLP DJF GNF ISK JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF".split(" "));
/** By ISO 4217. The provider took them in thousandths when it last listed them, in 2022. */
const withThousandths = new Set(["BHD", "JOD", "KWD", "OMR", "TND"]);

interface Schema {
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const validator = compileValidator({ body: stageSchema });

/** What is wrong with single values. A secret's name is not repeated, because it may be the secret itself. */
function problemsOfValues(stage: StageConfig): string[] {
  const { pages, ...others } = stage;
  const body = structuredClone(pages === "elsewhere" ? others : stage);
  const request = { pathParameters: {}, queryStringParameters: {}, body };
  return issuesOf(validator, request).map(({ path, message }) => {
    const names = path.split("/").slice(1);
    let schema: Schema | undefined = stageSchema as object;
    let value: unknown = stage;
    for (const name of names) {
      schema = schema?.properties?.[name] ?? schema?.items;
      value = (value as Readonly<Record<string, unknown>> | undefined)?.[name];
    }
    const field = names.filter((name) => !/^\d+$/.test(name)).join(".");
    const shown = typeof value === "string" && !/secret/i.test(field) ? `"${value}" ` : "";
    return `${field}: ${shown}${schema?.description ?? message}`;
  });
}

/** What is wrong with values that are right by themselves: what no schema says, and several values together. */
function problemsOfStage(stage: StageConfig): string[] {
  const { name, identity, currency, holds, signUps, throttle, domainName, certificateArn, restoredTable } = stage;
  const { alarmEmail, monthlyBudget, repository } = stage;
  const isLocal = name === "local";
  // The policies in docs/deploy.md restrict credentials to one stage.
  const secretPrefix = `club-events/${name}/`;
  const secrets = Object.entries({
    chatWebhookSecret: stage.chatWebhookSecret,
    paymentsSecret: stage.paymentsSecret,
    "identity.googleSecretName": identity.existing ? undefined : identity.googleSecretName,
  });
  const prices = Object.entries(stage.membershipPrices ?? {}).flatMap(([field, byValue]) =>
    Object.entries(byValue).map(([value, price]) => [`membershipPrices.${field}.${value}`, price] as const),
  );
  const problems = [
    ...Object.entries(addressesOf(stage)).flatMap(([field, addresses]) =>
      addresses.map((address) => {
        const problem = addressProblem(stage, address);
        return problem && `${field}: "${address}" ${problem}`;
      }),
    ),
    // Browsers send origins without path or slash. Other strings would never match.
    ...stage.allowedOrigins.map(
      (origin) =>
        URL.canParse(origin) && new URL(origin).origin !== origin && `allowedOrigins: "${origin}" is no bare origin`,
    ),
    !isSenderName(stage.senderName) && `senderName: "${stage.senderName}" is no line of 1 to 45 bytes without "=?"`,
    ...secrets.map(
      ([field, secret]) =>
        secret?.startsWith(secretPrefix) === false &&
        `${field}: must begin with "${secretPrefix}", because each stage's credentials read only what begins so`,
    ),
    !isTimeZone(stage.timeZone) && `timeZone: "${stage.timeZone}" is no IANA time zone`,
    !currencies.has(currency) && `currency: "${currency}" is no ISO 4217 code`,
    // Prices have two decimals, and the provider takes amounts in the currency's smallest unit.
    withoutCents.has(currency) && `currency: ${currency} has no cents, and prices are in cents`,
    withThousandths.has(currency) && `currency: ${currency} has three decimals, and prices have two`,
    ...Object.keys(stage.membershipPrices ?? {}).map(
      (field) =>
        !(pricedFields as readonly string[]).includes(field) &&
        `membershipPrices: "${field}" is not one of ${pricedFields.join(", ")}`,
    ),
    ...[["membershipPrice", stage.membershipPrice] as const, ...prices].map(
      ([field, price]) => !isChargeable(price, currency) && `${field}: ${minimumChargeText(currency)}`,
    ),
    ...problemsOfTerm(stage.membershipTerm),
    (holds.newRegistration > holds.promotion || holds.promotion > holds.acceptance) &&
      "holds: newRegistration <= promotion <= acceptance",
    signUps.perHourAndDomain > signUps.perHour && "signUps: perHourAndDomain <= perHour",
    ...Object.entries(stage.routeThrottle).map(
      ([kind, { rate, burst }]) =>
        (rate > throttle.rate || burst > throttle.burst) && `routeThrottle.${kind}: at most that of the whole API`,
    ),
    ...(identity.existing ? problemsOfPool(identity, isLocal) : []),
    !identity.existing && identity.passwordInPlain && !isLocal && "identity.passwordInPlain: only on the laptop",
    ...problemsOfPages(stage, isLocal),
    isLocal && (domainName ?? certificateArn) !== undefined && "domainName: the laptop has no address of its own",
    domainName === undefined && certificateArn !== undefined && "certificateArn: there is no domainName for it",
    domainName !== undefined && certificateArn === undefined && "domainName: there is no certificateArn for it",
    restoredTable &&
      tableOf(restoredTable.streamArn) !== restoredTable.tableName &&
      `restoredTable.streamArn: "${restoredTable.streamArn}" is no stream of the table ${restoredTable.tableName}`,
    !isLocal && alarmEmail === undefined && "alarmEmail: names no mailbox, so alarms would reach no person",
    (alarmEmail === undefined) !== (monthlyBudget === undefined) && "monthlyBudget: is there where alarmEmail is",
    (alarmEmail === undefined) !== (repository === undefined) && "repository: is there where alarmEmail is",
    stage.imageUrlScheme !== "https" && !isLocal && "imageUrlScheme: http only on the laptop",
    name === "production" &&
      !(stage.deletionProtection && stage.removalPolicy === "retain") &&
      "production: keeps its data and is protected against deletion",
  ];
  return problems.filter((problem) => typeof problem === "string");
}

const isWhole = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;

/** Whether `mm-dd` is a day of some year. */
function isYearly(endsOn: unknown): boolean {
  const inLeapYear = `2024-${endsOn}`;
  return /^2024-\d\d-\d\d$/.test(inLeapYear) && isoText(Date.parse(inLeapYear) || 0).startsWith(inLeapYear);
}

/** A reminder must not come right after the payment, which also prevents that a term is paid twice. */
function problemsOfTerm(rule: TermRule): (string | false)[] {
  if (rule === "forever") return [];
  const { endsOn, months, remindDays } = rule as {
    readonly endsOn?: unknown;
    readonly months?: unknown;
    readonly remindDays: number;
  };
  const isOne = (endsOn === undefined) !== (months === undefined) && isWhole(remindDays, 90);
  return [
    !(isOne && (isYearly(endsOn) || isWhole(months, 120))) &&
      'membershipTerm: is neither forever, nor { endsOn: "mm-dd", remindDays }, nor { months, remindDays } with 1 to 120 months and 1 to 90 days',
    isWhole(months, 120) &&
      remindDays > Number(months) * 14 &&
      "membershipTerm: remindDays is at most half of the months",
  ];
}

function problemsOfPages(stage: StageConfig, isLocal: boolean): (string | false)[] {
  const { pages, webAppUrl, eventPage, doorPage, linkPage } = stage;
  const fields = { webAppUrl, eventPage, doorPage, linkPage };
  if (pages === "elsewhere") {
    const missing = Object.entries(fields).filter(([, value]) => value === undefined);
    return [
      isLocal && "pages: the laptop serves them",
      ...missing.map(([field]) => `${field}: is missing, and the pages are elsewhere`),
    ];
  }
  const { domainName, certificateArn, laptopUrl } = pages;
  return [
    (webAppUrl === undefined) !== (eventPage === undefined) && "eventPage: is there where webAppUrl is",
    (domainName === undefined) !== (certificateArn === undefined) && "pages: domainName and certificateArn, or neither",
    certificateArn !== undefined &&
      certificateRegion(certificateArn) !== "us-east-1" &&
      // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cnames-and-https-requirements.html
      `pages.certificateArn: "${certificateArn}" is not in us-east-1, where CloudFront reads certificates`,
    domainName !== undefined && domainName === stage.domainName && "pages.domainName: is the API's",
    isLocal !== (laptopUrl !== undefined) && "pages.laptopUrl: is the laptop's, and only there",
    isLocal && domainName !== undefined && "pages.domainName: the laptop has no address of its own",
  ];
}

const tableOf = (streamArn: string): string | undefined =>
  /^arn:aws[\w-]*:dynamodb:[\w-]+:\d{12}:table\/([\w.-]+)\/stream\/[\w.:-]+$/.exec(streamArn)?.[1];

function problemsOfPool({ existing, ...others }: ExistingPool, isLocal: boolean): (string | false)[] {
  const { userPoolId, region } = existing;
  const both = Object.keys(others);
  return [
    isLocal && "identity.existing: the laptop has a pool of its own",
    !userPoolId.startsWith(`${region}_`) && `identity.existing: the pool ${userPoolId} is not in the region ${region}`,
    both.length > 0 &&
      `identity: has an existing pool, and values of a new one (${both.join(", ")}); keep one of the two`,
  ];
}

/** @returns the errors in the stage's values, one sentence each with the field; those of single values first. Empty when it is valid */
export function stageProblems(stage: StageConfig): string[] {
  const problems = problemsOfValues(stage);
  return problems.length > 0 ? problems : problemsOfStage(stage);
}

/** A stage has invalid values; `message` lists them, one per line. */
export class WrongStage extends Error {}

/** @throws WrongStage */
export function validStage(stage: StageConfig): StageConfig {
  const problems = stageProblems(stage);
  if (problems.length > 0) {
    throw new WrongStage(`The stage ${stage.name} in lib/stages.ts is not valid:\n  ${problems.join("\n  ")}`);
  }
  return stage;
}
