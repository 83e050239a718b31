/** Mails to many: templates, campaigns, and who gets none. */
import { useState } from "preact/hooks";
import type { components } from "../../paths.ts";
import { type Loaded, Said, Sending, Title, useAct, useLoaded, Waiting, Way } from "../../shared/parts.tsx";
import { campaignDesk, deskPages, templateDesk } from "../addresses.ts";
import { changeSaying, pathOf, read, readAll, readList } from "../calls.ts";
import { Asking, count, moment } from "../parts.tsx";
import { Fields, useSchemaForm } from "../schema-form.tsx";
import { column, Table } from "../table.tsx";
import { SendMail } from "./send-mail.tsx";
import { audienceText, type Campaign, progressText } from "./words.ts";

type Template = components["schemas"]["Templates"]["emailTemplates"][number];
type Suppression = components["schemas"]["Suppression"];
type Sent = Omit<Campaign, "state"> & { readonly state: string };

const templateColumn = column<Template>;
const sentColumn = column<Sent>;
const suppressionColumn = column<Suppression>;

const TemplateList = ({ of: asked }: { readonly of: Loaded<readonly Template[]> }) => (
  <section>
    <h2>Templates</h2>
    <Waiting of={asked} />
    {asked.value && (
      <Table
        title="Templates"
        rows={asked.value}
        keyOf={({ TemplateName }) => TemplateName}
        pageOf={({ TemplateName }) => templateDesk(TemplateName)}
        none="None yet. A template is what a mail says."
        columns={[
          templateColumn("Name", (one) => one.TemplateName),
          templateColumn("Changed", (one) => one.LastModifiedTimestamp, {
            of: (one) => moment(one.LastModifiedTimestamp),
          }),
        ]}
      />
    )}
    <Way to={deskPages.template} text="New template" />
  </section>
);

/** The newest campaigns, of which it is read how far they are. */
const newest = 10;

/** Campaigns with how far they are. */
async function readSent(): Promise<readonly Sent[]> {
  const lines = await readList<Campaign>("/emails/campaigns");
  const stateOf = ({ stoppedAt }: Campaign) => (stoppedAt === undefined ? "See its page" : "Stopped");
  const progress = ({ campaignId }: Campaign) => read<Campaign>(`/emails/campaigns/${campaignId}`).then(progressText);
  const texts = lines.map((line, index) =>
    index < newest ? progress(line).catch(() => stateOf(line)) : stateOf(line),
  );
  const states = await Promise.all(texts);
  return lines.map((line, index) => ({ ...line, state: states[index] ?? "" }));
}

function SentMails() {
  const asked = useLoaded(readSent, []);
  return (
    <section>
      <h2>Sent mails</h2>
      <Waiting of={asked} />
      {asked.value && (
        <Table
          title="Mails of the last 180 days"
          rows={asked.value}
          keyOf={({ campaignId }) => campaignId}
          pageOf={({ campaignId }) => campaignDesk(campaignId)}
          none="None in the last 180 days."
          columns={[
            sentColumn("Template", ({ templateName }) => templateName),
            sentColumn("State", ({ state }) => state),
            sentColumn("For", ({ audience }) => audienceText(audience), { isMinor: true }),
            sentColumn("People", ({ recipients }) => recipients, { isNumber: true }),
            sentColumn("When", ({ createdAt }) => createdAt, {
              of: ({ createdAt }) => moment(createdAt),
              isMinor: true,
            }),
            sentColumn("By", ({ createdBy }) => createdBy, { isMinor: true }),
          ]}
        />
      )}
    </section>
  );
}

const suppressionsPath = "/emails/suppressions";

function Suppressions({ of: asked }: { readonly of: Loaded<readonly Suppression[]> }) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const [said, setSaid] = useState("");
  const act = useAct();
  const hints = { email: "", reason: "In your words; executives read it here." };
  const form = useSchemaForm("NewSuppression", { draft: "suppression", labels: { email: "Email" }, hints });
  const add = async () => {
    const sentence = await changeSaying("POST", suppressionsPath, form.body()).catch(form.complain);
    form.clear();
    await asked.reload();
    return sentence;
  };
  const remove = async () => {
    const chosen = [...keys];
    for (const [index, email] of chosen.entries()) {
      setSaid(`${index + 1} of ${chosen.length} …`);
      await changeSaying("DELETE", pathOf(suppressionsPath, { email })).finally(() => setSaid(""));
    }
    await asked.reload();
    setKeys(new Set());
    setSaid(`${count(chosen.length, "address gets", "addresses get")} campaigns again.`);
  };
  return (
    <section>
      <h2>Who gets no campaigns</h2>
      <p class="minor">
        They get none of the mails sent here, but still tickets and notices of their own registrations. Addresses that
        bounce or complain come here by themselves; who asks by mail not to be written to is added by you.
      </p>
      <Waiting of={asked} />
      {asked.value && (
        <Table
          title="Who gets no campaigns"
          rows={asked.value}
          keyOf={({ email }) => email}
          selection={{ keys, set: setKeys }}
          columns={[
            suppressionColumn("Email", ({ email }) => email),
            suppressionColumn("Why", ({ reason = "" }) => reason),
            suppressionColumn("Since", (one) => one.createdAt, { of: (one) => moment(one.createdAt), isMinor: true }),
          ]}
        />
      )}
      {keys.size > 0 && (
        <Asking text="Send them campaigns again" title="Send them campaigns again?" sure="Send them again" act={remove}>
          <p class="prose">{[...keys].join("\n")}</p>
          <p>Who asked for none must have agreed. An address that does not exist bounces, and comes back here.</p>
          <p role="status">{said}</p>
        </Asking>
      )}
      <Said said={said} />
      <details>
        <summary>Add an address</summary>
        <Sending {...{ act, button: "Send it no campaigns any more", send: add }}>
          <Fields form={form} />
        </Sending>
      </details>
    </section>
  );
}

export function MailsPage() {
  const templatesOf = (answer: components["schemas"]["Templates"]) => answer.emailTemplates;
  const templates = useLoaded<readonly Template[]>(() => readAll("/emails/templates", {}, templatesOf), []);
  const suppressions = useLoaded(() => readList<Suppression>(suppressionsPath), []);
  const names = templates.value?.map(({ TemplateName }) => TemplateName) ?? [];
  return (
    <>
      <Title text="Mails" />
      {names.length > 0 && <SendMail templates={names} without={suppressions.value?.map(({ email }) => email) ?? []} />}
      <SentMails />
      <TemplateList of={templates} />
      <Suppressions of={suppressions} />
    </>
  );
}
