/** The action that IAM has refused, in errors of AWS's services. */
import { expect, test } from "@jest/globals";
import { refusedAction } from "#kit/refused-action.ts";

const reason = "because no identity-based policy allows the dynamodb:Query action";
const denied = new Error(
  `User: arn:aws:sts::1:assumed-role/a/b is not authorized to perform: dynamodb:Query on resource: arn:aws:dynamodb:t ${reason}`,
);
/** SES has quotation marks of its own, and names the recipient. */
const deniedMail = new Error(
  "User `arn:aws:sts::1:assumed-role/a/b' is not authorized to perform `ses:SendRawEmail' on resource `arn:aws:ses:identity/ada@student.example'",
);

test.each<[string, unknown, string | undefined]>([
  ["DynamoDB", denied, "dynamodb:Query"],
  ["SES", deniedMail, "ses:SendRawEmail"],
  ["the cause of another error", new Error("not sent", { cause: denied }), "dynamodb:Query"],
  ["one of several errors", new AggregateError([new Error("busy"), denied]), "dynamodb:Query"],
  ["another error", new Error("busy"), undefined],
  ["no error", "busy", undefined],
])("%s", (_name, error, action) => {
  expect(refusedAction(error)).toBe(action);
});
