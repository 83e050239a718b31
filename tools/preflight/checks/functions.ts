/** How many functions may run at once. */
import { GetAccountSettingsCommand } from "@aws-sdk/client-lambda";
import { ok, problem, warning } from "../../kit/finding.ts";
import type { Check } from "../account.ts";
import { asking } from "../asking.ts";

/** A new account begins with ten. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const least = 100;
const recommended = 1_000;

/** The number of this quota, "Concurrent executions". */
const quota = "L-B99A9384";

export const functions: Check = {
  name: "functions",
  look: async ({ clients, stage }) => {
    const request = clients.functions.send(new GetAccountSettingsCommand({}));
    const { AccountLimit } = await asking("lambda:GetAccountSettings", request);
    // Other applications of the account may have reserved a part for their own functions.
    const { ConcurrentExecutions: total = 0, UnreservedConcurrentExecutions: free = total } = AccountLimit ?? {};
    if (free >= recommended) return [ok(`${free} functions may run at once.`)];
    const text = `${free} functions may run at once; a rush needs ${recommended}.`;
    const mend = `aws service-quotas request-service-quota-increase --service-code lambda --quota-code ${quota} --desired-value ${recommended + total - free}`;
    return [stage.name === "production" && free < least ? problem(text, mend) : warning(text, mend)];
  },
};
