/** What a visitor would see of an event, made of what is entered. */
import { useState } from "preact/hooks";
import { Field } from "../../shared/field.tsx";
import { priceText } from "../../shared/opening.ts";
import { About, Banner, Facts } from "../../shared/parts.tsx";
import { settings } from "../../shared/settings.ts";
import { texts } from "../../shared/texts.ts";
import { previewOf } from "./rules.ts";

function Shown({ body }: { readonly body: Record<string, unknown> }) {
  const { questions, capac, ...event } = previewOf(body);
  return (
    <article>
      <Banner key={event.imageUrl} url={event.imageUrl} />
      <h2>{event.ename}</h2>
      <Facts
        event={event}
        rows={[
          [texts.event.price, priceText(event, settings.currency) ?? texts.events.free],
          [texts.event.places, Number(capac) > 0 && texts.event.left(Number(capac))],
        ]}
      />
      <About text={event.description ?? ""} />
      {questions.map((asked, index) => (
        <fieldset key={index === 0 ? "all" : "partners"} disabled hidden={asked.length === 0}>
          <legend>{index === 0 ? "What people are asked" : "What partners are asked"}</legend>
          {asked.map((question) => (
            <Field key={question.questionId} {...{ question, entry: {}, problem: undefined, set: () => undefined }} />
          ))}
        </fieldset>
      ))}
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
