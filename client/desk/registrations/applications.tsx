/** Applications beside each other, and decisions about them: noted one by one, sent together. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Choice } from "../../shared/field.tsx";
import { Button, Said, useAct, useLoaded, Waiting } from "../../shared/parts.tsx";
import { keep, readKept } from "../../shared/store.ts";
import type { Answer, Registration } from "../../shared/types.ts";
import { type EventParams, keyOf, personDesk } from "../addresses.ts";
import { readAll } from "../calls.ts";
import { type DeskEvent, EventFrame, useEvent } from "../event-frame.tsx";
import { Asking, count, moment, Tag, Values } from "../parts.tsx";
import { Small } from "../schema-form.tsx";
import { type Decision, decisions, mayMove, moves, seatsText, stateOf, wordsOf } from "./moves.ts";
import { afterSending, type Note, nextOf, noted, notesText } from "./notes.ts";
import { merged, moved, nameOf, questionsFor } from "./people.ts";
import { moveMany } from "./send.ts";
import { attendanceText, type Done, Outcome, rowsOf, StateTag } from "./shown.tsx";

const AnswerText = ({ answer }: { readonly answer: Answer | undefined }) => {
  const text = [answer ?? []].flat().join(", ");
  if (/^https:\/\/\S+$/.test(text)) {
    return (
      <a href={text} target="_blank" rel="noreferrer">
        {text}
      </a>
    );
  }
  return text || <span class="minor">No answer</span>;
};

interface ApplicationProps {
  readonly event: DeskEvent;
  readonly row: Registration;
  readonly note: Note | undefined;
  /** Keys and buttons are about another one. */
  readonly isNext?: boolean;
}

function Application({ event, row, note, isNext = false }: ApplicationProps) {
  const { lname: _, fname: __, ...about } = row.basicInformation;
  return (
    <article class={isNext ? "panel minor-cell" : "panel acting"} aria-label={isNext ? "The next one" : "This one"}>
      <h2>
        {isNext && <span class="minor">Next: </span>}
        <a href={personDesk(event, row.email)}>{nameOf(row) || row.email}</a>
      </h2>
      <p>
        <StateTag row={row} /> {note && <Tag text={`Noted: ${moves[note.name].done}`} kind="good" />}{" "}
        {row.isPartner && <Tag text="Partner" />}
      </p>
      <Values
        rows={[
          ["Email", row.email],
          ["Applied", moment(row.createdAt)],
          ["Earlier", attendanceText(row)],
          ["About", Object.values(about).filter(Boolean).join(" · ")],
        ]}
      />
      {questionsFor(event, row.isPartner).map(({ questionId, label }) => (
        <section key={questionId}>
          <h3>{label}</h3>
          <p class="prose">
            <AnswerText answer={row.dynamicResponses[questionId]} />
          </p>
        </section>
      ))}
    </article>
  );
}

const keysOf: Readonly<Record<Decision, string>> = { accept: "A", reject: "R", line: "W" };

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest("input:not([type=checkbox]), select, textarea, dialog[open]") !== null;

/** Keys of the whole page, while nothing is typed. @param on by the key, in lower case */
function useKeys(isOn: boolean, on: Readonly<Record<string, () => void>>): void {
  const latest = useRef(on);
  latest.current = on;
  useEffect(() => {
    if (!isOn) return undefined;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || document.querySelector("dialog[open]"))
        return;
      const act = latest.current[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [isOn]);
}

/** The notes of this tab. */
function useNotes({ id, year }: DeskEvent) {
  const key = `decisions/${id}/${year}`;
  const [notes, setNotes] = useState<readonly Note[]>(() => readKept<readonly Note[]>(key) ?? []);
  const set = (next: (notes: readonly Note[]) => readonly Note[]) =>
    setNotes((before) => {
      const after = next(before);
      keep(key, after.length > 0 ? after : undefined);
      return after;
    });
  return [notes, set] as const;
}

const decided = "waitlist,accepted,acceptedPending,acceptedComplete,rejected";

interface ContentProps {
  readonly event: DeskEvent;
  reloadEvent(): Promise<void>;
}

function Content({ event, reloadEvent }: ContentProps) {
  const [withDecided, setWithDecided] = useState(false);
  const [hasKeys, setKeys] = useState(true);
  const [soFar, setSoFar] = useState<readonly Registration[]>([]);
  /** Those that this page has moved, until the list shows it. */
  const [changed, setChanged] = useState<readonly Registration[]>([]);
  const [notes, setNotes] = useNotes(event);
  const [at, setAt] = useState("");
  const [done, setDone] = useState<Done>();
  const [progress, setProgress] = useState("");
  const act = useAct();
  const list = useLoaded(() => {
    const status = withDecided ? `registered,${decided}` : "registered";
    const query = { eventID: event.id, year: event.year, status, attendance: true };
    return readAll("/registrations", query, rowsOf, setSoFar);
  }, [event.id, event.year, withDecided]);

  const rows = merged(changed, list.value ?? soFar)
    .filter((row) => withDecided || stateOf(row) === "applicant")
    .toSorted((one, other) => one.createdAt - other.createdAt);
  const found = rows.findIndex(({ email }) => email === at);
  const index = Math.max(0, found);
  const [row, next] = [rows[index], rows[index + 1]];
  const noteOf = ({ email }: Registration) => notes.find((note) => note.email === email);

  const go = (by: number) => setAt(rows[Math.min(Math.max(0, index + by), rows.length - 1)]?.email ?? "");
  const decide = (name: Decision) => {
    if (!row) return;
    const who = nameOf(row) || row.email;
    if (!mayMove(name, row, true)) return act.say(`Not possible: ${who} is “${wordsOf(row)}”.`, true);
    const after = noted(notes, row, name);
    setNotes(() => after);
    const following = nextOf(rows, index, after);
    setAt(following?.email ?? "");
    act.say(`${who}: ${moves[name].done}, noted.${following ? ` Now ${nameOf(following)}.` : ""}`);
  };
  const undo = () => {
    const last = notes.at(-1);
    if (!last) return act.say("Nothing is noted.");
    setNotes((all) => all.filter(({ email }) => email !== last.email));
    setAt(last.email);
    act.say(`${last.fname || last.email}: not noted any more.`);
  };
  useKeys(hasKeys, {
    ...{ a: () => decide("accept"), r: () => decide("reject"), w: () => decide("line"), u: undo },
    ...{ j: () => go(1), arrowright: () => go(1), k: () => go(-1), arrowleft: () => go(-1) },
  });
  const send = async () => {
    setDone(undefined);
    const wanted = notes.map((note) => ({ row: note, name: note.name }));
    const results = await moveMany(event, wanted, (sent, all) => setProgress(`${sent} of ${all}`));
    setProgress("");
    const statuses = new Map(results.map((result) => [result.email, result.registrationStatus]));
    setChanged((before) =>
      merged(
        rows.flatMap((one) => {
          const status = statuses.get(one.email);
          return status ? [moved(one, status, true)] : [];
        }),
        before,
      ),
    );
    setNotes((all) => afterSending(all, results));
    const failed = results.filter(({ success }) => !success);
    setDone({
      text: `${results.length - failed.length} sent${failed.length > 0 ? `, ${failed.length} not` : ""}.`,
      failed,
    });
    void reloadEvent();
  };
  const accepted = notes.filter(({ name }) => name === "accept");
  return (
    <>
      <p>
        {count(event.counts?.applicantCount ?? 0, "application")} without a decision ·{" "}
        {event.counts?.remaining == null ? "seats without a limit" : `${count(event.counts.remaining, "seat")} free`}
      </p>
      <Choice name="decided" value="yes" type="checkbox" checked={withDecided} choose={setWithDecided}>
        Show those that are decided, too
      </Choice>
      {done && <Outcome {...{ event, done }} />}
      {notes.length > 0 && (
        <>
          <Asking
            {...{ text: `Send decisions (${notesText(notes)})`, title: "Send the decisions?", isMain: true }}
            {...{ sure: `Send ${count(notes.length, "decision")}`, act: send }}
          >
            <p>{notesText(notes)}. Each person gets a mail about it, which cannot be taken back.</p>
            {accepted.length > 0 && <p>{seatsText(event, accepted)}</p>}
            <p role="status">{progress}</p>
          </Asking>
          <details>
            <summary>What is noted</summary>
            <ul>
              {notes.map(({ email, name, message }) => (
                <li key={email}>
                  <a href={personDesk(event, email)}>{email}</a>: {moves[name].done}{" "}
                  {message && <span class="problem">{message}</span>}
                  <Small
                    {...{ text: "Forget", of: email }}
                    onPress={() => setNotes((all) => all.filter((note) => note.email !== email))}
                  />
                </li>
              ))}
            </ul>
          </details>
        </>
      )}
      <Waiting of={list.problem === undefined && soFar.length > 0 ? { ...list, value: rows } : list} />
      {list.value && rows.length === 0 && <p>No application waits for a decision.</p>}
      {row && (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: no fields of a form */}
          <div class="buttons" role="group" aria-label="Decide">
            <Button {...{ act, text: "← Previous (K)", onPress: () => go(-1) }} />
            {decisions.map((name) => (
              <button
                key={name}
                type="button"
                class={name === "accept" ? "main" : undefined}
                aria-pressed={noteOf(row)?.name === name}
                aria-disabled={!mayMove(name, row, true)}
                onClick={() => decide(name)}
              >
                {moves[name].text} ({keysOf[name]})
              </button>
            ))}
            <Button {...{ act, text: "Next → (J)", onPress: () => go(1) }} />
            <Button {...{ act, text: "Undo (U)", onPress: undo }} />
          </div>
          <Said {...act} />
          <p class="minor">
            {index + 1} of {rows.length}
            {list.value ? "" : " so far"}. A decision is only noted in this tab until you send it.
          </p>
          <div class="columns">
            <Application {...{ event, row, note: noteOf(row) }} />
            {next && <Application {...{ event, row: next, note: noteOf(next), isNext: true }} />}
          </div>
          <Choice name="keys" value="yes" type="checkbox" checked={hasKeys} choose={setKeys}>
            Keys: A accept, R reject, W put in line, J or → next, K or ← previous, U undo
          </Choice>
        </>
      )}
    </>
  );
}

export function ApplicationsPage(params: EventParams) {
  const event = useEvent(keyOf(params));
  return (
    <EventFrame event={event}>{(value) => <Content {...{ event: value, reloadEvent: event.reload }} />}</EventFrame>
  );
}
