/** One registration: where it stands, its answers, money and history, and what can be done about it. */
import { useState } from "preact/hooks";
import type { components } from "../../paths.ts";
import { answersOf, entriesOf } from "../../shared/answers.ts";
import { explainForm, Questions, useForm } from "../../shared/form.tsx";
import { Press, Sending, useAct, useLoaded, Waiting } from "../../shared/parts.tsx";
import type { Answers, Question, Registration } from "../../shared/types.ts";
import { accountDesk, deskPages, eventDesk } from "../addresses.ts";
import { changeSaying, read } from "../calls.ts";
import { type EventProps, ofEvent } from "../event-frame.tsx";
import { Progress, useFollowing } from "../following.tsx";
import { stateTexts } from "../money/rules.ts";
import { Asking, type DeskEvent, moment, money, Values } from "../parts.tsx";
import { labelOf } from "../schema.ts";
import { Company } from "./company.tsx";
import { type AuditEntry, entryText } from "./history.ts";
import { placeText } from "./moves.ts";
import { nameOf, questionsFor } from "./people.ts";
import { attendanceText, changeOne, Moves, moneyText, StateTag } from "./shown.tsx";

type Payment = components["schemas"]["Payment"];

interface OfPerson {
  readonly event: DeskEvent;
  readonly row: Registration;
}

interface PersonProps extends OfPerson {
  /** Does something, and shows then how it is, also after a refusal. */
  done(work: Promise<unknown>): Promise<unknown>;
}

/** From whom the seat came, and to whom it went. */
const transfersText = ({ transfers = [] }: Registration): string =>
  transfers
    .map(({ from, to, acceptedAt }) => `${from} to ${to}, ${acceptedAt ? moment(acceptedAt) : "not accepted yet"}`)
    .join("; ");

const Facts = ({ row }: { readonly row: Registration }) => (
  <Values
    rows={[
      ["Email", <a href={accountDesk(row.email)}>{row.email}</a>],
      ["Status", <StateTag row={row} />],
      ["Place", placeText(row)],
      ["Money", moneyText(row)],
      ["Ticket", row.ticketCode ? "Valid" : "None"],
      ["Coming", row.coming !== undefined && `Said so ${moment(row.coming)}`],
      ["Came", moment(row.checkedInAt)],
      ["Earlier", attendanceText(row)],
      ["Handed on", transfersText(row)],
      ["Partner", row.isPartner && "Yes"],
      ["Points", row.points.toLocaleString("en-US")],
      ["Since", moment(row.createdAt)],
      ["Changed", row.lastChange && `${moment(row.lastChange.at)} by ${row.lastChange.by}`],
    ]}
  />
);

const otherKind =
  "The seat becomes one of the other kind, and an unpaid one gets the price of its new kind. Where none is free, an unpaid registration goes into that line.";

function OtherActs({ event, row, done }: PersonProps) {
  const { email, isPartner } = row;
  const partner = isPartner ? "Not a partner" : "Make a partner";
  const body = { eventID: event.id, year: event.year, email };
  return (
    <div class="buttons">
      {row.ticketCode && (
        <Asking
          {...{ text: "Send the mail again", title: "Send the mail again?", sure: "Send it" }}
          says={`${email} gets the mail about this registration once more, with the ticket.`}
          act={() => changeSaying("POST", "/registrations/resend-ticket", body)}
        />
      )}
      <Asking
        {...{ text: partner, title: `${partner}: ${nameOf(row)}?`, says: otherKind }}
        act={() => done(changeOne(event, row, { isPartner: !isPartner }))}
      />
    </div>
  );
}

const basics = "fname lname year faculty major gender diet phone heardFrom companyName role studentId".split(" ");
const labels: Readonly<Record<string, string>> = {
  ...{ fname: "First name", lname: "Last name", year: "Year of study", heardFrom: "Heard of it from" },
  ...{ companyName: "Company", role: "Role in the company", studentId: "Student number" },
};
const basicInformation = "/basicInformation/";

/** What the executive can change besides answers, as questions. Their ids are the pointers of the API's problems. */
const ownQuestions: readonly Question[] = ["/points", ...basics.map((name) => basicInformation + name)].map((id) => {
  const name = id.split("/").at(-1) ?? "";
  return { questionId: id, label: labels[name] ?? labelOf(name), type: "SHORT_TEXT", required: false };
});

/** The body of a change: what differs. */
function changesOf(before: Answers, after: Answers): object {
  const changed = Object.entries(after).filter(
    ([id, one]) => JSON.stringify(one) !== JSON.stringify(before[id] ?? null),
  );
  const points = changed.find(([id]) => id === "/points");
  const basic = changed.filter(([id]) => id.startsWith(basicInformation));
  const answers = changed.filter((one) => one !== points && !basic.includes(one));
  return {
    ...(points && { points: Number(points[1]) }),
    ...(basic.length > 0 && {
      basicInformation: Object.fromEntries(basic.map(([id, one]) => [id.slice(basicInformation.length), one ?? ""])),
    }),
    ...(answers.length > 0 && { dynamicResponses: Object.fromEntries(answers) }),
  };
}

function AnswersForm({ event, row, done }: PersonProps) {
  const act = useAct(explainForm);
  const known = { fname: row.fname, ...row.basicInformation };
  const given = {
    ...row.dynamicResponses,
    ...Object.fromEntries(Object.entries(known).map(([name, one]) => [basicInformation + name, one])),
    "/points": String(row.points),
  };
  const questions = [...ownQuestions, ...questionsFor(event, row.isPartner)];
  const form = useForm(`answers/${event.id}/${event.year}/${row.email}`, questions, given);
  const send = async () => {
    const changes = changesOf(answersOf(questions, entriesOf(questions, given)), answersOf(questions, form.entries));
    if (Object.keys(changes).length === 0) return "Nothing is changed.";
    await done(changeOne(event, row, changes)).catch(form.complain);
    form.sent();
    return "Saved. No mail goes out.";
  };
  return (
    <Sending {...{ act, send, button: "Save points and answers" }}>
      <Questions form={form} />
    </Sending>
  );
}

/** All payments of the person for the event. */
function Payments({ event, row: { email } }: OfPerson) {
  const payments = useFollowing<Payment>("/payments", { eventID: event.id, year: event.year });
  const own = payments.value?.filter((payment) => payment.email === email);
  if (own?.length === 0) return <p class="minor">No payment for this event.</p>;
  return (
    <ul>
      <Waiting of={payments} />
      {own?.map(({ paymentId, amount, people = 1, settledAt, byHand, state, wentBack, open, owes = 0, waitsFor }) => (
        <li key={paymentId}>
          {money(amount)} {people > 1 && `for ${people} people `}
          {byHand ? `by ${byHand.how}, taken by ${byHand.by}` : "by card"}, {moment(settledAt)}:{" "}
          {stateTexts[state].toLowerCase()}
          {wentBack > 0 && `, ${money(wentBack)} went back`}
          {open > 0 && `, ${money(open)} has to go back`}
          {owes > 0 && `, ${money(owes)} is left to pay`}. {waitsFor && <a href={deskPages.money}>To do: {waitsFor}</a>}
        </li>
      ))}
    </ul>
  );
}

/** What was changed, newest first. A page of the audit has three days, so older ones come one by one. */
function History({ event, row: { email, createdAt } }: OfPerson) {
  const [isShown, setShown] = useState(false);
  const query = { email, eventID: event.id, year: event.year, from: new Date(createdAt).toISOString() };
  const entries = useFollowing<AuditEntry>(isShown ? "/audit" : undefined, query);
  if (!isShown) return <Press text="Show the history" onPress={() => setShown(true)} />;
  return (
    <>
      <ul>
        {entries.rows.map((entry) => (
          <li key={`${entry.requestId}${entry.action}${entry.at}`}>
            <b>{moment(entry.at)}</b> {entryText(entry, { moment, money })}
          </li>
        ))}
      </ul>
      <Progress of={entries} one="change" />
    </>
  );
}

function Person({ event, email, reload }: EventProps & { readonly email: string }) {
  const person = useLoaded(async () => {
    const query = { eventID: event.id, year: event.year, email, attendance: true };
    return (await read<{ readonly data: readonly Registration[] }>("/registrations", query)).data;
  }, [email]);
  const done: PersonProps["done"] = (work) => work.finally(() => Promise.all([person.reload(), reload()]));
  const row = person.value?.[0];
  return (
    <>
      <p>
        {person.value && !row && `There is no registration of ${email}. `}
        <a href={eventDesk(event, "people")}>All people of this event</a>
      </p>
      <Waiting of={person} />
      {row && (
        <>
          <h2>{nameOf(row)}</h2>
          <Facts row={row} />
          <Moves {...{ event, rows: [row], after: () => done(Promise.resolve()) }} />
          <OtherActs {...{ event, row, done }} />
          <Company {...{ event, row, changed: () => done(Promise.resolve()) }} />
          <h2>Payments</h2>
          <Payments {...{ event, row }} />
          <h2>History</h2>
          <History {...{ event, row }} />
          <h2>Points and answers</h2>
          <AnswersForm key={String(row.isPartner)} {...{ event, row, done }} />
        </>
      )}
    </>
  );
}

export const PersonPage = ofEvent(Person);
