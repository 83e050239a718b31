/** Mails to many: templates, campaigns, and who gets none. */
import { useState } from "preact/hooks";
import type { components } from "../../paths.ts";
import { Said, Title, useAct, useLoaded, Way } from "../../shared/parts.tsx";
import { campaignDesk, deskPages, templateDesk } from "../addresses.ts";
import { change, changeSaying, pathOf, read, readAll } from "../calls.ts";
import { type Following, useFollowing } from "../following.tsx";
import { FormAct } from "../form-act.tsx";
import { Asking, count, moment, Section, sayer } from "../parts.tsx";
import { column, figure, minor, Table, when } from "../table.tsx";
import { SendMail } from "./send-mail.tsx";
import { audienceText, type Campaign, progressText } from "./words.ts";

type Template = components["schemas"]["Templates"]["emailTemplates"][number];
type Suppression = components["schemas"]["Suppression"];
type Sent = Omit<Campaign, "state"> & { readonly state: string };

const templateColumns = [
  column<Template>("Name", (one) => one.TemplateName),
  when<Template>("Changed", (one) => one.LastModifiedTimestamp, false),
];

const sentColumns = [
  column<Sent>("Template", ({ templateName, test }) => (test ? `${templateName} (test)` : templateName)),
  column<Sent>("State", ({ state }) => state),
  column<Sent>("For", ({ audience }) => audienceText(audience), minor),
  figure<Sent>("People", ({ recipients }) => recipients),
  when<Sent>("When", ({ createdAt }) => createdAt),
  column<Sent>("By", ({ createdBy }) => createdBy, minor),
];

const suppressionColumns = [
  column<Suppression>("Email", ({ email }) => email),
  column<Suppression>("Why", ({ reason }) => reason),
  when<Suppression>("Since", ({ createdAt }) => createdAt),
];

/** The newest campaigns, of which it is read how far they are. */
const newest = 10;

/** Campaigns with how far they are. */
async function readSent(): Promise<readonly Sent[]> {
  const lines = await readAll<Campaign>("/emails/campaigns");
  const stateOf = ({ stoppedAt }: Campaign) => (stoppedAt === undefined ? "See its page" : "Stopped");
  const progress = ({ campaignId }: Campaign) =>
    read<Campaign>(`/emails/campaigns/${campaignId}`).then((one) => progressText(one, moment));
  const texts = lines.map((line, index) =>
    index < newest ? progress(line).catch(() => stateOf(line)) : stateOf(line),
  );
  const states = await Promise.all(texts);
  return lines.map((line, index) => ({ ...line, state: states[index] ?? "" }));
}

const suppressionsPath = "/emails/suppressions";
const look = { labels: { email: "Email" }, hints: { email: "", reason: "In your words; executives read it here." } };

function Suppressions({ of: asked }: { readonly of: Following<Suppression> }) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const act = useAct();
  const done = sayer(act, asked);
  const remove = async () => {
    const chosen = [...keys];
    for (const [index, email] of chosen.entries()) {
      act.say(`${index + 1} of ${chosen.length} …`);
      await changeSaying("DELETE", pathOf(suppressionsPath, { email })).finally(() => act.say());
    }
    await asked.reload();
    setKeys(new Set());
    act.say(`${count(chosen.length, "address gets", "addresses get")} campaigns again.`);
  };
  return (
    <Section title="Who gets no campaigns">
      <p class="minor">
        They get none of the mails sent here, but still tickets and notices of their own registrations. Addresses that
        bounce or complain come here by themselves; who asks by mail not to be written to is added by you.
      </p>
      <Table<Suppression>
        {...{ title: "Who gets no campaigns", of: asked, columns: suppressionColumns, keyOf: ({ email }) => email }}
        selection={{ keys, set: setKeys }}
      />
      <div class="buttons">
        {keys.size > 0 && (
          <Asking
            {...{ text: "Send them campaigns again", title: "Send them campaigns again?", sure: "Send them again" }}
            {...{ says: <span class="prose">{[...keys].join("\n")}</span>, act: remove }}
          >
            <p>Who asked for none must have agreed. An address that does not exist bounces, and comes back here.</p>
            <p role="status">{act.said}</p>
          </Asking>
        )}
        <FormAct
          {...{ text: "Add an address", sure: "Send it no campaigns any more", schema: "NewSuppression", look, done }}
          {...{ says: "No mail goes out.", draft: "suppression" }}
          send={(body) => change("POST", suppressionsPath, body)}
        />
      </div>
      <Said {...act} />
    </Section>
  );
}

export function MailsPage() {
  const templates = useFollowing<Template>("/emails/templates");
  const suppressions = useFollowing<Suppression>(suppressionsPath);
  const sent = useLoaded(readSent, []);
  const names = templates.value?.map(({ TemplateName }) => TemplateName) ?? [];
  return (
    <>
      <Title text="Mails" />
      {names.length > 0 && <SendMail templates={names} without={suppressions.rows.map(({ email }) => email)} />}
      <Section title="Sent mails">
        <Table<Sent>
          {...{
            title: "Mails of the last 180 days",
            of: sent,
            columns: sentColumns,
            none: "None in the last 180 days.",
          }}
          {...{ keyOf: ({ campaignId }) => campaignId, pageOf: ({ campaignId }) => campaignDesk(campaignId) }}
        />
      </Section>
      <Section title="Templates">
        <Table<Template>
          {...{ title: "Templates", of: templates, columns: templateColumns, keyOf: (one) => one.TemplateName }}
          {...{ pageOf: (one) => templateDesk(one.TemplateName), none: "None yet. A template is what a mail says." }}
        />
        <Way to={deskPages.template} text="New template" />
      </Section>
      <Suppressions of={suppressions} />
    </>
  );
}
