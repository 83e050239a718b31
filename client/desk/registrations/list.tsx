/** The people of an event: all registrations, and what can be done with many of them at once. */
import { useMemo, useState } from "preact/hooks";
import { Refused } from "../../shared/call.ts";
import { Choice, Line } from "../../shared/field.tsx";
import { explainForm, FormLine, Questions, useForm } from "../../shared/form.tsx";
import { Focused, Sending, useAct, Waiting } from "../../shared/parts.tsx";
import { keep, readKept } from "../../shared/store.ts";
import type { Registered, Registration } from "../../shared/types.ts";
import { personDesk } from "../addresses.ts";
import { changeOnce, readAll } from "../calls.ts";
import { type EventProps, ofEvent } from "../event-frame.tsx";
import { useFollowing } from "../following.tsx";
import { count, Figures, Run, SaveTable, Select } from "../parts.tsx";
import { column, figure, minor, Table, when } from "../table.tsx";
import { type MoveName, placeText, states, wordsOf } from "./moves.ts";
import type { Filters, Result } from "./people.ts";
import { askSince, choicesOf, countsOf, filtered, merged, nameOf, noFilters, questionsFor } from "./people.ts";
import { Moves, moneyText, StateTag } from "./shown.tsx";

const columns = [
  column<Registration>("Name", nameOf),
  column<Registration>("Email", ({ email }) => email, minor),
  column<Registration>("Status", wordsOf, { of: (row) => <StateTag row={row} /> }),
  column<Registration>("Partner", ({ isPartner }) => (isPartner ? "Partner" : ""), minor),
  column<Registration>("Money", moneyText, minor),
  figure<Registration>("Points", ({ points }) => points, minor),
  when<Registration>("Registered", ({ createdAt }) => createdAt),
  when<Registration>("Checked in", ({ checkedInAt }) => checkedInAt),
];

/** An executive registers a person. It shows where the person stands then, also one who is registered already. */
function RegisterPerson({ event, reload }: Omit<EventProps, "tag">) {
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
      void reload();
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

const partnerChoices = [["yes", "Partners only"] as const, ["no", "Without partners"] as const];

function People({ event, reload }: EventProps) {
  const key = { eventID: event.id, year: event.year };
  const list = useFollowing<Registration>("/registrations", key);
  const draft = `people/${event.id}/${event.year}`;
  const [changed, setChanged] = useState<readonly Registration[]>([]);
  const [filters, setFilters] = useState<Filters>(() => readKept<Filters>(draft) ?? noFilters);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => merged(list.rows, changed), [list.rows, changed]);
  const counts = useMemo(() => countsOf(rows), [rows]);
  const shown = useMemo(() => filtered(rows, filters), [rows, filters]);
  const chosen = useMemo(() => rows.filter(({ email }) => ticked.has(email)), [rows, ticked]);
  const hidden = chosen.length - shown.filter(({ email }) => ticked.has(email)).length;
  const set = (name: keyof Filters) => (value: string) => {
    setFilters({ ...filters, [name]: value });
    keep(draft, { ...filters, [name]: value });
  };
  const refresh = async () => {
    void reload();
    const news = await readAll<Registration>("/registrations", { ...key, changedSince: askSince(rows) });
    setChanged((before) => merged(before, news));
    return "This is how it is now.";
  };
  const after = async (name: MoveName, failed: readonly Result[]) => {
    // A list shows a change within a second.
    await new Promise((soon) => setTimeout(soon, 1_000));
    if (name === "delete") {
      setChanged([]);
      await list.reload();
    }
    await refresh().catch(() => undefined);
    setTicked(new Set(failed.map(({ email }) => email)));
  };
  const shownIn = counts
    .filter(([, number]) => number > 0)
    .map(([state, number]) => [states[state][0], number] as const);
  const inStates = counts.map(
    ([state, number]) => [state, `${states[state][0]} (${number.toLocaleString("en-US")})`] as const,
  );
  const choices = [
    ["state", "Status", inStates] as const,
    ["partner", "Partners", partnerChoices] as const,
    ["answer", "Answer", choicesOf(event)] as const,
  ];
  return (
    <>
      <Figures rows={shownIn} />
      <search class="filters">
        <Line id="search" label="Name or email" required={false} value={filters.search} set={set("search")} />
        {choices.map(([id, label, options]) => (
          <Select key={id} {...{ id, label, none: "All", value: filters[id], choices: options, set: set(id) }} />
        ))}
      </search>
      <div class="buttons">
        <Run {...{ text: "Refresh", run: refresh }} />
        <SaveTable {...{ text: "Save all as a table (CSV)", path: "/registrations", query: key, file: "people.csv" }} />
      </div>
      <Waiting of={list} />
      <p class="minor" role="status">
        {shown.length.toLocaleString("en-US")} of {count(rows.length, "person", "people")}
        {chosen.length > 0 && ` · ${chosen.length.toLocaleString("en-US")} chosen`}
        {hidden > 0 && `, ${hidden.toLocaleString("en-US")} of them not shown`}
      </p>
      <Moves {...{ event, rows: chosen, after }} />
      <Table<Registration>
        {...{ title: "People", rows: shown, columns, selection: { keys: ticked, set: setTicked } }}
        {...{ keyOf: ({ email }) => email, pageOf: ({ email }) => personDesk(event, email) }}
        none={list.value ? (rows.length > 0 ? "Nobody fits the search." : "Nobody has registered yet.") : ""}
      />
      <RegisterPerson {...{ event, reload: () => refresh().then(undefined, () => undefined) }} />
    </>
  );
}

export const PeoplePage = ofEvent(People);
