/** The rules for the values of a stage. They are checked before the stack is synthesized. */

import { isChargeable, minimumChargeText } from "#domain/events/minimum-charges.ts";
import { pricedFields } from "#domain/payments/checkout/membership-price.ts";
import type { RefundMode } from "#domain/payments/refunds/refund-rules.ts";
import { oneLine } from "#kit/text/text.ts";
import type { ExistingPool, NewPool, RestoredTable, StageConfig } from "./stages.ts";

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);
const domain = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;
const email = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@([^@]+)$/;

/** Why this URL is invalid, as the end of a sentence; undefined when it is valid. */
const addressProblem = (stage: StageConfig, address: string): string | undefined => {
  if (!URL.canParse(address)) return "is not an absolute URL";
  const { protocol, hostname } = new URL(address);
  if (loopback.has(hostname)) return stage.name === "production" ? "is a laptop's address" : undefined;
  // URL accepts a wildcard as a host name.
  if (hostname.includes("*")) return "contains a wildcard";
  return protocol === "https:" || stage.name === "local" ? undefined : "is not https";
};

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).format(0) !== "";
  } catch {
    return false; // RangeError: not a zone that this runtime knows
  }
};

const isSecretName = (name: string): boolean => /^[\w/+=.@-]{1,512}$/.test(name);
/** The prefix of the names of a stage's secrets. The policies in docs/deploy.md restrict credentials to one stage. */
const secretPrefix = ({ name }: StageConfig): string => `club-events/${name}/`;
/** A key of the payment provider is also a valid name of a secret. */
const looksLikeCredential = /^(sk|rk|pk|whsec)_/;

/**
 * Whether this is a valid sender's name for mails. In a header it is one encoded word, limited to 75 characters (RFC 2047):
 * 45 bytes in base64.
 */
const isSenderName = (name: string): boolean =>
  name !== "" && name === oneLine(name) && !name.includes("=?") && Buffer.byteLength(name) <= 45;

/**
 * Whether the path identifies one page per event: without characters that have to be encoded, and without other
 * placeholders.
 */
const isEventPage = (path: string): boolean =>
  /^\/(?!\/)[\w.~!$&'()*+,;=:@%/?#-]*$/.test(path.replace("{id}", "id").replace("{year}", "1")) &&
  path.includes("{id}") &&
  path.includes("{year}");

const refundModes: readonly string[] = ["automatic", "by hand"] satisfies RefundMode[];

const currencies = new Set(Intl.supportedValuesOf("currency"));
/**
 * What the payment provider takes in whole units, whatever is usual in shops. Amounts in ISK and UGX have two decimals
 * there, which have to be 00. HUF and TWD are whole in payouts only.
 * https://docs.stripe.com/currencies#zero-decimal (as of 2026-09)
 */
const withoutCents = new Set("BIF CLP DJF GNF ISK JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF".split(" "));
/** By ISO 4217. The provider took them in thousandths when it last listed them, in 2022. */
const withThousandths = new Set(["BHD", "JOD", "KWD", "OMR", "TND"]);

const isPositive = (value: number): boolean => Number.isInteger(value) && value > 0;

function newPoolProblems(
  stage: StageConfig,
  { callbackUrls, logoutUrls, domainPrefix, passwordInPlain, verification }: NewPool,
): string[] {
  const problems: string[] = [];
  for (const [field, urls] of Object.entries({ callbackUrls, logoutUrls })) {
    for (const url of urls) {
      const problem = addressProblem(stage, url);
      if (problem !== undefined) problems.push(`identity.${field}: "${url}" ${problem}`);
    }
  }
  if (callbackUrls.length === 0) problems.push("identity.callbackUrls: names no address");
  if (!/^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$/.test(domainPrefix) || /aws|amazon|cognito/.test(domainPrefix)) {
    problems.push("identity.domainPrefix: not accepted by the identity service");
  }
  if (passwordInPlain && stage.name !== "local") problems.push("identity.passwordInPlain: only on the laptop");
  if (verification !== "code" && verification !== "link") {
    problems.push(`identity.verification: "${verification}" is neither code nor link`);
  }
  return problems;
}

/**
 * The patterns of Cognito's API.
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_DescribeUserPoolClient.html
 */
function existingPoolProblems(stage: StageConfig, { existing, ...others }: ExistingPool): string[] {
  const problems: string[] = [];
  const { userPoolId, clientId, region } = existing;
  const isRegion = /^[a-z]{2}(-[a-z]+)+-\d$/.test(region);
  const isPoolId = userPoolId.length <= 55 && /^[\w-]+_[0-9a-zA-Z]+$/.test(userPoolId);
  if (stage.name === "local") problems.push("identity.existing: the laptop has a pool of its own");
  if (!isPoolId) problems.push(`identity.existing.userPoolId: "${userPoolId}" is no id of a user pool`);
  if (!isRegion) problems.push(`identity.existing.region: "${region}" is no region`);
  if (isPoolId && isRegion && !userPoolId.startsWith(`${region}_`)) {
    problems.push(`identity.existing: the pool ${userPoolId} is not in the region ${region}`);
  }
  if (!/^[\w+]{1,128}$/.test(clientId)) {
    problems.push(`identity.existing.clientId: "${clientId}" is no id of a pool's client`);
  }
  const both = Object.keys(others);
  if (both.length > 0) {
    problems.push(`identity: has an existing pool, and values of a new one (${both.join(", ")}); keep one of the two`);
  }
  return problems;
}

/**
 * The name has at least three characters, and the stream belongs to the table.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
 */
function restoredTableProblems({ tableName, streamArn }: RestoredTable): string[] {
  if (!/^[\w.-]{3,255}$/.test(tableName)) return [`restoredTable.tableName: "${tableName}" is no name of a table`];
  const [, table] = /^arn:aws[\w-]*:dynamodb:[\w-]+:\d{12}:table\/([\w.-]+)\/stream\/[\w.:-]+$/.exec(streamArn) ?? [];
  return table === tableName ? [] : [`restoredTable.streamArn: "${streamArn}" is no stream of the table ${tableName}`];
}

/** https://docs.aws.amazon.com/acm/latest/APIReference/API_CertificateDetail.html */
export const certificateRegion = (arn: string): string | undefined =>
  /^arn:aws[\w-]*:acm:([a-z]{2}(?:-[a-z]+)+-\d):\d{12}:certificate\/[\w-]+$/.exec(arn)?.[1];

/** The custom domain: a name and its certificate, or neither. */
function apiDomainProblems({ name, domainName, certificateArn }: StageConfig): string[] {
  if (domainName === undefined && certificateArn === undefined) return [];
  if (name === "local") return ["domainName: the laptop has no address of its own"];
  const problems: string[] = [];
  if (domainName === undefined) problems.push("certificateArn: there is no domainName for it");
  else if (!domain.test(domainName)) problems.push(`domainName: "${domainName}" is no lower-case host name`);
  // A host below AWS's domains cannot be a custom domain.
  else if (/\.(?:amazonaws|amazoncognito)\.com$/.test(domainName)) {
    problems.push(`domainName: "${domainName}" belongs to AWS`);
  }
  if (certificateArn === undefined) problems.push("domainName: there is no certificateArn for it");
  else if (certificateRegion(certificateArn) === undefined) {
    problems.push(`certificateArn: "${certificateArn}" is no ARN of a certificate in AWS Certificate Manager`);
  }
  return problems;
}

/** @returns all errors in the stage's values, one sentence each; empty when it is valid */
export function stageProblems(stage: StageConfig): string[] {
  const problems: string[] = [];
  const require = (holds: boolean, problem: string) => {
    if (!holds) problems.push(problem);
  };
  const requireAddress = (field: string, address: string) => {
    const problem = addressProblem(stage, address);
    require(problem === undefined, `${field}: "${address}" ${problem}`);
  };

  require(stage.allowedOrigins.length > 0, "allowedOrigins: names no origin");
  for (const origin of stage.allowedOrigins) {
    requireAddress("allowedOrigins", origin);
    // Browsers send origins without path or slash. Other strings would never match.
    require(!URL.canParse(origin) ||
      new URL(origin).origin === origin, `allowedOrigins: "${origin}" is no bare origin`);
  }
  requireAddress("webAppUrl", stage.webAppUrl);
  requireAddress("doorPage", stage.doorPage);
  requireAddress("linkPage", stage.linkPage);
  require(isEventPage(
    stage.eventPage,
  ), `eventPage: "${stage.eventPage}" is no path that begins with one "/" and has {id} and {year} once each`);
  const { answersKeptDays = 30, seeDietAndPhone = [], partnerSeats = 0 } = stage;
  require(Number.isInteger(partnerSeats) && partnerSeats >= 0, "partnerSeats: is a whole number, 0 or more");
  require(Number.isInteger(answersKeptDays) && answersKeptDays >= 30, "answersKeptDays: are whole days, 30 or more");
  for (const admin of seeDietAndPhone) {
    require(email.test(admin) &&
      admin === admin.toLowerCase(), `seeDietAndPhone: "${admin}" is no email in small letters`);
  }
  const { identity } = stage;
  problems.push(...(identity.existing ? existingPoolProblems(stage, identity) : newPoolProblems(stage, identity)));
  problems.push(...apiDomainProblems(stage));

  if (stage.restoredTable) problems.push(...restoredTableProblems(stage.restoredTable));

  require(stage.adminEmailDomain === "" ||
    domain.test(
      stage.adminEmailDomain,
    ), `adminEmailDomain: "${stage.adminEmailDomain}" is no lower-case domain (empty = the stage has no admins)`);
  require(isSenderName(stage.senderName), `senderName: "${stage.senderName}" is no line of 1 to 45 bytes without "=?"`);
  require(domain.test(
    email.exec(stage.mailSender)?.[1] ?? "",
  ), `mailSender: "${stage.mailSender}" is no email address`);
  const { mailsPerSecond, unsubscribeAddress } = stage.campaigns;
  require(isPositive(mailsPerSecond) &&
    mailsPerSecond <= 1_000, "campaigns.mailsPerSecond: a whole number from 1 to 1,000");
  require(domain.test(
    email.exec(unsubscribeAddress)?.[1] ?? "",
  ), `campaigns.unsubscribeAddress: "${unsubscribeAddress}" is no email address`);
  const { chatWebhookSecret = "absent", paymentsSecret } = stage;
  // With the URL itself, every reader of this repository could post to the chat.
  require(isSecretName(chatWebhookSecret), `chatWebhookSecret: "${chatWebhookSecret}" is not the name of a secret`);
  // The message does not contain the value, because it may be the key itself.
  require(isSecretName(paymentsSecret) &&
    !looksLikeCredential.test(paymentsSecret), "paymentsSecret: is no name of a secret");
  const secrets = {
    chatWebhookSecret: stage.chatWebhookSecret,
    paymentsSecret,
    "identity.googleSecretName": identity.existing ? undefined : identity.googleSecretName,
  };
  for (const [field, name] of Object.entries(secrets)) {
    require(name === undefined ||
      name.startsWith(
        secretPrefix(stage),
      ), `${field}: must begin with "${secretPrefix(stage)}", because each stage's credentials read only what begins so`);
  }
  require(isTimeZone(stage.timeZone), `timeZone: "${stage.timeZone}" is no IANA time zone`);
  const { currency } = stage;
  require(currencies.has(currency), `currency: "${currency}" is no ISO 4217 code`);
  // Prices have two decimals, and the provider takes amounts in the currency's smallest unit.
  require(!withoutCents.has(currency), `currency: ${currency} has no cents, and prices are in cents`);
  require(!withThousandths.has(currency), `currency: ${currency} has three decimals, and prices have two`);
  const fields = Object.entries(stage.membershipPrices ?? {});
  const prices = fields.flatMap(([field, byValue]) =>
    Object.entries(byValue).map(([value, price]) => [`membershipPrices.${field}.${value}`, price] as const),
  );
  for (const [field] of fields) {
    require((pricedFields as readonly string[]).includes(
      field,
    ), `membershipPrices: "${field}" is not one of ${pricedFields.join(", ")}`);
  }
  for (const [name, price] of [["membershipPrice", stage.membershipPrice] as const, ...prices]) {
    require(isPositive(price), `${name}: whole cents above 0`);
    require(!isPositive(price) || isChargeable(price, stage.currency), `${name}: ${minimumChargeText(stage.currency)}`);
  }

  require(refundModes.includes(stage.refunds), `refunds: "${stage.refunds}" is neither automatic nor by hand`);

  const { newRegistration, promotion, acceptance } = stage.holds;
  require([newRegistration, promotion, acceptance].every(isPositive), "holds: whole milliseconds above 0");
  // https://docs.stripe.com/api/checkout/sessions/create, "expires_at"
  require(newRegistration >=
    30 *
      60_000, "holds.newRegistration: at least 30 minutes, because a payment session of the provider lives at least 30 minutes");
  require(newRegistration <= promotion && promotion <= acceptance, "holds: newRegistration <= promotion <= acceptance");
  require(acceptance <= 30 * 24 * 3_600_000, "holds.acceptance: at most 30 days");

  const { perHour, perHourAndDomain, openDomains } = stage.signUps;
  require([perHour, perHourAndDomain].every(isPositive), "signUps: whole numbers above 0");
  require(perHourAndDomain <= perHour, "signUps: perHourAndDomain <= perHour");
  // SES's quota of a day outside of its sandbox is 50,000 at first (AWS Messaging Blog, "All about SES daily quota").
  require(perHour <= 2_000, "signUps.perHour: at most 2,000, because 24 such hours use up SES's quota of a day");
  for (const name of openDomains) require(domain.test(name), `signUps.openDomains: "${name}" is no lower-case domain`);

  require(stage.throttle.rate >=
    1_000, "throttle.rate: at least 1,000 a second, all people register in the same minutes");
  require(stage.throttle.burst >= 2_000, "throttle.burst: at least 2,000");
  for (const [kind, { rate, burst }] of Object.entries(stage.routeThrottle)) {
    require([rate, burst].every(isPositive), `routeThrottle.${kind}: whole numbers above 0`);
    require(rate <= stage.throttle.rate &&
      burst <= stage.throttle.burst, `routeThrottle.${kind}: at most that of the whole API`);
  }
  const { reads, writes } = stage.tableThroughput;
  require([reads, writes].every(isPositive), "tableThroughput: whole numbers above 0");
  require(reads >= 6_000 &&
    writes >= 3_500, "tableThroughput: at least 6,000 reads and 3,500 writes, as many as one rush needs");
  const { alarmEmail, monthlyBudget, repository } = stage;
  require(stage.name === "local" ||
    alarmEmail !== undefined, "alarmEmail: names no mailbox, so alarms would reach no person");
  require(alarmEmail === undefined ||
    domain.test(email.exec(alarmEmail)?.[1] ?? ""), `alarmEmail: "${alarmEmail}" is no email address`);
  require(alarmEmail === undefined
    ? monthlyBudget === undefined
    : monthlyBudget !== undefined && isPositive(monthlyBudget), "monthlyBudget: whole USD above 0 where alarmEmail is");
  require(alarmEmail === undefined
    ? repository === undefined
    : /^https:\/\/[\w.-]+(?:\/[\w.-]+)+$/.test(
        repository ?? "",
      ), `repository: "${repository}" is no https address of a repository, where alarmEmail is`);
  require(stage.imageUrlScheme === "https" || stage.name === "local", "imageUrlScheme: http only on the laptop");
  require(stage.name !== "production" ||
    (stage.deletionProtection &&
      stage.removalPolicy === "retain"), "production: keeps its data and is protected against deletion");
  return problems;
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
