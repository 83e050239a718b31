/** The local stage's SES and mailbox: sent mails are kept, shown at `/` and listed at `/store`. */
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import startSes from "aws-ses-v2-local";
import { type Email, getStoreReadonly } from "aws-ses-v2-local/dist/store.js";
import addressparser from "nodemailer/lib/addressparser";
import { closeServer } from "../service-kit/http-server.ts";
import { Journal } from "../service-kit/journal.ts";
import type { TakenMail } from "./feedback.ts";
import { type Judge, judgeMails } from "./sending.ts";

export type { Email } from "aws-ses-v2-local/dist/store.js";

/** A plain mail of the stage itself, for example with a sign-up code. */
export interface PlainMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Markup of the same text. */
  readonly html?: string;
  /** Name of the SES configuration set. */
  readonly configurationSet?: string;
}

export interface Mailbox {
  /** The mailbox page; `/store` is JSON. Also the endpoint of the SES client. */
  readonly url: string;
  send(mail: PlainMail): void;
  list(): readonly Email[];
  close(): Promise<void>;
}

/** A list that also writes added mails to a file: the package keeps its mails in memory only. */
class JournaledMails extends Array<Email> {
  static override get [Symbol.species]() {
    return Array;
  }
  static journal: Journal<Email> | undefined;

  override push(...mails: Email[]): number {
    for (const mail of mails) JournaledMails.journal?.append(mail);
    return super.push(...mails);
  }
}

/** Replaces the package's list by a journaled list, now and whenever the store is cleared. */
function keepMails(directory: string | undefined): Journal<Email> {
  let kept = new JournaledMails();
  JournaledMails.journal = undefined;
  const file = directory && join(directory, "mails.jsonl");
  const journal = Journal.open({ file, current: () => kept }, (mail: Email) => void kept.push(mail));
  JournaledMails.journal = journal;
  Object.defineProperty(getStoreReadonly(), "emails", {
    configurable: true,
    enumerable: true,
    get: () => kept,
    set: () => {
      kept = new JournaledMails();
      journal.compact();
    },
  });
  return journal;
}

/** One mailbox at a time in a process: the package has a single list of mails. */
export async function startMailbox(options: {
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** Absent: in memory. */
  readonly directory?: string;
  /** Absent: every mail is taken. */
  readonly judge?: Judge;
  /** Called for every mail that is taken. */
  readonly onTaken?: (mail: TakenMail) => void;
}): Promise<Mailbox> {
  const journal = keepMails(options.directory);
  const server = await startSes.default({ host: "127.0.0.1", port: options.port ?? 0 });
  const { judge, onTaken } = options;
  if (judge || onTaken) judgeMails(server, judge ?? (() => undefined), onTaken);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    send({ from, to, subject, text, html, configurationSet }) {
      const mail: Email = {
        messageId: `local-${randomUUID()}`,
        from,
        replyTo: [],
        destination: { to: [to], cc: [], bcc: [] },
        subject,
        body: { text, ...(html !== undefined && { html }) },
        attachments: [],
        at: Math.floor(Date.now() / 1000),
      };
      getStoreReadonly().emails.push(mail);
      const [sender] = addressparser(from, { flatten: true });
      onTaken?.({ messageId: mail.messageId, from: sender?.address ?? "", to: [to.toLowerCase()], configurationSet });
    },
    list: () => getStoreReadonly().emails,
    close: async () => {
      await closeServer(server);
      journal.close();
    },
  };
}
