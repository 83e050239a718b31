/** What a visitor would see of an event, made of what is entered. */
import { useState } from "preact/hooks";
import { priceText } from "../../pages/opening.ts";
import { Field } from "../../shared/field.tsx";
import { About, Banner, Facts } from "../../shared/parts.tsx";
import { settings } from "../../shared/settings.ts";
import { texts } from "../../shared/texts.ts";
import type { Question } from "../../shared/types.ts";
import { fullMoment } from "../parts.tsx";
import { previewOf } from "./rules.ts";

interface AskedProps {
  readonly title: string;
  readonly questions: readonly Question[];
}

/** Questions that cannot be answered here. */
const Asked = ({ title, questions }: AskedProps) =>
  questions.length > 0 ? (
    <fieldset disabled>
      <legend>{title}</legend>
      {questions.map((question) => (
        <Field key={question.questionId} question={question} entry={{}} problem={undefined} set={() => undefined} />
      ))}
    </fieldset>
  ) : null;

function Shown({ body }: { readonly body: Record<string, unknown> }) {
  const { questions, partnerQuestions, ...event } = previewOf(body, settings.timeZone);
  const price = priceText(event, settings.currency);
  const until = price && event.refundUntil && texts.event.refund(fullMoment(event.refundUntil));
  return (
    <article>
      <Banner key={event.imageUrl} url={event.imageUrl} />
      <h2>{event.ename}</h2>
      <Facts
        event={event}
        rows={[
          [texts.event.price, [price ?? texts.events.free, until].filter(Boolean).join(". ")],
          [texts.event.places, Number(event.capac) > 0 && texts.event.left(Number(event.capac))],
        ]}
      />
      <About {...(event.description && { text: event.description })} />
      <Asked title="What people are asked" questions={questions} />
      <Asked title="What partners are asked" questions={partnerQuestions} />
    </article>
  );
}

/** Closed until it is wanted. @param body makes the body of what is entered */
export function Preview({ body }: { body(): Record<string, unknown> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="group" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Preview: what visitors will see</summary>
      {isOpen && <Shown body={body()} />}
    </details>
  );
}
