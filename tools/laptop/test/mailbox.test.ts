/** The local stage's mailbox. */
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { givenFolder } from "../../../test/unit/folder.ts";
import { type Mailbox, startMailbox } from "../mailbox/index.ts";

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function givenMailbox(directory?: string): Promise<Mailbox> {
  const mailbox = await startMailbox({ directory });
  open.push(() => mailbox.close());
  return mailbox;
}

const mail = (subject: string) => ({ from: "club@club.example", to: "ada@student.example", subject, text: "123456" });

const subjects = async ({ url }: Mailbox): Promise<string[]> => {
  const { emails } = (await (await fetch(`${url}/store`)).json()) as { emails: { subject: string }[] };
  return emails.map(({ subject }) => subject);
};

test("lists the stage's own mails and those sent through SES, on loopback", async () => {
  const mailbox = await givenMailbox();
  expect(new URL(mailbox.url).hostname).toBe("127.0.0.1");
  mailbox.send(mail("Code"));
  const sent = await fetch(`${mailbox.url}/v2/email/outbound-emails`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "AWS4-HMAC-SHA256 Credential=LOCALTest" },
    body: JSON.stringify({
      FromEmailAddress: "club@club.example",
      Destination: { ToAddresses: ["ada@student.example"] },
      Content: { Simple: { Subject: { Data: "Ticket" }, Body: { Text: { Data: "See you" } } } },
    }),
  });
  expect(sent.status).toBe(200);
  expect(await subjects(mailbox)).toEqual(["Code", "Ticket"]);
  expect(mailbox.list()[0]).toMatchObject({ destination: { to: ["ada@student.example"] }, body: { text: "123456" } });
});

test("keeps its mails through a kill in the middle of a line", async () => {
  const folder = await givenFolder(open);
  const first = await givenMailbox(folder);
  first.send(mail("One"));
  await appendFile(join(folder, "mails.jsonl"), '{"subject":"Ha');
  const second = await givenMailbox(folder);
  expect(await subjects(second)).toEqual(["One"]);
  second.send(mail("Two"));
  expect(await subjects(await givenMailbox(folder))).toEqual(["One", "Two"]);
});
