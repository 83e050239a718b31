/** Mails to a mailbox before and when a month costs more than it may. */
import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import type { Construct } from "constructs";

export interface BudgetProps {
  /** In USD. */
  readonly amount: number;
  readonly email: string;
}

/**
 * Makes a budget of the whole account. A budget of the stack alone needs a tag that a person has activated for costs;
 * without that it would count nothing, and say nothing.
 * https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/activating-tags.html
 *
 * It has no name of its own: a change of its notifications replaces it.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-budgets-budget.html
 */
export const addBudget = (scope: Construct, id: string, { amount, email }: BudgetProps): CfnBudget =>
  new CfnBudget(scope, id, {
    budget: {
      budgetType: "COST",
      timeUnit: "MONTHLY",
      budgetLimit: { amount, unit: "USD" },
      // Both are included by default. While credits pay, the budget would count nothing.
      // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-budgets-budget-costtypes.html
      costTypes: { includeCredit: false, includeRefund: false },
    },
    notificationsWithSubscribers: [
      { notificationType: "ACTUAL", threshold: 50 },
      { notificationType: "ACTUAL", threshold: 100 },
      { notificationType: "FORECASTED", threshold: 100 },
    ].map((notification) => ({
      notification: { ...notification, comparisonOperator: "GREATER_THAN", thresholdType: "PERCENTAGE" },
      subscribers: [{ subscriptionType: "EMAIL", address: email }],
    })),
  });
