/** Applications beside each other, and decisions about them: noted one by one, sent together. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Choice } from "../../shared/field.tsx";
import { Button, Said, useAct, Waiting } from "../../shared/parts.tsx";
import { account } from "../../shared/session.ts";
import { keep, readKept } from "../../shared/store.ts";
import type { Answer, Registration } from "../../shared/types.ts";
import { personDesk } from "../addresses.ts";
import { type EventProps, ofEvent } from "../event-frame.tsx";
import { useFollowing } from "../following.tsx";
import { Asking, count, type DeskEvent, moment, Small, Tag, Values } from "../parts.tsx";
import { type Decision, decisions, inWords, mayMove, moves, seatsText, stateOf, wordsOf } from "./moves.ts";
import { afterSending, type Note, nameOf, nextOf, noted, notesText, questionsFor } from "./people.ts";
import { attendanceText, moveMany, StateTag } from "./shown.tsx";

function AnswerText({ answer }: { readonly answer: Answer | undefined }) {
  const text = [answer ?? []].flat().join(", ");
  if (!/^https:\/\/\S+$/.test(text)) return text || <span class="minor">No answer</span>;
  return (
    <a href={text} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}

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
        {isNext && "Next: "}
        <a href={personDesk(event, row.email)}>{nameOf(row)}</a>
      </h2>
      <p>
        <StateTag row={row} /> {note && <Tag text={`Noted: ${moves[note.name].done}`} kind="good" />}{" "}
        {row.isPartner && <Tag text="Partner" />}
      </p>
      <Values
        rows={[
          ["Applied", moment(row.createdAt)],
          ["Earlier", attendanceText(row)],
          ["About", Object.values(about).filter(Boolean).join(" · ")],
        ]}
      />
      {questionsFor(event, row.isPartner).map(({ questionId, label }) => (
        <div key={questionId}>
          <h3>{label}</h3>
          <p class="prose">
            <AnswerText answer={row.dynamicResponses[questionId]} />
          </p>
        </div>
      ))}
    </article>
  );
}

/** Keys of the whole page, while it is shown, nothing is typed, and no question is open. @param on by the key, in lower case */
function useKeys(isOn: boolean, on: Readonly<Record<string, () => void>>): void {
  const latest = useRef(on);
  latest.current = on;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).closest("input:not([type=checkbox]), select, textarea");
      const act = latest.current[event.key.toLowerCase()];
      const isOther = event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]");
      if (!isOn || !act || isTyping || isOther || !account.peek()) return;
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
  useEffect(() => keep(key, notes.length > 0 ? notes : undefined), [notes]);
  return [notes, setNotes] as const;
}

const keysOf: Readonly<Record<Decision, string>> = { accept: "A", reject: "R", line: "W" };
const all = "registered,waitlist,accepted,acceptedPending,acceptedComplete,rejected";

function Applications({ event, reload }: EventProps) {
  const [withDecided, setWithDecided] = useState(false);
  const [hasKeys, setKeys] = useState(true);
  const [notes, setNotes] = useNotes(event);
  /** The email of the one that is decided about. */
  const [at, setAt] = useState("");
  const [progress, setProgress] = useState("");
  const act = useAct();
  const status = withDecided ? all : "registered";
  const query = { eventID: event.id, year: event.year, status, attendance: true };
  const list = useFollowing<Registration>("/registrations", query);
  const rows = list.rows.filter((row) => withDecided || stateOf(row) === "applicant");
  const found = rows.findIndex(({ email }) => email === at);
  const index = Math.max(0, found);
  const [row, next] = [rows[index], rows[index + 1]];
  const noteOf = ({ email }: Registration) => notes.find((note) => note.email === email);
  const without = (email: string) => setNotes((before) => before.filter((note) => note.email !== email));
  const go = (by: number) => setAt(rows[Math.min(Math.max(0, index + by), rows.length - 1)]?.email ?? "");

  const decide = (name: Decision) => {
    if (!row) return;
    if (!mayMove(name, row, true)) return act.say(`Not possible: ${nameOf(row)} is “${wordsOf(row)}”.`, true);
    const after = noted(notes, row, name);
    setNotes(after);
    const following = nextOf(rows, index, after) ?? row;
    setAt(following.email);
    act.say(`${nameOf(row)}: ${moves[name].done}, noted. Now ${nameOf(following)}.`);
  };
  const undo = () => {
    const last = notes.at(-1);
    if (last) {
      without(last.email);
      setAt(last.email);
    }
    act.say(last ? `${last.email}: not noted any more.` : "Nothing is noted.");
  };
  useKeys(hasKeys, {
    ...{ a: () => decide("accept"), r: () => decide("reject"), w: () => decide("line"), u: undo },
    ...{ j: () => go(1), arrowright: () => go(1), k: () => go(-1), arrowleft: () => go(-1) },
  });
  const accepted = notes.filter(({ name }) => name === "accept");
  const send = async () => {
    const wanted = notes.map((note) => [note, note.name] as const);
    const results = await moveMany(event, wanted, setProgress);
    setNotes((before) => afterSending(before, results));
    await Promise.all([list.reload(), reload()]);
    const done = results.filter(({ success }) => success).length;
    act.say(`${done} sent${done < results.length ? `, ${results.length - done} not: see below` : ""}.`);
  };
  return (
    <>
      <Choice name="decided" value="yes" type="checkbox" checked={withDecided} choose={setWithDecided}>
        Show those that are decided, too
      </Choice>
      {notes.length > 0 && (
        <Asking
          {...{ text: `Send decisions (${notesText(notes)})`, title: "Send the decisions?", isMain: true, act: send }}
          says={`${notesText(notes)}. Each person gets a mail about it, which cannot be taken back.`}
          sure={`Send ${count(notes.length, "decision")}`}
        >
          <p>{seatsText(event, accepted)}</p>
          <p role="status">{progress}</p>
        </Asking>
      )}
      <Said {...act} />
      <ul>
        {notes.map(({ email, name, message }) =>
          message === undefined ? null : (
            <li key={email}>
              <a href={personDesk(event, email)}>{email}</a> is not {moves[name].done}: {inWords(message)}{" "}
              <Small {...{ text: "Forget the decision", of: email, onPress: () => without(email) }} />
            </li>
          ),
        )}
      </ul>
      <Waiting of={list} />
      {list.value && !row && <p>No application waits for a decision.</p>}
      {row && (
        <>
          <p class="minor">
            {index + 1} of {rows.length}
            {!list.value && " so far"}. A decision is only noted in this tab until you send it.
          </p>
          <div class="buttons">
            <Button {...{ act, text: "← Previous (K)", onPress: () => go(-1) }} />
            {decisions.map((name) => (
              <button
                key={name}
                type="button"
                class={noteOf(row)?.name === name ? "main" : undefined}
                aria-pressed={noteOf(row)?.name === name}
                onClick={() => decide(name)}
              >
                {moves[name].text} ({keysOf[name]})
              </button>
            ))}
            <Button {...{ act, text: "Next → (J)", onPress: () => go(1) }} />
            <Button {...{ act, text: "Undo (U)", onPress: undo }} />
          </div>
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

export const ApplicationsPage = ofEvent(Applications);
