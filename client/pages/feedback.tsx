/** Feedback about an event: the form with what the person has said before. */
import { useState } from "preact/hooks";
import { Refused } from "../page/call.ts";
import { ask, isSecret } from "./api.ts";
import { momentText } from "./dates.ts";
import { explainForm, Questions, useForm } from "./form.tsx";
import { Focused, Send, Title, useAct, useLoaded, Waiting, When } from "./parts.tsx";
import { settings } from "./settings.ts";
import { texts } from "./texts.ts";
import type { FeedbackForm } from "./types.ts";

const words = texts.feedback;

interface FormProps {
  readonly form: FeedbackForm;
  /** Names the draft on this device. */
  readonly draft: string;
  send(body: object): Promise<unknown>;
}

function Answering({ form: { feedbackQuestions, mine }, draft, send }: FormProps) {
  const act = useAct(explainForm);
  const [isSent, setSent] = useState(false);
  const form = useForm(draft, feedbackQuestions, mine?.responses);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void act.run(async () => {
      const { respondentName, respondentEmail } = mine ?? {};
      const responses = form.collect();
      const author = { ...(respondentName && { respondentName }), ...(respondentEmail && { respondentEmail }) };
      await send({ responses, ...author }).catch(form.complain);
      form.sent();
      setSent(true);
    });
  };
  if (isSent) {
    return (
      <section class="panel good">
        <Focused text={words.thanks} />
        <p>{words.thanksText}</p>
      </section>
    );
  }
  return (
    <form noValidate onSubmit={submit} class="panel">
      <p>{mine ? words.mine(momentText(mine.submittedAt, settings.timeZone)) : words.text}</p>
      <Questions form={form} />
      <Send act={act}>{words.send}</Send>
    </form>
  );
}

interface FeedbackProps {
  readonly draft: string;
  /** @throws Refused */
  load(): Promise<FeedbackForm>;
  /** @throws Refused */
  send(body: object): Promise<unknown>;
}

function Feedback({ draft, load, send }: FeedbackProps) {
  const form = useLoaded(load, [draft]);
  return (
    <>
      <Title text={words.title} />
      <Waiting of={form} />
      {form.value && (
        <>
          <p>
            <strong>{form.value.event.ename}</strong>
            <br />
            <span class="minor">
              <When event={form.value.event} text={form.value.event.when} />
            </span>
          </p>
          {form.value.enabled ? (
            <Answering form={form.value} draft={draft} send={send} />
          ) : (
            <p class="notice">{words.closed}</p>
          )}
        </>
      )}
    </>
  );
}

export function FeedbackByLink({ link }: { readonly link: string }) {
  const path = "/links/feedback";
  const load = () => (isSecret(link) ? ask<FeedbackForm>(path, { link }) : Promise.reject(new Refused(401, {})));
  return <Feedback draft={`feedback/${link}`} load={load} send={(body) => ask(path, { method: "POST", link, body })} />;
}

interface OwnProps {
  readonly id: string;
  readonly year: number;
  readonly formType: "attendee" | "partner";
}

export function OwnFeedback({ id, year, formType }: OwnProps) {
  const path = `/events/${encodeURIComponent(id)}/${year}/feedback/${formType}`;
  return (
    <Feedback
      draft={`own-feedback/${id}/${year}`}
      load={() => ask<FeedbackForm>(path, { signed: true })}
      send={(body) => ask(path, { method: "POST", signed: true, body })}
    />
  );
}
