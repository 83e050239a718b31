/** Mails to many: templates, campaigns, and who gets none. */
import { useEffect, useState } from "preact/hooks";
import type { components } from "../../paths.ts";
import { type Loaded, Said, Sending, Title, useAct, useLoaded, Waiting, Way } from "../../shared/parts.tsx";
import { campaignDesk, deskPages, templateDesk } from "../addresses.ts";
import { change, pathOf, read, readAll } from "../calls.ts";
import { Asking, count, moment, Tag } from "../parts.tsx";
import { Fields, useSchemaForm } from "../schema-form.tsx";
import { Table } from "../table.tsx";
import { SendMail } from "./send-mail.tsx";
import { audienceText, type Campaign, progressText } from "./words.ts";

type Template = components["schemas"]["Templates"]["emailTemplates"][number];
type Suppression = components["schemas"]["Suppression"];
type Line = Pick<Campaign, "campaignId" | "templateName" | "audience" | "createdBy" | "recipients" | "createdAt"> & {
  readonly stoppedAt?: number;
};

const TemplateList = ({ templates }: { readonly templates: Loaded<readonly Template[]> }) => (
  <section>
    <h2>Templates</h2>
    <Waiting of={templates} />
    {templates.value && (
      <Table
        title="Templates"
        rows={templates.value}
        keyOf={({ TemplateName }) => TemplateName}
        pageOf={({ TemplateName }) => templateDesk(TemplateName)}
        none="None yet. A template is what a mail says."
        columns={[
          { title: "Name", of: (one) => one.TemplateName, by: (one) => one.TemplateName },
          {
            ...{ title: "Changed", isMinor: true },
            of: (one) => moment(one.LastModifiedTimestamp),
            by: (one) => one.LastModifiedTimestamp,
          },
        ]}
      />
    )}
    <p>
      <Way to={deskPages.template} text="New template" />
    </p>
  </section>
);

/** The newest campaigns whose progress is read. */
const most = 10;

/** How far the newest campaigns are, by their ids, read one after the other. */
function useProgress(lines: readonly Line[] | undefined): ReadonlyMap<string, string> {
  const [progress, setProgress] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    let hasEnded = false;
    const load = async () => {
      for (const { campaignId } of lines?.slice(0, most) ?? []) {
        const text = await read<Campaign>(`/emails/campaigns/${campaignId}`).then(progressText, () => "Not known now");
        if (hasEnded) return;
        setProgress((kept) => new Map(kept).set(campaignId, text));
      }
    };
    void load();
    return () => {
      hasEnded = true;
    };
  }, [lines]);
  return progress;
}

function Campaigns() {
  const lines = useLoaded(() => readAll<Line, readonly Line[]>("/emails/campaigns", {}, (all) => all), []);
  const progress = useProgress(lines.value);
  return (
    <section>
      <h2>Sent mails</h2>
      <Waiting of={lines} />
      {lines.value && (
        <Table
          title="Campaigns of the last 180 days"
          rows={lines.value}
          keyOf={({ campaignId }) => campaignId}
          pageOf={({ campaignId }) => campaignDesk(campaignId)}
          none="None in the last 180 days."
          columns={[
            { title: "Template", of: ({ templateName }) => templateName, by: ({ templateName }) => templateName },
            {
              title: "State",
              of: ({ campaignId, stoppedAt }) => (
                <Tag text={progress.get(campaignId) ?? (stoppedAt === undefined ? "See its page" : "Stopped")} />
              ),
            },
            { title: "For", of: ({ audience }) => audienceText(audience), isMinor: true },
            { title: "People", of: ({ recipients }) => recipients, by: ({ recipients }) => recipients, isNumber: true },
            {
              title: "When",
              of: ({ createdAt }) => moment(createdAt),
              by: ({ createdAt }) => createdAt,
              isMinor: true,
            },
            { title: "By", of: ({ createdBy }) => createdBy, by: ({ createdBy }) => createdBy, isMinor: true },
          ]}
        />
      )}
    </section>
  );
}

function Suppressions({ of: asked }: { readonly of: Loaded<readonly Suppression[]> }) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const [progress, setProgress] = useState("");
  const [said, setSaid] = useState("");
  const form = useSchemaForm("NewSuppression", {
    draft: "suppression",
    labels: { email: "Email" },
    hints: { email: "", reason: "In your words; executives read it here." },
  });
  const act = useAct();
  const add = async () => {
    const { message } = await change<{ readonly message: string }>("POST", "/emails/suppressions", form.body()).catch(
      form.complain,
    );
    form.clear();
    await asked.reload();
    return message;
  };
  const remove = async () => {
    const chosen = [...keys];
    setSaid("");
    try {
      for (const [index, email] of chosen.entries()) {
        setProgress(`${index + 1} of ${chosen.length} …`);
        await change("DELETE", pathOf("/emails/suppressions", { email }));
        setKeys((kept) => new Set([...kept].filter((one) => one !== email)));
      }
    } finally {
      setProgress("");
      await asked.reload();
    }
    // With the last tick the button goes, and what it would say.
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
            { title: "Email", of: ({ email }) => email, by: ({ email }) => email },
            { title: "Why", of: ({ reason }) => reason ?? "", by: ({ reason }) => reason ?? "" },
            {
              title: "Since",
              of: ({ createdAt }) => moment(createdAt),
              by: ({ createdAt }) => createdAt,
              isMinor: true,
            },
          ]}
        />
      )}
      {keys.size > 0 && (
        <Asking
          text={`Send campaigns again: ${count(keys.size, "address", "addresses")}`}
          title="Send them campaigns again?"
          sure="Send them campaigns again"
          act={remove}
        >
          <p class="prose">{[...keys].slice(0, 20).join("\n")}</p>
          {keys.size > 20 && <p>… and {keys.size - 20} more.</p>}
          <p>
            They get the next campaigns. Who asked for none must have agreed; an address that does not exist bounces,
            and comes back here.
          </p>
          <p role="status">{progress}</p>
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
  const templates = useLoaded(
    () =>
      readAll<Template, components["schemas"]["Templates"]>(
        "/emails/templates",
        {},
        ({ emailTemplates }) => emailTemplates,
      ),
    [],
  );
  const suppressions = useLoaded(
    () => readAll<Suppression, readonly Suppression[]>("/emails/suppressions", {}, (all) => all),
    [],
  );
  return (
    <>
      <Title text="Mails" />
      {templates.value && templates.value.length > 0 && (
        <SendMail
          templates={templates.value.map(({ TemplateName }) => TemplateName)}
          without={suppressions.value?.map(({ email }) => email) ?? []}
        />
      )}
      <Campaigns />
      <TemplateList templates={templates} />
      <Suppressions of={suppressions} />
    </>
  );
}
