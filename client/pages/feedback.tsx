/** Feedback about an event: the form with what the person has said before. */
import { useState } from "preact/hooks";
import { eventPath } from "../shared/addresses.ts";
import { ask } from "../shared/api.ts";
import { momentText } from "../shared/dates.ts";
import { explainForm, Questions, useForm } from "../shared/form.tsx";
import { Focused, Sending, Title, useAct, useLoaded, Waiting, When } from "../shared/parts.tsx";
import { settings } from "../shared/settings.ts";
import { texts } from "../shared/texts.ts";
import type { FeedbackForm } from "../shared/types.ts";

const words = texts.feedback;

interface FeedbackProps {
  /** Names the draft on this device. */
  readonly draft: string;
  readonly path: string;
  readonly who: { readonly link: string } | { readonly signed: true };
}

function Answering({ form: { feedbackQuestions, mine }, draft, path, who }: FeedbackProps & { form: FeedbackForm }) {
  const act = useAct(explainForm);
  const [isSent, setSent] = useState(false);
  const form = useForm(draft, feedbackQuestions, mine?.responses);
  const send = async () => {
    const { respondentName, respondentEmail } = mine ?? {};
    const author = { ...(respondentName && { respondentName }), ...(respondentEmail && { respondentEmail }) };
    const body = { responses: form.collect(), ...author };
    await ask(path, { method: "POST", body, ...who }).catch(form.complain);
    form.sent();
    setSent(true);
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
    <Sending act={act} button={words.send} send={send} class="panel">
      <p>{mine ? words.mine(momentText(mine.submittedAt, settings.timeZone)) : words.text}</p>
      <Questions form={form} />
    </Sending>
  );
}

function Feedback(props: FeedbackProps) {
  const form = useLoaded(() => ask<FeedbackForm>(props.path, props.who), [props.draft]);
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
              <When event={form.value.event} />
            </span>
          </p>
          {form.value.enabled ? <Answering form={form.value} {...props} /> : <p class="notice">{words.closed}</p>}
        </>
      )}
    </>
  );
}

export const FeedbackByLink = ({ link }: { readonly link: string }) => (
  <Feedback draft={`feedback/${link}`} path="/links/feedback" who={{ link }} />
);

interface OwnProps {
  readonly id: string;
  readonly year: number;
  readonly formType: "attendee" | "partner";
}

export const OwnFeedback = ({ formType, ...event }: OwnProps) => (
  <Feedback
    draft={`own-feedback/${event.id}/${event.year}`}
    path={`${eventPath(event)}/feedback/${formType}`}
    who={{ signed: true }}
  />
);
