/** The sender of the mails that Cognito sends itself. */
import { expect, test } from "@jest/globals";
import { Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { UserPool, UserPoolEmail } from "aws-cdk-lib/aws-cognito";
import { simpleParser } from "mailparser";
import { quotedName } from "../../lib/mail-sender.ts";
import { usualNames } from "../unit/golden/notices.ts";

const address = "events@club.example";

function fromOf(fromName: string): string {
  const stack = new Stack(undefined, "Names", { env: { region: "us-west-2" } });
  new UserPool(stack, "Pool", { email: UserPoolEmail.withSES({ fromEmail: address, fromName }) });
  const [pool] = Object.values(Template.fromStack(stack).findResources("AWS::Cognito::UserPool"));
  return pool?.Properties.EmailConfiguration.From;
}

test.each(usualNames)("%j stays a name in the mails of the user pool", async (name) => {
  const { from } = await simpleParser(`From: ${fromOf(quotedName(name))}\r\n\r\n`);
  expect(from?.value).toEqual([{ name, address }]);
});

test("a name with a comma would have it without quotes in the mails of the user pool, if it did not come in quotes", () => {
  expect(fromOf("Club, Events.")).toBe(`Club, Events. <${address}>`);
  expect(fromOf(quotedName("Club, Events."))).toBe(`"Club, Events." <${address}>`);
});
