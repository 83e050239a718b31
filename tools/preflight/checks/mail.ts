/** SES: the sender's domain, the sandbox, and the sending quotas. */
import {
  type DkimAttributes,
  GetAccountCommand,
  type GetAccountCommandOutput,
  GetEmailIdentityCommand,
  type GetEmailIdentityCommandOutput,
  type MailFromAttributes,
} from "@aws-sdk/client-sesv2";
import { isNamed } from "../../kit/failures.ts";
import { type Finding, ok, problem, warning } from "../../kit/finding.ts";
import type { Account, Check } from "../check-kit/account.ts";
import { asking } from "../check-kit/asking.ts";

/**
 * Mails of an opening night: for each of a thousand people a sign-up code, a mail about the registration and a campaign.
 */
const busyDay = 3_000;

const sandboxFix = 'ask for production access in the SES console, "Account dashboard".';
const stoppedFix = "the SES console names the reason; answer there, or ask AWS Support.";

/**
 * The domain itself must be an identity. SES also accepts a parent domain or a single address, but Cognito and the
 * functions' policies refer to the domain (`lib/identity.ts`, `lib/mail-sender.ts`).
 * https://docs.aws.amazon.com/ses/latest/dg/creating-identities.html
 */
async function identity({ clients, stage, region }: Account): Promise<Finding[]> {
  const domain = stage.mailSender.split("@")[1] ?? "";
  let found: GetEmailIdentityCommandOutput;
  try {
    const request = new GetEmailIdentityCommand({ EmailIdentity: domain });
    found = await asking("ses:GetEmailIdentity", clients.mail.send(request));
  } catch (error) {
    if (!isNamed(error, "NotFoundException")) throw error;
    return [
      problem(
        `SES has no identity ${domain}; the deploy would fail.`,
        `npm run once -- delivery deploy ClubMail-${stage.name}; then this command prints the DNS records.`,
      ),
    ];
  }
  const { MailFromDomain, MailFromDomainStatus } = found.MailFromAttributes ?? {};
  const bounces = MailFromDomain && MailFromDomainStatus !== "SUCCESS" ? [mailFromRecords(MailFromDomain, region)] : [];
  const records = `enter in the DNS ${[dkimRecords(domain, found.DkimAttributes), ...bounces].join(", ")}.`;
  if (found.VerifiedForSendingStatus !== true) {
    return [problem(`SES has not verified ${domain} (${found.VerificationStatus}).`, records)];
  }
  return [
    ok(`SES may send from ${domain}.`),
    signature(domain, found.DkimAttributes, records),
    mailFrom(domain, region, found.MailFromAttributes),
  ];
}

/** https://docs.aws.amazon.com/ses/latest/dg/creating-identities.html */
const dkimRecords = (domain: string, { Tokens = [] }: DkimAttributes = {}): string =>
  Tokens.map((token) => `${token}._domainkey.${domain} CNAME ${token}.dkim.amazonses.com`).join(", ");

/** https://docs.aws.amazon.com/ses/latest/dg/mail-from.html */
const mailFromRecords = (domain: string, region: string): string =>
  `${domain} MX 10 feedback-smtp.${region}.amazonses.com, ${domain} TXT "v=spf1 include:amazonses.com ~all"`;

/** Mail providers require bulk senders to sign with their own domain, which DMARC also uses. */
function signature(domain: string, dkim: DkimAttributes = {}, records: string): Finding {
  if (dkim.SigningEnabled === true && dkim.Status === "SUCCESS") return ok(`SES signs the mails of ${domain} (DKIM).`);
  const state = dkim.SigningEnabled === true ? dkim.Status : "switched off";
  return problem(`the mails of ${domain} are not signed (DKIM: ${state}), so mail providers call them spam.`, records);
}

const mailFromFix = 'docs/deploy.md, "Mail identity", has the command.';

/** Without a custom MAIL FROM domain, SPF is only for amazonses.com, and DMARC relies on DKIM alone. */
function mailFrom(domain: string, region: string, attributes: Partial<MailFromAttributes> = {}): Finding {
  const { MailFromDomain, MailFromDomainStatus: status, BehaviorOnMxFailure } = attributes;
  if (!MailFromDomain) return warning(`${domain} has no MAIL FROM domain, so SPF is not the club's.`, mailFromFix);
  if (status === "SUCCESS") return ok(`the MAIL FROM domain is ${MailFromDomain}.`);
  const text = `SES does not find the records of the MAIL FROM domain ${MailFromDomain} (${status})`;
  const records = `enter in the DNS ${mailFromRecords(MailFromDomain, region)}.`;
  return BehaviorOnMxFailure === "REJECT_MESSAGE"
    ? problem(`${text}, and sends no mail without them.`, records)
    : warning(`${text}, so SPF is not the club's.`, records);
}

/** Whether sending is enabled, and outside the sandbox. */
function standing(account: Account, answer: GetAccountCommandOutput): Finding[] {
  if (answer.SendingEnabled === false || answer.EnforcementStatus === "SHUTDOWN") {
    return [problem(`SES has stopped all mails of this account (${answer.EnforcementStatus}).`, stoppedFix)];
  }
  const probation =
    answer.EnforcementStatus === "PROBATION"
      ? [warning("SES reviews this account (PROBATION) and may stop its mails.", stoppedFix)]
      : [];
  if (answer.ProductionAccessEnabled === true) return [...probation, ok("SES sends to all people.")];
  const level = account.stage.name === "production" ? problem : warning;
  const text = "the account is in the sandbox of SES: mails reach only verified addresses.";
  // https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ReviewDetails.html
  const { Status, CaseId = "" } = answer.Details?.ReviewDetails ?? {};
  if (Status === "PENDING") return [...probation, level(text, `wait: AWS decides about the request (case ${CaseId}).`)];
  if (Status === "DENIED") {
    return [...probation, level(text, `AWS has refused the request: answer case ${CaseId} in the Support console.`)];
  }
  return [...probation, level(text, sandboxFix)];
}

/** Whether the quotas suffice for campaigns and for urgent mails. */
function quotas(account: Account, answer: GetAccountCommandOutput): Finding[] {
  const { MaxSendRate: rate = 0, Max24HourSend: aDay = 0, SentLast24Hours: sent = 0 } = answer.SendQuota ?? {};
  const wanted = account.stage.campaigns.mailsPerSecond;
  const isOutside = answer.ProductionAccessEnabled === true;
  const fix = "lower campaigns.mailsPerSecond in lib/stages.ts, or ask Service Quotas (SES, sending rate) for more.";
  const findings: Finding[] = [];
  if (rate < wanted) {
    findings.push(problem(`the sending rate is ${rate} a second; campaigns alone send ${wanted}.`, fix));
  } else if (rate === wanted && isOutside) {
    const text = `the sending rate is ${rate} a second and campaigns use all of it: tickets and sign-up codes wait.`;
    findings.push(warning(text, fix));
  } else {
    findings.push(ok(`the sending rate is ${rate} a second; campaigns use ${wanted}.`));
  }
  // -1 means unlimited. In the sandbox the quota is a minor problem.
  if (!isOutside || aDay === -1) return findings;
  const left = aDay - sent;
  const dayFix = "ask Service Quotas (SES, sending quota) for more.";
  if (left <= 0) findings.push(problem(`the ${aDay} mails of 24 hours are used up.`, dayFix));
  else if (left < busyDay) findings.push(warning(`${left} of ${aDay} mails are left for 24 hours.`, dayFix));
  else findings.push(ok(`${left} of ${aDay} mails are left for 24 hours.`));
  return findings;
}

export const mail: Check = {
  name: "mail",
  isForDeploy: false,
  look: async (account) => {
    const answer = await asking("ses:GetAccount", account.clients.mail.send(new GetAccountCommand({})));
    return [...standing(account, answer), ...quotas(account, answer)];
  },
};

/** Separate from `mail`, because each needs its own permission. */
export const mailSender: Check = { name: "mail sender", isForDeploy: false, look: identity };
