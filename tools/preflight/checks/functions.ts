/** The limit of concurrent functions. */
import { GetAccountSettingsCommand } from "@aws-sdk/client-lambda";
import { ok, problem, warning } from "../../kit/finding.ts";
import type { Check } from "../check-kit/account.ts";
import { asking } from "../check-kit/asking.ts";

/** A new account starts with ten. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const least = 100;
const recommended = 1_000;

export const functions: Check = {
  name: "functions",
  isForDeploy: false,
  look: async ({ clients, stage }) => {
    const request = clients.functions.send(new GetAccountSettingsCommand({}));
    const { AccountLimit } = await asking("lambda:GetAccountSettings", request);
    // Other applications of the account may have reserved concurrency.
    const { ConcurrentExecutions: total = 0, UnreservedConcurrentExecutions: free = total } = AccountLimit ?? {};
    if (free >= recommended) return [ok(`${free} functions may run at once.`)];
    const text = `${free} functions may run at once; a rush needs ${recommended}.`;
    const wanted = recommended + total - free;
    const fix = `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${wanted}`;
    const level = stage.name === "production" && free < least ? problem : warning;
    return [level(text, fix)];
  },
};
