/** The mails in which Cognito sends a code or a link; on the laptop they go to the mailbox. */
import { html } from "#kit/text/html.ts";
import type { CodeMessage } from "../identity/index.ts";
import type { Template } from "../template/index.ts";
import type { Mailbox } from "./index.ts";

/** The parts of a user pool that its mails are made of. */
interface Declared {
  readonly EmailConfiguration?: { readonly From?: string; readonly ConfigurationSet?: string };
  readonly VerificationMessageTemplate?: {
    readonly EmailSubject?: string;
    readonly EmailMessage?: string;
    readonly EmailSubjectByLink?: string;
    readonly EmailMessageByLink?: string;
  };
}

/** What Cognito sends where a pool has no text of its own. https://github.com/WikiWatershed/monitor-my-watershed/issues/636 */
const defaults = {
  subject: "Your verification code",
  code: "Your verification code is {####}",
  forgotPassword: "Your password reset code is {####}",
  linkSubject: "Your verification link",
  link: "Please click the link below to verify your email address. {##Verify Email##}",
};

/** The words of a page: what is between the tags, without its head and the preview that no program shows. */
const wordsOf = (markup: string): string =>
  markup
    .replaceAll(/<head>.*?<\/head>|<div style="display:none.*?<\/div>|<!DOCTYPE html>/gs, "")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/\n{2,}/g, "\n")
    .trim();

const linkText = /\{##(.+?)##\}/g;

/**
 * Makes the function with which the user pool mails its codes, from the pool's own sender and with its own text. Cognito
 * sends a link only for a sign-up; all other mails have a code.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-settings-message-customizations.html
 */
export function codeSender(template: Template, mailbox: Mailbox): (message: CodeMessage) => Promise<void> {
  const { EmailConfiguration, VerificationMessageTemplate: texts = {} } = template
    .theOnly("AWS::Cognito::UserPool")
    .all() as Declared;
  const from = EmailConfiguration?.From ?? "no-reply@verificationemail.com";
  const sending = {
    from,
    ...(EmailConfiguration?.ConfigurationSet && { configurationSet: EmailConfiguration.ConfigurationSet }),
  };
  return async ({ to, kind, code, link }) => {
    if (link === undefined) {
      const subject = texts.EmailSubject ?? defaults.subject;
      const message = texts.EmailMessage ?? (kind === "forgotPassword" ? defaults.forgotPassword : defaults.code);
      const filled = message.replaceAll("{####}", code);
      mailbox.send({ ...sending, to, subject, text: wordsOf(filled), html: filled });
      return;
    }
    const message = texts.EmailMessageByLink ?? defaults.link;
    mailbox.send({
      ...sending,
      to,
      subject: texts.EmailSubjectByLink ?? defaults.linkSubject,
      text: wordsOf(message).replaceAll(linkText, (_, words: string) => `${words}: ${link}`),
      html: message.replaceAll(linkText, (_, words: string) => html`<a href="${link}">${words}</a>`.source),
    });
  };
}
