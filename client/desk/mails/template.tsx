/** A template: what it says, how it looks, and a copy to oneself. */

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { components } from "../../paths.ts";
import { eventPage } from "../../shared/addresses.ts";
import { Refused } from "../../shared/call.ts";
import { whenText } from "../../shared/dates.ts";
import { Line } from "../../shared/field.tsx";
import { Press, Sending, Title, useAct, useLoaded, Waiting } from "../../shared/parts.tsx";
import { account } from "../../shared/session.ts";
import { settings } from "../../shared/settings.ts";
import { deskPages, templateDesk } from "../addresses.ts";
import { change, readTagged, type Tagged } from "../calls.ts";
import { Asking, fullMoment, moment, Values } from "../parts.tsx";
import { Fields, type SchemaForm, useSchemaForm } from "../schema-form.tsx";
import { eventChoices, eventKey, Select, send, useEvents } from "./send-mail.tsx";
import { placeholders } from "./words.ts";

type Template = components["schemas"]["Template"];
type Preview = components["schemas"]["Preview"];

const pathOf = (name: string) => `/emails/templates/${encodeURIComponent(name)}`;

const look = {
  labels: { templateName: "Name", html: "Text with layout (HTML)", text: "Plain text" },
  hints: {
    templateName: "Letters, digits, - and _. It cannot be changed later.",
    subject: "",
    html: "Without a page around it, the club's is put around it. Pictures and colours go into style attributes.",
    text: "For mail programs that show no layout.",
  },
};

const Placeholders = () => (
  <details>
    <summary>What may stand between the braces</summary>
    <dl class="facts written">
      {placeholders.map(([written, meaning]) => (
        <div key={written}>
          <dt>
            <code>{written}</code>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
    <p class="minor">
      What is about an event is empty in mails to all members or to single addresses. Other names are refused.
    </p>
  </details>
);

function NewTemplate() {
  const { route } = useLocation();
  const act = useAct();
  const form = useSchemaForm("NewTemplate", { draft: "template", ...look });
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

const parts = [
  ["subject", "Subject"],
  ["html", "Text with layout"],
  ["text", "Plain text"],
] as const;
type Content = Readonly<Record<(typeof parts)[number][0], string>>;

/** What another executive has saved meanwhile, beside what is entered here. */
const Both = ({ form, stored }: { readonly form: SchemaForm; readonly stored: Content }) => (
  <section class="notice" aria-label="Both texts">
    <p role="alert">
      <b>Another executive has changed this template since you opened it.</b> Your text is still in the fields. Saving
      again replaces theirs.
    </p>
    {parts
      .filter(([name]) => (form.entries[name] ?? "") !== stored[name])
      .map(([name, label]) => (
        <div class="columns" key={name}>
          <div>
            <h3>{label}: theirs</h3>
            <p class="prose">{stored[name]}</p>
          </div>
          <div>
            <h3>{label}: yours</h3>
            <p class="prose">{String(form.entries[name] ?? "")}</p>
          </div>
        </div>
      ))}
    <Press text="Take theirs" onPress={form.clear} />
  </section>
);

/** The saved template with values of an event and a person. */
function Looks({ name }: { readonly name: string }) {
  const act = useAct();
  const events = useEvents();
  const [key, setKey] = useState("");
  const [fname, setName] = useState("Ada");
  const [shown, setShown] = useState<Preview>();
  const show = async () => {
    const event = events.value?.find((one) => eventKey(one) === key);
    const { id, year, ename, elocation, startDate, endDate } = event ?? {};
    const when = event && whenText(event, settings.timeZone);
    const url = event && location.origin + eventPage(event);
    const dates = { startDate: fullMoment(startDate), endDate: fullMoment(endDate) };
    const person = { fname, lname: "Lovelace", email: account.value?.email };
    const data = { ...person, ...(event && { event: { id, year, ename, elocation, when, url, ...dates } }) };
    setShown(await change<Preview>("POST", `${pathOf(name)}/preview`, { data }));
  };
  return (
    <section>
      <h2>Preview</h2>
      <Sending {...{ act, button: "Show it", send: show }}>
        <div class="columns">
          <Select
            {...{ id: "preview-event", label: "Event", value: key, none: "None", set: setKey }}
            choices={eventChoices(events.value ?? [])}
          />
          <Line id="preview-name" label="First name" required={false} value={fname} set={setName} />
        </div>
      </Sending>
      {shown && (
        <>
          <Values rows={[["Subject", shown.subject]]} />
          {/* No script runs in it, and it is of no site. */}
          <iframe class="preview" title="The mail with layout" sandbox="" srcdoc={shown.html} />
          <p class="minor">
            Here it is shown without its colours, pictures and frame. Send it to yourself to see it as people get it.
          </p>
          <h3>Plain text</h3>
          <p class="prose panel">{shown.text || "None."}</p>
        </>
      )}
    </section>
  );
}

interface EditorProps {
  readonly name: string;
  readonly tagged: Tagged<Template>;
  reload(): Promise<void>;
}

function Editor({ name, tagged: { value, tag }, reload }: EditorProps) {
  const { route } = useLocation();
  const act = useAct();
  const [isTorn, setTorn] = useState(false);
  const { Subject: subject, Html: html, Text: text } = value.Template;
  const stored = { subject, html, text };
  const draft = `template/${name}`;
  const form = useSchemaForm("NewTemplate", { draft, stored, ...look, hidden: ["templateName"] });
  const own = account.value?.email ?? "";
  const save = async () => {
    const changes = form.changes();
    if (Object.keys(changes).length === 0) return "Nothing has changed.";
    try {
      await change("PATCH", pathOf(name), changes, tag);
    } catch (problem) {
      if (!(problem instanceof Refused && problem.status === 412)) return form.complain(problem);
      await reload();
      setTorn(true);
      return "Not saved yet.";
    }
    form.clear();
    setTorn(false);
    await reload();
    return "Saved. Mails that are being sent keep what they say.";
  };
  const giveUp = () => {
    form.clear();
    act.say();
  };
  return (
    <>
      <Title text={name} />
      <p class="minor">Last changed {moment(value.LastModifiedTimestamp)}.</p>
      <Placeholders />
      {isTorn && form.isChanged && <Both {...{ form, stored }} />}
      <Sending {...{ act, button: "Save", send: save, class: "template" }}>
        <Fields form={form} />
        {form.isChanged && <p class="minor">Not saved yet. The preview shows what is saved.</p>}
      </Sending>
      {form.isChanged && <Press text="Give up what is not saved" onPress={giveUp} />}
      <Looks name={name} />
      <div class="buttons">
        <Asking
          {...{ text: "Send it to me", title: "Send it to yourself?", sure: "Send it to me" }}
          act={async () => route(await send(name, { emails: [own] }))}
        >
          <p>It goes to {own} only, as it is saved. What it says of an event stays empty.</p>
        </Asking>
        <Asking
          {...{ text: "Delete it", title: `Delete the template “${name}”?`, sure: "Delete it" }}
          act={async () => {
            await change("DELETE", pathOf(name), undefined, tag);
            form.clear();
            route(deskPages.mails);
          }}
        >
          <p>It cannot be brought back. Mails that are being sent keep what they say.</p>
        </Asking>
      </div>
    </>
  );
}

function Stored({ name }: { readonly name: string }) {
  const asked = useLoaded(() => readTagged<Template>(pathOf(name)), []);
  if (!asked.value) return <Waiting of={asked} />;
  return <Editor {...{ name, tagged: asked.value, reload: asked.reload }} />;
}

export const TemplatePage = ({ name }: { readonly name?: string }) => (
  <>
    <p>
      <a href={deskPages.mails}>All mails</a>
    </p>
    {name ? <Stored name={name} key={name} /> : <NewTemplate />}
  </>
);
