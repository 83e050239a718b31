/** The mails in which Cognito sends a code; on the laptop they go to the mailbox. */
import type { CodeMessage } from "../identity/index.ts";
import type { Template } from "../template/index.ts";
import type { Mailbox } from "./index.ts";

const subjects: Readonly<Record<CodeMessage["kind"], string>> = {
  signUp: "Your verification code",
  forgotPassword: "Your password reset code",
  attribute: "Your verification code for a new address",
};

/** Makes the function with which the user pool mails its codes, from the pool's own sender. */
export function codeSender(template: Template, mailbox: Mailbox): (message: CodeMessage) => Promise<void> {
  const { EmailConfiguration } = template.theOnly("AWS::Cognito::UserPool").all();
  const { From = "no-reply@verificationemail.com" } = (EmailConfiguration ?? {}) as { From?: string };
  return async ({ to, kind, code }) => {
    mailbox.send({ from: From, to, subject: subjects[kind], text: `Your code is ${code}` });
  };
}
