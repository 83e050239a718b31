/** A template: what it says, how it looks, and a copy to oneself. */
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { components } from "../../paths.ts";
import { eventPage } from "../../shared/addresses.ts";
import { whenText } from "../../shared/dates.ts";
import { Line } from "../../shared/field.tsx";
import { Press, Sending, Title, useAct, useLoaded, Waiting } from "../../shared/parts.tsx";
import { account } from "../../shared/session.ts";
import { settings } from "../../shared/settings.ts";
import { deskPages, templateDesk } from "../addresses.ts";
import { type AsRead, change, changeAsRead, readTagged } from "../calls.ts";
import { Conflicts, useEditor } from "../editor.tsx";
import { Asking, type DeskEvent, EventSelect, fullMoment, moment, Section, Values } from "../parts.tsx";
import { Fields, useSchemaForm } from "../schema-form.tsx";
import { send } from "./send-mail.tsx";
import { placeholders } from "./words.ts";

type Template = components["schemas"]["Template"];
type Preview = components["schemas"]["Preview"];

const pathOf = (name: string) => `/emails/templates/${encodeURIComponent(name)}`;

const labels = { templateName: "Name", html: "Text with layout (HTML)", text: "Plain text" };
const hints = {
  templateName: "Letters, digits, - and _. It cannot be changed later.",
  subject: "",
  html: "The club's frame is put around it. Pictures and colours go into style attributes.",
  text: "For mail programs that show no layout.",
};

const Placeholders = () => (
  <details class="written">
    <summary>What may stand between the braces</summary>
    <Values rows={placeholders} />
    <p class="minor">What is about an event is empty in mails to members or single addresses.</p>
  </details>
);

function NewTemplate() {
  const { route } = useLocation();
  const act = useAct();
  const form = useSchemaForm("NewTemplate", { draft: "template", labels, hints });
  const create = async () => {
    const body = form.body();
    await change("POST", "/emails/templates", body).catch(form.complain);
    form.clear();
    route(templateDesk(String(body.templateName)));
  };
  return (
    <>
      <Title text="New template" />
      <Placeholders />
      <Sending {...{ act, button: "Save the template", send: create, class: "template" }}>
        <Fields form={form} />
      </Sending>
    </>
  );
}

/** The saved template with values of an event and a person. */
function Looks({ name }: { readonly name: string }) {
  const act = useAct();
  const [chosen, setEvent] = useState<DeskEvent>();
  const [fname, setName] = useState("Ada");
  const [shown, setShown] = useState<Preview>();
  const show = async () => {
    const { id, year, ename, elocation, startDate, endDate } = chosen ?? {};
    const dates = { startDate: fullMoment(startDate), endDate: fullMoment(endDate) };
    const made = chosen && { when: whenText(chosen, settings.timeZone), url: location.origin + eventPage(chosen) };
    const event = { id, year, ename, elocation, ...dates, ...made };
    const data = { fname, lname: "Lovelace", email: account.value?.email, event };
    setShown(await change<Preview>("POST", `${pathOf(name)}/preview`, { data }));
  };
  return (
    <Section title="Preview">
      <Sending {...{ act, button: "Show it", send: show }}>
        <EventSelect
          {...{ id: "preview-event", label: "Event", none: "None", chosen, choose: (one) => setEvent(one) }}
        />
        <Line id="preview-name" label="First name" required={false} value={fname} set={setName} />
      </Sending>
      {shown && (
        <>
          <Values rows={[["Subject", shown.subject]]} />
          {/* No script runs in it, and it is of no site. */}
          <iframe class="preview" title="The mail with layout" sandbox="" srcdoc={shown.html} />
          <p class="minor">Without its colours, pictures and frame: send it to yourself to see them. As plain text:</p>
          <p class="prose panel">{shown.text}</p>
        </>
      )}
    </Section>
  );
}

interface EditorProps extends AsRead {
  readonly name: string;
  readonly value: Template;
}

function Editor({ name, value, ...as }: EditorProps) {
  const { route } = useLocation();
  const act = useAct();
  const { Subject: subject, Html: html, Text: text } = value.Template;
  const stored = { subject, html, text };
  const options = { labels, hints, ...as, draft: `template/${name}`, stored, hidden: ["templateName"] };
  const editor = useEditor("NewTemplate", options);
  const { form } = editor;
  const own = account.value?.email ?? "";
  const save = async () =>
    (await editor.save(pathOf(name))) ? "Saved. Mails that are being sent keep what they say." : "Nothing has changed.";
  const remove = async () => {
    await changeAsRead(as, "DELETE", pathOf(name));
    form.clear();
    route(deskPages.mails);
  };
  return (
    <>
      <Title text={name} />
      <p class="minor">Last changed {moment(value.LastModifiedTimestamp)}.</p>
      <Placeholders />
      {!act.isBusy && <Conflicts {...editor} what="template" />}
      <Sending {...{ act, button: "Save", send: save, class: "template" }}>
        <Fields form={form} />
        {form.isChanged && <p class="minor">Not saved yet. The preview shows what is saved.</p>}
      </Sending>
      {form.isChanged && <Press text="Give up what is not saved" onPress={form.clear} />}
      <Looks name={name} />
      <div class="buttons">
        <Asking
          {...{ text: "Send it to me", title: "Send it to yourself?" }}
          says={`It goes to ${own} only, as it is saved. What it says of an event stays empty.`}
          act={async () => route(await send(name, { emails: [own] }))}
        />
        <Asking
          {...{ text: "Delete it", title: `Delete the template “${name}”?`, act: remove }}
          says="It cannot be brought back. Mails that are being sent keep what they say."
        />
      </div>
    </>
  );
}

function Stored({ name }: { readonly name: string }) {
  const asked = useLoaded(() => readTagged<Template>(pathOf(name)), []);
  if (!asked.value) return <Waiting of={asked} />;
  return <Editor {...{ ...asked.value, name, reload: asked.reload }} />;
}

export const TemplatePage = ({ name }: { readonly name?: string }) => (
  <>
    <a href={deskPages.mails}>All mails</a>
    {name ? <Stored name={name} key={name} /> : <NewTemplate />}
  </>
);
