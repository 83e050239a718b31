/** The mails of the local user pool: the texts of the template, with the code or the link in their place. */
import { expect, test } from "@jest/globals";
import { codeSender } from "../mailbox/code-mail.ts";
import type { Mailbox, PlainMail } from "../mailbox/index.ts";
import { Template } from "../template/index.ts";

const place = { region: "us-west-2", accountId: "000000000000", stackName: "Local" };
const to = "ada@student.example";
const link = "http://127.0.0.1:4001/confirmUser/?client_id=c&user_name=u&confirmation_code=123456";

/** What the pool with these properties mails. */
async function mailed(properties: object, message: object): Promise<PlainMail | undefined> {
  const mails: PlainMail[] = [];
  const mailbox = { send: (mail: PlainMail) => void mails.push(mail) } as unknown as Mailbox;
  const document = { Resources: { Pool: { Type: "AWS::Cognito::UserPool", Properties: properties } } };
  await codeSender(new Template(document, place), mailbox)({ to, kind: "signUp", code: "123456", ...message });
  return mails[0];
}

const byCode = {
  EmailConfiguration: { From: "Club <events@club.example>" },
  VerificationMessageTemplate: { EmailSubject: "Your code", EmailMessage: "<b>{####}</b>, again {####}." },
};
const byLink = {
  VerificationMessageTemplate: { EmailSubjectByLink: "Your link", EmailMessageByLink: "Please {##confirm here##}." },
};
const text = "Your verification code is 123456";

test.each<[string, object, object, object]>([
  [
    "the pool's sender and text",
    byCode,
    { kind: "forgotPassword" },
    {
      from: "Club <events@club.example>",
      to,
      subject: "Your code",
      text: "123456, again 123456.",
      html: "<b>123456</b>, again 123456.",
    },
  ],
  [
    "a link in the markup, and an address in the text",
    byLink,
    { link },
    {
      from: "no-reply@verificationemail.com",
      to,
      subject: "Your link",
      text: `Please confirm here: ${link}.`,
      html: `Please <a href="${link.replaceAll("&", "&amp;")}">confirm here</a>.`,
    },
  ],
  [
    "Cognito's text about a password",
    byLink,
    { kind: "forgotPassword" },
    { text: "Your password reset code is 123456" },
  ],
  ["Cognito's text about a sign-up", {}, {}, { subject: "Your verification code", text }],
])("a mail has %s", async (_, properties, message, mail) => {
  expect(await mailed(properties, message)).toMatchObject(mail);
});
