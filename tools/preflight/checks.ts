/** All checks, in the order of their lines. */

import type { Account, Check } from "./check-kit/account.ts";
import { failure } from "./check-kit/asking.ts";
import type { Result } from "./check-kit/report.ts";
import { accountPlan } from "./checks/account-plan.ts";
import { alarms } from "./checks/alarms.ts";
import { apiAddress } from "./checks/api-address.ts";
import { earlierTable } from "./checks/earlier-table.ts";
import { functions } from "./checks/functions.ts";
import { mail, mailSender } from "./checks/mail.ts";
import { publicImages } from "./checks/public-images.ts";
import { chatSecret, paymentsSecret } from "./checks/secrets.ts";
import { userPool } from "./checks/user-pool.ts";

const checks: readonly Check[] = [
  accountPlan,
  earlierTable,
  mailSender,
  mail,
  functions,
  apiAddress,
  publicImages,
  userPool,
  chatSecret,
  paymentsSecret,
  alarms,
];

/** Runs a check. A failed call is a finding, so that the other checks continue. */
export async function results({ name, isForDeploy, look }: Check, account: Account): Promise<Result[]> {
  const findings = await look(account).catch((error: unknown) => [failure(error, account.region)]);
  return findings.map((finding) => ({ check: name, isForDeploy, ...finding }));
}

/** Runs all checks in parallel. */
export const allResults = async (account: Account): Promise<Result[]> =>
  (await Promise.all(checks.map((check) => results(check, account)))).flat();
