/** The people of an event: all registrations, and what can be done with many of them at once. */
import { useMemo, useState } from "preact/hooks";
import { Refused } from "../../shared/call.ts";
import { Choice } from "../../shared/field.tsx";
import { explainForm, FormLine, Questions, useForm } from "../../shared/form.tsx";
import { Button, Focused, Said, Sending, useAct, Waiting } from "../../shared/parts.tsx";
import { keep, readKept } from "../../shared/store.ts";
import type { Registered, Registration } from "../../shared/types.ts";
import { type EventParams, keyOf, personDesk } from "../addresses.ts";
import { changeOnce, download, readAll } from "../calls.ts";
import { type DeskEvent, EventFrame, useEvent } from "../event-frame.tsx";
import { count, Download, moment } from "../parts.tsx";
import { type Column, Table } from "../table.tsx";
import { type MoveName, placeText, states, wordsOf } from "./moves.ts";
import {
  askSince,
  choicesOf,
  countsOf,
  type Filters,
  filtered,
  merged,
  nameOf,
  noFilters,
  questionsFor,
  type Result,
} from "./people.ts";
import { Moves, moneyText, rowsOf, StateTag, useRows } from "./shown.tsx";

// biome-ignore format: one row a column
const columns: readonly Column<Registration>[] = [
  { title: "Name", of: nameOf, by: nameOf },
  { title: "Email", of: ({ email }) => email, by: ({ email }) => email, isMinor: true },
  { title: "Status", of: (row) => <StateTag row={row} />, by: wordsOf },
  { title: "Partner", of: ({ isPartner }) => isPartner && "Partner", by: ({ isPartner }) => Number(isPartner), isMinor: true },
  { title: "Money", of: moneyText, by: moneyText, isMinor: true },
  { title: "Points", of: ({ points }) => points, by: ({ points }) => points, isNumber: true, isMinor: true },
  { title: "Registered", of: ({ createdAt }) => moment(createdAt), by: ({ createdAt }) => createdAt, isMinor: true },
  { title: "Checked in", of: (row) => moment(row.checkedInAt), by: (row) => row.checkedInAt ?? 0, isMinor: true },
];

/** An executive registers a person. It shows where the person stands then, also one who is registered already. */
function RegisterPerson({ event, onRegistered }: { readonly event: DeskEvent; onRegistered(): void }) {
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

interface ContentProps extends ReturnType<typeof useRows> {
  readonly event: DeskEvent;
  reloadEvent(): Promise<void>;
}

function Content({ event, list, rows: first, reloadEvent }: ContentProps) {
  const key = { eventID: event.id, year: event.year };
  const draft = `people/${event.id}/${event.year}`;
  const [changed, setChanged] = useState<readonly Registration[]>([]);
  const [filters, setFilters] = useState<Filters>(() => readKept<Filters>(draft) ?? noFilters);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const act = useAct();
  const rows = useMemo(() => merged(first, changed), [first, changed]);
  const counts = useMemo(() => countsOf(rows), [rows]);
  const shown = useMemo(() => filtered(rows, filters), [rows, filters]);
  const chosen = useMemo(() => rows.filter(({ email }) => ticked.has(email)), [rows, ticked]);
  const hidden = chosen.length - shown.filter(({ email }) => ticked.has(email)).length;
  const set = (name: keyof Filters) => (value: string) => {
    setFilters({ ...filters, [name]: value });
    keep(draft, { ...filters, [name]: value });
  };
  const refresh = async () => {
    void reloadEvent();
    const news = await readAll("/registrations", { ...key, changedSince: askSince(rows) }, rowsOf);
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
  const inStates = counts.map(([state, number]) => [state, `${states[state][0]} (${number.toLocaleString("en-US")})`]);
  const choices = [
    ["state", "Status", inStates],
    [
      "partner",
      "Partners",
      [
        ["yes", "Partners only"],
        ["no", "Without partners"],
      ],
    ],
    ["answer", "Answer", choicesOf(event)],
  ] as const;
  return (
    <>
      <dl class="figures">
        {counts.map(([state, number]) =>
          number === 0 ? null : (
            <div key={state}>
              <dt>{states[state][0]}</dt>
              <dd>{number.toLocaleString("en-US")}</dd>
            </div>
          ),
        )}
      </dl>
      <search class="filters">
        <label>
          Name or email
          <input
            type="search"
            value={filters.search}
            onInput={({ currentTarget }) => set("search")(currentTarget.value)}
          />
        </label>
        {choices.map(([name, label, options]) => (
          <label key={name}>
            {label}
            <select value={filters[name]} onChange={({ currentTarget }) => set(name)(currentTarget.value)}>
              <option value="">All</option>
              {options.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          </label>
        ))}
      </search>
      <div class="buttons">
        <Button {...{ act, text: "Refresh", onPress: () => act.run(refresh) }} />
        <Download
          {...{ act, text: "Save all as a table (CSV)" }}
          load={() => download("/registrations", { ...key, format: "csv" }, "people.csv")}
        />
      </div>
      <Said {...act} />
      <Waiting of={list} />
      <p class="minor" role="status">
        {shown.length.toLocaleString("en-US")} of {count(rows.length, "person", "people")}
        {chosen.length > 0 && ` · ${chosen.length.toLocaleString("en-US")} chosen`}
        {hidden > 0 && `, ${hidden.toLocaleString("en-US")} of them not shown`}
      </p>
      <Moves {...{ event, rows: chosen, after }} />
      <Table
        {...{ title: "People", rows: shown, columns, selection: { keys: ticked, set: setTicked } }}
        keyOf={({ email }) => email}
        pageOf={({ email }) => personDesk(event, email)}
        none={list.value && (rows.length > 0 ? "Nobody fits the search." : "Nobody has registered yet.")}
      />
      <RegisterPerson {...{ event, onRegistered: () => void refresh().catch(() => undefined) }} />
    </>
  );
}

export function PeoplePage(params: EventParams) {
  const { id, year } = keyOf(params);
  const event = useEvent({ id, year });
  // Without a limit a page has some thousand rows.
  const people = useRows({ eventID: id, year });
  return (
    <EventFrame event={event}>
      {(value) => <Content {...{ ...people, event: value, reloadEvent: event.reload }} />}
    </EventFrame>
  );
}
