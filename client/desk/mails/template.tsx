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
import type { Event } from "../../shared/types.ts";
import { deskPages, templateDesk } from "../addresses.ts";
import { change, changeSaying, readTagged, type Tagged } from "../calls.ts";
import { ChooseEvent } from "../choose.tsx";
import { Asking, fullMoment, moment, Values } from "../parts.tsx";
import { Fields, type SchemaForm, useSchemaForm } from "../schema-form.tsx";
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
    await changeSaying("POST", "/emails/templates", body).catch(form.complain);
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

type Content = Readonly<Record<"subject" | "html" | "text", string>>;

/** What another executive has saved meanwhile, beside what is entered here. */
const Both = ({ form, stored }: { readonly form: SchemaForm; readonly stored: Content }) => (
  <section class="notice" aria-label="Both texts">
    <p role="alert">
      Another executive has changed this template since you opened it. Your text is still in the fields; saving again
      replaces theirs.
    </p>
    {(["subject", "html", "text"] as const)
      .filter((name) => (form.entries[name] ?? "") !== stored[name])
      .map((name) => (
        <div class="columns prose" key={name}>
          <p>{`Theirs (${name})\n${stored[name]}`}</p>
          <p>{`Yours (${name})\n${form.entries[name] ?? ""}`}</p>
        </div>
      ))}
    <Press text="Take theirs" onPress={form.clear} />
  </section>
);

/** The saved template with values of an event and a person. */
function Looks({ name }: { readonly name: string }) {
  const act = useAct();
  const [chosen, setEvent] = useState<Event>();
  const [fname, setName] = useState("Ada");
  const [shown, setShown] = useState<Preview>();
  const show = async () => {
    const { id, year, ename, elocation, startDate, endDate } = chosen ?? {};
    const dates = { startDate: fullMoment(startDate), endDate: fullMoment(endDate) };
    const made = chosen && { when: whenText(chosen, settings.timeZone), url: location.origin + eventPage(chosen) };
    const data = {
      fname,
      lname: "Lovelace",
      email: account.value?.email,
      event: { id, year, ename, elocation, ...dates, ...made },
    };
    setShown(await change<Preview>("POST", `${pathOf(name)}/preview`, { data }));
  };
  return (
    <section>
      <h2>Preview</h2>
      <Sending {...{ act, button: "Show it", send: show }}>
        <ChooseEvent {...{ id: "preview-event", event: chosen, set: setEvent }} />
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
  const form = useSchemaForm("NewTemplate", {
    draft: `template/${name}`,
    stored,
    labels,
    hints,
    hidden: ["templateName"],
  });
  const own = account.value?.email ?? "";
  const save = async () => {
    if (!form.isChanged) return "Nothing has changed.";
    const isTornNow = await changeSaying("PATCH", pathOf(name), form.changes(), tag).then(
      () => false,
      (problem) => (problem instanceof Refused && problem.status === 412) || form.complain(problem),
    );
    if (!isTornNow) form.clear();
    setTorn(isTornNow);
    await reload();
    return isTornNow ? "Not saved yet." : "Saved. Mails that are being sent keep what they say.";
  };
  const remove = async () => {
    await changeSaying("DELETE", pathOf(name), undefined, tag);
    form.clear();
    route(deskPages.mails);
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
      {form.isChanged && <Press text="Give up what is not saved" onPress={form.clear} />}
      <Looks name={name} />
      <div class="buttons">
        <Asking
          {...{ text: "Send it to me", title: "Send it to yourself?", sure: "Send it to me" }}
          act={async () => route(await send(name, { emails: [own] }))}
        >
          <p>It goes to {own} only, as it is saved. What it says of an event stays empty.</p>
        </Asking>
        <Asking text="Delete it" title={`Delete the template “${name}”?`} sure="Delete it" act={remove}>
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
    <a href={deskPages.mails}>All mails</a>
    {name ? <Stored name={name} key={name} /> : <NewTemplate />}
  </>
);
