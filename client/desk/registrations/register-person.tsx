/** An executive registers a person. */
import { useState } from "preact/hooks";
import { Refused } from "../../shared/call.ts";
import { Choice, type Left } from "../../shared/field.tsx";
import { explainForm, FormLine, Questions, useForm } from "../../shared/form.tsx";
import { Focused, Sending, useAct } from "../../shared/parts.tsx";
import type { Registered, Registration } from "../../shared/types.ts";
import { personDesk } from "../addresses.ts";
import { changeOnce } from "../calls.ts";
import type { DeskEvent } from "../event-frame.tsx";
import { placeText, wordsOf } from "./moves.ts";
import { nameOf, questionsFor } from "./people.ts";

/** What is left of each workshop. */
export const leftOf =
  ({ counts }: DeskEvent): Left =>
  (questionId, choice) => {
    const question = counts?.dynamicCounts.find((counted) => counted.questionId === questionId);
    const { count = 0, cap = null } = question?.counts.find(({ label }) => label === choice) ?? {};
    return cap === null ? undefined : Math.max(0, cap - count);
  };

interface RegisterProps {
  readonly event: DeskEvent;
  onRegistered(): void;
}

export function RegisterPerson({ event, onRegistered }: RegisterProps) {
  const act = useAct(explainForm);
  const [isPartner, setPartner] = useState(false);
  const [done, setDone] = useState<{ readonly said: string; readonly row: Registration }>();
  const form = useForm(`register/${event.id}/${event.year}`, questionsFor(event, isPartner));
  const send = async () => {
    const dynamicResponses = form.collect(["/email"]);
    const [email, fname, lname] = [form.text("/email"), form.text("/fname"), form.text("/basicInformation/lname")];
    const body = { eventID: event.id, year: event.year, email, isPartner, dynamicResponses };
    setDone(undefined);
    try {
      const basicInformation = lname && { basicInformation: { lname } };
      const { registration } = await changeOnce<Registered>("/registrations", {
        ...{ ...body, ...(fname && { fname }), ...basicInformation },
      });
      form.sent();
      setDone({ said: placeText(registration), row: registration });
      onRegistered();
    } catch (problem) {
      const { code, registration } = problem instanceof Refused ? problem : {};
      if (code !== "DUPLICATE" || !registration) return form.complain(problem);
      setDone({ said: (problem as Refused).message, row: registration as Registration });
    }
  };
  return (
    <details class="panel">
      <summary>Register a person</summary>
      <Sending {...{ act, send, button: "Register this person" }}>
        <p>
          They get a seat while one is free, else a place in line, also when registration is closed, and a mail that
          says so. The message speaks to them.
        </p>
        <FormLine form={form} name="/email" label="Email" type="email" />
        <div class="pair">
          <FormLine form={form} name="/fname" label="First name" required={false} />
          <FormLine form={form} name="/basicInformation/lname" label="Last name" required={false} />
        </div>
        <Choice name="partner" value="yes" type="checkbox" checked={isPartner} choose={setPartner}>
          Comes for a partner organization
        </Choice>
        <Questions form={form} left={leftOf(event)} />
      </Sending>
      {done && (
        <section class="notice">
          <Focused text={`${nameOf(done.row) || done.row.email}: ${wordsOf(done.row)}`} />
          <p>{done.said}</p>
          <p>
            <a href={personDesk(event, done.row.email)}>Open {done.row.email}</a>
          </p>
        </section>
      )}
    </details>
  );
}
