/** The mails: a list, a page for each as its recipient sees it, and its attachments to download. */
import { type Html, html } from "#kit/text/html.ts";
import type { GatewayResponse } from "../http-api/response.ts";
import type { Email } from "../mailbox/index.ts";
import { listOf, moment } from "../service-kit/page.ts";
import { htmlReply, page, reply, sorry } from "./layout.ts";

/** The mailbox keeps more of an attachment than its type says. */
type Attachment = Email["attachments"][number] & { readonly cid?: string };

/**
 * A mail has inline styles, and a frame without a URL inherits the policy of its page. Scripts are
 * forbidden twice: here and by the frame's sandbox.
 */
const mailPolicy =
  "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const recipientsOf = ({ destination: { to, cc, bcc } }: Email): string => [...to, ...cc, ...bcc].join(", ");

const pathOf = ({ messageId }: Email): string => `/local/mails/${encodeURIComponent(messageId)}`;

/** An item of a list. */
export const mailItem = (mail: Email): Html => html`<li>
<p><a class="first" href="${pathOf(mail)}">${mail.subject === "" ? "(no subject)" : mail.subject}</a></p>
<p class="row"><span>${recipientsOf(mail)}</span> <small class="end">${moment(mail.at * 1_000)}</small></p>
</li>
`;

/** All mails, newest first. */
export const mailsPage = (mails: readonly Email[]): Html =>
  page(
    "Mails",
    html`<p><a href="/">Start page</a></p>
<h1>Mails</h1>
${listOf(mails.map(mailItem), "None was sent yet.")}`,
  );

/** Inlines the attached images: a sandboxed frame loads nothing by itself. */
function withPictures(body: string, attachments: readonly Attachment[]): string {
  return attachments.reduce((text, { cid, contentType, content }) => {
    if (cid === undefined || !/^image\/(?:png|jpeg|gif|webp)$/.test(contentType)) return text;
    return text.replaceAll(`cid:${cid}`, `data:${contentType};base64,${content}`);
  }, body);
}

const nameOf = ({ filename }: Attachment, index: number): string => filename ?? `part-${index + 1}`;

/** The text with its addresses as links. */
const linked = (text: string): readonly Html[] =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`));

function mailPage(mail: Email): Html {
  const { subject, from, replyTo, body } = mail;
  const attachments: readonly Attachment[] = mail.attachments;
  const rendered = body.html && withPictures(body.html, attachments);
  return page(
    subject,
    html`<p><a href="/">Start page</a> · <a href="/local/mails">All mails</a></p>
<h1>${subject}</h1>
<dl>
<dt>To</dt><dd>${recipientsOf(mail)}</dd>
<dt>From</dt><dd>${from}</dd>
${replyTo.length === 0 ? "" : html`<dt>Reply to</dt><dd>${replyTo.join(", ")}</dd>`}
<dt>Sent</dt><dd>${moment(mail.at * 1_000)} UTC</dd>
${
  attachments.length === 0
    ? ""
    : html`<dt>Attached</dt><dd>${attachments.map(
        (one, index) => html`<a href="${pathOf(mail)}/${index}" download>${nameOf(one, index)}</a>
<small>${one.contentType}, ${one.size} bytes</small><br>`,
      )}</dd>`
}
</dl>
<div class="grid">
${
  rendered
    ? html`<section><h2>As people see it</h2>
<iframe sandbox title="The mail" srcdoc="${rendered}"></iframe>
<small>Links lead nowhere in here. Follow them in the text.</small></section>`
    : ""
}
<section><h2>Plain text</h2><pre>${linked(body.text ?? "There is none.")}</pre></section>
</div>`,
  );
}

/** A name that is safe in a header. */
const fileNameOf = (name: string): string => name.replaceAll(/[^\w.-]/g, "_").slice(0, 100);

/** Answers `/local/mails/<id>` and `/local/mails/<id>/<number>`. @param path the part after `/local/mails/` */
export function mailReply(mails: readonly Email[], path: string): GatewayResponse {
  const [id, number, ...rest] = path.split("/");
  const mail = mails.findLast(({ messageId }) => messageId === id);
  if (!mail || rest.length > 0) return sorry(404, "There is no such mail");
  if (number === undefined) return htmlReply(200, mailPage(mail), mailPolicy);
  const attachment = /^\d{1,3}$/.test(number) ? mail.attachments[Number(number)] : undefined;
  if (!attachment) return sorry(404, "There is no such attachment");
  const name = fileNameOf(nameOf(attachment, Number(number)));
  // So that a browser never shows it as a page of this origin.
  return reply(200, "application/octet-stream", Buffer.from(attachment.content, "base64"), {
    "content-disposition": `attachment; filename="${name}"`,
  });
}
