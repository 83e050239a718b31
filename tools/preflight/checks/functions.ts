/** The limit of concurrent functions. */
import { GetAccountSettingsCommand } from "@aws-sdk/client-lambda";
import { ok, problem, warning } from "../../kit/finding.ts";
import type { Check } from "../check-kit/account.ts";
import { asking } from "../check-kit/asking.ts";

/** A new account starts with ten. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const least = 100;
const recommended = 1_000;
/**
 * AWS reserves no concurrency for a function when fewer than 100 would remain for the others. A throttle of the gateway,
 * which does not apply to routes with one of their own, leaves room for the webhook and the relay instead.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
const meanwhile =
  "One caller's loop takes them all, also the payment webhook's and the relay's. Until AWS grants more, " +
  "`throttle: { rate: 20, burst: 5 }` in lib/stages.ts leaves these two their part.";

export const functions: Check = {
  name: "functions",
  isForDeploy: false,
  look: async ({ clients, stage }) => {
    const request = clients.functions.send(new GetAccountSettingsCommand({}));
    const { AccountLimit } = await asking("lambda:GetAccountSettings", request);
    // Other applications of the account may have reserved concurrency.
    const { ConcurrentExecutions: total = 0, UnreservedConcurrentExecutions: free = total } = AccountLimit ?? {};
    if (free >= recommended) return [ok(`${free} functions may run at once.`)];
    const few = `${free} functions may run at once; a rush needs ${recommended}.`;
    const text = free < least ? `${few} ${meanwhile}` : few;
    const wanted = recommended + total - free;
    const fix = `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${wanted}`;
    const level = stage.name === "production" && free < least ? problem : warning;
    return [level(text, fix)];
  },
};
