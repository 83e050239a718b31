/** An executive registers a person. */
import { useState } from "preact/hooks";
import { Refused } from "../../shared/call.ts";
import { Choice } from "../../shared/field.tsx";
import { explainForm, FormLine, Questions, useForm } from "../../shared/form.tsx";
import { Focused, Sending, useAct } from "../../shared/parts.tsx";
import type { Registered, Registration } from "../../shared/types.ts";
import { personDesk } from "../addresses.ts";
import { changeOnce } from "../calls.ts";
import type { DeskEvent } from "../event-frame.tsx";
import { placeText, wordsOf } from "./moves.ts";
import { nameOf, questionsFor } from "./people.ts";

/** The form, and where the person stands then, also who is registered already. */
export function RegisterPerson({ event, onRegistered }: { readonly event: DeskEvent; onRegistered(): void }) {
  const act = useAct(explainForm);
  const [isPartner, setPartner] = useState(false);
  const [done, setDone] = useState<{ readonly said: string; readonly row: Registration }>();
  const form = useForm(`register/${event.id}/${event.year}`, questionsFor(event, isPartner));
  const send = async () => {
    const dynamicResponses = form.collect(["/email"]);
    const [email, fname, lname] = [form.text("/email"), form.text("/fname"), form.text("/basicInformation/lname")];
    const named = { ...(fname && { fname }), ...(lname && { basicInformation: { lname } }) };
    const body = { eventID: event.id, year: event.year, email, isPartner, dynamicResponses, ...named };
    setDone(undefined);
    try {
      const { registration: row } = await changeOnce<Registered>("/registrations", body);
      setDone({ said: placeText(row), row });
      form.sent();
      onRegistered();
    } catch (problem) {
      const isThere = problem instanceof Refused && problem.code === "DUPLICATE" && problem.registration;
      if (!isThere) return form.complain(problem);
      setDone({ said: problem.message, row: problem.registration as Registration });
    }
  };
  return (
    <details class="panel">
      <summary>Register a person</summary>
      <Sending {...{ act, send, button: "Register this person" }}>
        <p>
          They get a seat while one is free, else a place in line, also when registration is closed. A mail tells them.
        </p>
        <FormLine form={form} name="/email" label="Email" type="email" />
        <FormLine form={form} name="/fname" label="First name" required={false} />
        <FormLine form={form} name="/basicInformation/lname" label="Last name" required={false} />
        <Choice name="partner" value="yes" type="checkbox" checked={isPartner} choose={setPartner}>
          Comes for a partner organization
        </Choice>
        <Questions form={form} />
      </Sending>
      {done && (
        <section class="notice">
          <Focused text={`${nameOf(done.row)}: ${wordsOf(done.row)}`} />
          <p>
            {done.said} <a href={personDesk(event, done.row.email)}>Open {done.row.email}</a>
          </p>
        </section>
      )}
    </details>
  );
}
