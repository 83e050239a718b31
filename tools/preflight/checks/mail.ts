/** SES: the sender's domain, the sandbox, and the sending quotas. */
import {
  type DkimAttributes,
  GetAccountCommand,
  type GetAccountCommandOutput,
  GetEmailIdentityCommand,
  type GetEmailIdentityCommandOutput,
  type MailFromAttributes,
} from "@aws-sdk/client-sesv2";
import type { StageConfig } from "../../../lib/stages.ts";
import { isNamed } from "../../kit/failures.ts";
import { type Finding, ok, problem, warning } from "../../kit/finding.ts";
import type { Account, Check } from "../account.ts";
import { asking } from "../asking.ts";
import { mailsADay, mailsASecond, more } from "../mends/quota.ts";

/**
 * Mails of an opening night: for each of a thousand people a sign-up code, a mail about the registration and a campaign.
 */
const busyDay = 3_000;

const stoppedMend = "the SES console names the reason; answer there, or ask AWS Support.";
const sandboxMend = 'ask for production access: SES console, "Account dashboard".';

/**
 * The domain itself must be an identity. SES also accepts a parent domain or a single address, but Cognito and the
 * functions' policies refer to the domain (`lib/identity.ts`, `lib/mail-sender.ts`).
 * https://docs.aws.amazon.com/ses/latest/dg/creating-identities.html
 */
async function identity({ clients, stage }: Account): Promise<Finding[]> {
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
        `aws sesv2 create-email-identity --email-identity ${domain}, then its DKIM records in the DNS.`,
      ),
    ];
  }
  const records = `enter the three DKIM records in the DNS; aws sesv2 get-email-identity --email-identity ${domain} prints them.`;
  if (found.VerifiedForSendingStatus !== true) {
    return [problem(`SES has not verified ${domain} (${found.VerificationStatus}).`, records)];
  }
  return [
    ok(`SES may send from ${domain}.`),
    signature(domain, found.DkimAttributes, records),
    mailFrom(domain, found.MailFromAttributes),
  ];
}

/** Mail providers require bulk senders to sign with their own domain, which DMARC also uses. */
function signature(domain: string, dkim: DkimAttributes = {}, records: string): Finding {
  if (dkim.SigningEnabled === true && dkim.Status === "SUCCESS") return ok(`SES signs the mails of ${domain} (DKIM).`);
  const state = dkim.SigningEnabled === true ? dkim.Status : "switched off";
  return problem(`the mails of ${domain} are not signed (DKIM: ${state}), so mail providers call them spam.`, records);
}

const mailFromMend = 'docs/deploy.md, "Mail identity", has the command and the DNS records.';

/** Without a custom MAIL FROM domain, SPF is only for amazonses.com, and DMARC relies on DKIM alone. */
function mailFrom(domain: string, attributes: Partial<MailFromAttributes> = {}): Finding {
  const { MailFromDomain, MailFromDomainStatus: status, BehaviorOnMxFailure } = attributes;
  if (!MailFromDomain) return warning(`${domain} has no MAIL FROM domain, so SPF is not the club's.`, mailFromMend);
  if (status === "SUCCESS") return ok(`the MAIL FROM domain is ${MailFromDomain}.`);
  const text = `SES does not find the records of the MAIL FROM domain ${MailFromDomain} (${status})`;
  return BehaviorOnMxFailure === "REJECT_MESSAGE"
    ? problem(`${text}, and sends no mail without them.`, mailFromMend)
    : warning(`${text}, so SPF is not the club's.`, mailFromMend);
}

/** Whether sending is enabled, and outside the sandbox. */
function standing(stage: StageConfig, answer: GetAccountCommandOutput): Finding[] {
  if (answer.SendingEnabled === false || answer.EnforcementStatus === "SHUTDOWN") {
    return [problem(`SES has stopped all mails of this account (${answer.EnforcementStatus}).`, stoppedMend)];
  }
  const probation =
    answer.EnforcementStatus === "PROBATION"
      ? [warning("SES reviews this account (PROBATION) and may stop its mails.", stoppedMend)]
      : [];
  if (answer.ProductionAccessEnabled === true) return [...probation, ok("SES sends to all people.")];
  const text = "the account is in the sandbox of SES: mails reach only verified addresses.";
  return [...probation, stage.name === "production" ? problem(text, sandboxMend) : warning(text, sandboxMend)];
}

/** Whether the quotas suffice for campaigns and for urgent mails. */
function quotas(account: Account, answer: GetAccountCommandOutput): Finding[] {
  const { MaxSendRate: rate = 0, Max24HourSend: aDay = 0, SentLast24Hours: sent = 0 } = answer.SendQuota ?? {};
  const wanted = account.stage.campaigns.mailsPerSecond;
  const isOutside = answer.ProductionAccessEnabled === true;
  const fix = "lower campaigns.mailsPerSecond in lib/stages.ts, or ask Service Quotas (SES, sending rate) for more.";
  // Half of it is for tickets and sign-up codes. In the sandbox production access comes first, in the club's words.
  const mend = isOutside ? more(account, mailsASecond, 2 * wanted) : undefined;
  const findings: Finding[] = [];
  if (rate < wanted) {
    findings.push(problem(`the sending rate is ${rate} a second; campaigns alone send ${wanted}.`, fix, mend));
  } else if (rate === wanted && isOutside) {
    const text = `the sending rate is ${rate} a second and campaigns use all of it: tickets and sign-up codes wait.`;
    findings.push(warning(text, fix, mend));
  } else {
    findings.push(ok(`the sending rate is ${rate} a second; campaigns use ${wanted}.`));
  }
  // -1 means unlimited. In the sandbox the quota is a minor problem.
  if (!isOutside || aDay === -1) return findings;
  const left = aDay - sent;
  const dayFix = "ask Service Quotas (SES, sending quota) for more.";
  const dayMend = more(account, mailsADay, aDay + busyDay);
  if (left <= 0) findings.push(problem(`the ${aDay} mails of 24 hours are used up.`, dayFix, dayMend));
  else if (left < busyDay) findings.push(warning(`${left} of ${aDay} mails are left for 24 hours.`, dayFix, dayMend));
  else findings.push(ok(`${left} of ${aDay} mails are left for 24 hours.`));
  return findings;
}

export const mail: Check = {
  name: "mail",
  isForDeploy: false,
  look: async (account) => {
    const { clients, stage } = account;
    const answer = await asking("ses:GetAccount", clients.mail.send(new GetAccountCommand({})));
    return [...standing(stage, answer), ...quotas(account, answer)];
  },
};

/** Separate from `mail`, because each needs its own permission. */
export const mailSender: Check = { name: "mail sender", isForDeploy: false, look: identity };
