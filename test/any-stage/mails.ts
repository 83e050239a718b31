/** The mails that a stage has sent, where it keeps them. */
import type { Email } from "../../tools/laptop/mailbox/index.ts";
import { inAllTexts, type Names } from "./names.ts";
import { NotOnThisStage } from "./not-on-this-stage.ts";

/** As MiniStack keeps a mail: `GET /_ministack/ses/messages`, ministack/services/ses.py. */
interface KeptMail {
  readonly Source: string;
  readonly To: readonly string[];
  readonly Subject: string;
  readonly BodyText: string;
  readonly BodyHtml: string | null;
  readonly Timestamp: number;
}

async function ofEmulator(url: string): Promise<unknown[]> {
  const answer = await fetch(`${url}/_ministack/ses/messages`);
  if (!answer.ok) throw new NotOnThisStage("nobody can read the mails that SES has sent");
  const { messages } = (await answer.json()) as { messages: Readonly<Record<string, readonly KeptMail[]>> };
  return Object.values(messages)
    .flat()
    .map(({ Source, To, Subject, BodyText, BodyHtml, Timestamp }) => ({
      from: Source,
      destination: { to: To, cc: [], bcc: [] },
      subject: Subject,
      body: { text: BodyText, ...(BodyHtml && { html: BodyHtml }) },
      at: Timestamp,
      attachments: [],
    }));
}

const ofLaptop = async (url: string): Promise<unknown[]> =>
  ((await (await fetch(`${url}/store`)).json()) as { emails: unknown[] }).emails;

/** @returns `read` reads the mails; `list` lists those of the last read, oldest first, without those of other runs */
export function mailsAt({ laptop, emulator }: { laptop?: string; emulator?: string | undefined }, names: Names) {
  let known: readonly Email[] = [];
  const isReadable = laptop !== undefined || emulator !== undefined;
  return {
    async read(): Promise<void> {
      if (!isReadable) return;
      const all = laptop === undefined ? await ofEmulator(emulator ?? "") : await ofLaptop(laptop);
      known = (inAllTexts(all, names.back) as Email[]).filter(
        ({ destination }) => !`${destination.to}`.includes("_at_"),
      );
    },
    list(): readonly Email[] {
      if (!isReadable) throw new NotOnThisStage("nobody can read the mails that SES has sent");
      return known;
    },
  };
}
