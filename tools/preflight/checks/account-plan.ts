/** The plan of the account: the Free plan ends, and its account with it. */
import { isMissingPermission, isNamed } from "../../kit/failures.ts";
import { type Finding, ok, problem, warning } from "../../kit/finding.ts";
import type { Check } from "../check-kit/account.ts";
import type { AccountPlan } from "../check-kit/account-plans.ts";
import { asking } from "../check-kit/asking.ts";

/** https://docs.aws.amazon.com/cli/latest/reference/freetier/index.html */
const upgrade = "aws freetier upgrade-account-plan --account-plan-type PAID --region us-east-1";
const look = 'AWS console, "Billing and Cost Management", names the plan: it must not be the Free plan.';

/**
 * The Free plan ends after six months or with its credits, whichever is first, and AWS closes the account.
 * https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/billing-free-tier.html
 */
function findingOf(plan: AccountPlan, isProduction: boolean): Finding {
  if (plan.accountPlanType === "PAID") return ok("the account has a paid plan.");
  if (plan.accountPlanType !== "FREE") return warning("AWS does not tell the account's plan.", look);
  const end = plan.accountPlanExpirationDate?.slice(0, 10) ?? "six months after it began";
  const { amount, unit = "USD" } = plan.accountPlanRemainingCredits ?? {};
  const credits = amount === undefined ? "" : `, or with its last ${amount} ${unit} of credits`;
  const text = `the account has the Free plan: on ${end}${credits}, AWS closes it, with all data and backups.`;
  return (isProduction ? problem : warning)(text, upgrade);
}

export const accountPlan: Check = {
  name: "account plan",
  isForDeploy: false,
  look: async ({ clients, stage }) => {
    try {
      const plan = await asking("freetier:GetAccountPlanState", clients.plans.state());
      return [findingOf(plan, stage.name === "production")];
    } catch (error) {
      // An account from before the plans.
      if (isNamed(error, "ResourceNotFoundException")) return [ok("the account is older than AWS's plans.")];
      if (isMissingPermission(error)) throw error;
      return [warning("the account's plan cannot be read: the AWS command line is missing or too old.", look)];
    }
  },
};
