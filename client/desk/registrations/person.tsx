/** One registration: where it stands, its answers, money and history, and what can be done about it. */
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { components } from "../../paths.ts";
import { answersOf, entriesOf } from "../../shared/answers.ts";
import { Line } from "../../shared/field.tsx";
import { explainForm, Questions, useForm } from "../../shared/form.tsx";
import { Button, Focused, Said, Sending, useAct, useLoaded, Waiting } from "../../shared/parts.tsx";
import { refusalText } from "../../shared/refusals.ts";
import type { Question, Registration } from "../../shared/types.ts";
import { accountDesk, deskPages, type EventParams, eventDesk, keyOf } from "../addresses.ts";
import { change, type Page, read, readAll, readPage } from "../calls.ts";
import { type DeskEvent, EventFrame, useEvent } from "../event-frame.tsx";
import { Asking, fullMoment, moment, money, Values } from "../parts.tsx";
import { labelOf } from "../schema.ts";
import { type AuditEntry, entryText } from "./history.ts";
import { type MoveName, mayMove, moveNames, moves, placeText, seatsText } from "./moves.ts";
import { nameOf, questionsFor } from "./people.ts";
import { leftOf } from "./register-person.tsx";
import { changeOne, moveOne } from "./send.ts";
import { attendanceText, moneyText, StateTag } from "./shown.tsx";

type Payment = components["schemas"]["Payment"];

interface PersonProps {
  readonly event: DeskEvent;
  readonly row: Registration;
  /** Does something, and shows then how it is, also after a refusal. */
  done<T>(work: Promise<T>): Promise<T>;
}

const Facts = ({ row }: { readonly row: Registration }) => (
  <Values
    rows={[
      ["Email", <a href={accountDesk(row.email)}>{row.email}</a>],
      ["Status", <StateTag row={row} />],
      ["Place", placeText(row)],
      ["Money", moneyText(row)],
      ["Held", row.holdExpiresAt !== undefined && `until ${moment(row.holdExpiresAt)}`],
      ["Ticket", row.ticketCode ? "Valid" : "None"],
      ["Coming", row.coming !== undefined && `Said so ${moment(row.coming)}`],
      ["Came", row.checkedInAt !== undefined && moment(row.checkedInAt)],
      ["Earlier", attendanceText(row)],
      ["Partner", row.isPartner && "Yes"],
      ["Points", row.points.toLocaleString("en-US")],
      ["Since", moment(row.createdAt)],
      ["Changed", row.lastChange && `${moment(row.lastChange.at)} by ${row.lastChange.by}`],
    ]}
  />
);

async function resend({ id, year }: DeskEvent, { email }: Registration): Promise<string> {
  const path = "/registrations/resend-ticket";
  return (await change<{ readonly message: string }>("POST", path, { eventID: id, year, email })).message;
}

function Moves({ event, row, done }: PersonProps) {
  const { route } = useLocation();
  /** What came of a move. Its button may be gone by then. */
  const [said, setSaid] = useState("");
  const who = nameOf(row) || row.email;
  const hasTicketMail = row.registrationStatus !== "cancelled" && row.registrationStatus !== "rejected";
  const partner = row.isPartner ? "Not a partner" : "Make a partner";
  const act = async (name: MoveName) => {
    if (name === "delete") {
      await moveOne(event, row, name);
      return route(eventDesk(event, "people"));
    }
    await done(moveOne(event, row, name)).catch((problem: unknown) => {
      setSaid(refusalText(problem));
      throw problem;
    });
    setSaid(`${who}: ${moves[name].done}.`);
  };
  return (
    <div class="buttons">
      {said && <Focused text={said} />}
      {moveNames
        .filter((name) => mayMove(name, row, event.isApplicationBased))
        .map((name) => {
          const { text, mails, takesSeat, says } = moves[name];
          return (
            <Asking key={name} {...{ text, title: `${text}: ${who}?`, sure: text }} act={() => act(name)}>
              {takesSeat && <p>{seatsText(event, [row])}</p>}
              <p>{mails ? `A mail goes to ${row.email}.` : "No mail goes out."}</p>
              {says && <p>{says}</p>}
              {(name === "cancel" || name === "delete") && (
                <p>
                  To keep the money, or to give only a part of it back, decide about the payment under{" "}
                  <a href={deskPages.money}>Money</a>.
                </p>
              )}
            </Asking>
          );
        })}
      {hasTicketMail && (
        <Asking
          {...{ text: "Send the mail again", title: "Send the mail again?", sure: "Send it" }}
          act={() => resend(event, row)}
        >
          <p>
            {row.email} gets the mail about this registration again, with the ticket. Pressing twice sends two mails.
          </p>
        </Asking>
      )}
      <Asking
        {...{ text: partner, title: `${partner}?`, sure: partner }}
        act={() => done(changeOne(event, row, { isPartner: !row.isPartner }))}
      >
        <p>
          The seat becomes one of the other kind. Where none is free, an unpaid registration goes into that line; others
          stay as they are. An unpaid seat gets the price of its new kind.
        </p>
      </Asking>
    </div>
  );
}

function Points({ event, row, done }: PersonProps) {
  const act = useAct();
  const [entered, setEntered] = useState<string>();
  const value = entered ?? String(row.points);
  const problem = /^\s*\d+\s*$/.test(value) ? undefined : "Please enter a whole number.";
  const send = async () => {
    if (problem) return "";
    await done(changeOne(event, row, { points: Number(value) }));
    setEntered(undefined);
    return "Saved. No mail goes out.";
  };
  return (
    <Sending {...{ act, send, button: "Save the points" }}>
      <Line {...{ id: "points", label: "Points", value, problem, inputMode: "numeric", set: setEntered }} />
    </Sending>
  );
}

const basics = [
  ...["fname", "lname", "year", "faculty", "major", "gender", "diet", "phone", "heardFrom", "companyName", "role"],
  "studentId",
] as const;
const basicLabels: Readonly<Record<string, string>> = {
  ...{ fname: "First name", lname: "Last name", year: "Year of study", heardFrom: "Heard of it from" },
  ...{ companyName: "Company", role: "Role in the company", studentId: "Student number" },
};

const pointer = (name: string): string => `/basicInformation/${name}`;

/** What a person has said of themselves, as questions. Their pointers are those of the API's problems. */
const basicQuestions: readonly Question[] = basics.map((name) => ({
  ...{ questionId: pointer(name), label: basicLabels[name] ?? labelOf(name), type: "SHORT_TEXT", required: false },
}));

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

function Answers({ event, row, done }: PersonProps) {
  const act = useAct(explainForm);
  const information = row.basicInformation as Readonly<Record<string, string | undefined>>;
  const given = {
    ...Object.fromEntries(basics.flatMap((name) => (information[name] ? [[pointer(name), information[name]]] : []))),
    ...row.dynamicResponses,
  };
  const questions = [...basicQuestions, ...questionsFor(event, row.isPartner)];
  const form = useForm(`answers/${event.id}/${event.year}/${row.email}`, questions, given);
  const send = async () => {
    const before = answersOf(questions, entriesOf(questions, given));
    const answers = answersOf(questions, form.entries);
    const changed = Object.entries(answers).filter(([name, answer]) => !isSame(answer, before[name]));
    if (changed.length === 0) return "Nothing is changed.";
    const isBasic = ([name]: readonly [string, unknown]) => name.startsWith("/basicInformation/");
    const basicInformation = Object.fromEntries(
      changed.filter(isBasic).map(([name, answer]) => [name.slice(pointer("").length), answer ?? ""]),
    );
    const dynamicResponses = Object.fromEntries(changed.filter((one) => !isBasic(one)));
    await done(
      changeOne(event, row, {
        ...(Object.keys(basicInformation).length > 0 && { basicInformation }),
        ...(Object.keys(dynamicResponses).length > 0 && { dynamicResponses }),
      }),
    ).catch(form.complain);
    form.sent();
    return "Saved. No mail goes out.";
  };
  return (
    <Sending {...{ act, send, button: "Save the answers" }}>
      <Questions form={form} left={leftOf(event)} />
    </Sending>
  );
}

/** All payments of the person for the event. */
function Payments({ event, email }: { readonly event: DeskEvent; readonly email: string }) {
  const payments = useLoaded(async () => {
    const all = await readAll("/payments", { eventID: event.id, year: event.year }, (rows: readonly Payment[]) => rows);
    return all.filter((payment) => payment.email === email);
  }, [event.id, event.year, email]);
  if (!payments.value) return <Waiting of={payments} />;
  if (payments.value.length === 0) return <p class="minor">No payment for this event.</p>;
  return (
    <ul>
      {payments.value.map(({ paymentId, amount, settledAt, byHand, state, wentBack, open, owes, waitsFor }) => (
        <li key={paymentId}>
          {money(amount)} {byHand ? `by ${byHand.how}, taken by ${byHand.by}` : "by card"}, {moment(settledAt)}: {state}
          {wentBack > 0 && `, ${money(wentBack)} went back`}
          {open > 0 && `, ${money(open)} has to go back`}
          {owes ? `, ${money(owes)} is left to pay` : ""}. {waitsFor && <a href={deskPages.money}>To do: {waitsFor}</a>}
        </li>
      ))}
    </ul>
  );
}

/** A page of the audit has three days at most: so many are read at once. */
const pagesAtOnce = 10;

/** What was changed, newest first, read further back on demand. */
function History({ event, row }: Pick<PersonProps, "event" | "row">) {
  const act = useAct();
  const [{ rows, cursor }, setRead] = useState<Page<AuditEntry>>({ rows: [], cursor: undefined });
  const [hasBegun, setBegun] = useState(false);
  const more = async () => {
    const from = new Date(row.createdAt).toISOString();
    let at: Page<AuditEntry> = { rows: [], cursor };
    for (let pages = 0; pages < pagesAtOnce && (pages === 0 || at.cursor !== undefined); pages++) {
      const query = { email: row.email, eventID: event.id, year: event.year, from, cursor: at.cursor };
      const next = await readPage("/audit", query, ({ data }: { readonly data: readonly AuditEntry[] }) => data);
      at = { rows: [...at.rows, ...next.rows], cursor: next.cursor };
    }
    setRead({ rows: [...rows, ...at.rows], cursor: at.cursor });
    setBegun(true);
    return at.cursor === undefined ? "This is all." : "";
  };
  return (
    <>
      <ul>
        {rows.map((entry) => {
          const { sentence, changed } = entryText(entry, row.email, { moment, money });
          return (
            <li key={`${entry.requestId}${entry.action}${entry.at}`}>
              <b title={fullMoment(new Date(entry.at).toISOString())}>{moment(entry.at)}</b> {sentence}
              {changed.length > 0 && <span class="note">{changed.join(" · ")}</span>}
            </li>
          );
        })}
      </ul>
      {(!hasBegun || cursor !== undefined) && (
        <Button {...{ act, text: hasBegun ? "Look further back" : "Show the history", onPress: () => act.run(more) }} />
      )}
      <Said {...act} />
    </>
  );
}

type PersonParams = EventParams & { readonly email: string };

export function PersonPage({ email, ...params }: PersonParams) {
  const key = keyOf(params);
  const event = useEvent(key);
  const person = useLoaded(async () => {
    const query = { eventID: key.id, year: key.year, email, attendance: true };
    return (await read<{ readonly data: readonly Registration[] }>("/registrations", query)).data;
  }, [key.id, key.year, email]);
  const done = <T,>(work: Promise<T>): Promise<T> => work.finally(() => Promise.all([person.reload(), event.reload()]));
  return (
    <EventFrame event={event}>
      {(value) => {
        const row = person.value?.[0];
        const all = <a href={eventDesk(value, "people")}>All people of this event</a>;
        if (!person.value) return <Waiting of={person} />;
        if (!row)
          return (
            <p>
              There is no registration of {email}. {all}
            </p>
          );
        const props = { event: value, row, done };
        return (
          <>
            <p>{all}</p>
            <h2>{nameOf(row) || row.email}</h2>
            <div class="columns">
              <div>
                <Facts row={row} />
              </div>
              <section>
                <Moves {...props} />
                <Points {...props} />
              </section>
            </div>
            <section>
              <h2>Payments</h2>
              <Payments key={row.updatedAt} event={value} email={row.email} />
            </section>
            <section>
              <h2>History</h2>
              <History key={row.updatedAt} event={value} row={row} />
            </section>
            <section>
              <h2>Answers</h2>
              <Answers key={String(row.isPartner)} {...props} />
            </section>
          </>
        );
      }}
    </EventFrame>
  );
}
