/** The people of an event: all registrations, and what can be done with many of them at once. */
import { useMemo, useState } from "preact/hooks";
import { Button, Failure, Said, useAct } from "../../shared/parts.tsx";
import { refusalText } from "../../shared/refusals.ts";
import { keep, readKept } from "../../shared/store.ts";
import type { Registration } from "../../shared/types.ts";
import { type EventParams, keyOf, personDesk } from "../addresses.ts";
import { download, readAll } from "../calls.ts";
import { type DeskEvent, EventFrame, useEvent } from "../event-frame.tsx";
import { count, Download, moment } from "../parts.tsx";
import { type Column, Table } from "../table.tsx";
import { type MoveName, states, wordsOf } from "./moves.ts";
import {
  askSince,
  choicesOf,
  countsOf,
  type Filters,
  filtered,
  merged,
  nameOf,
  noFilters,
  type Result,
} from "./people.ts";
import { RegisterPerson } from "./register-person.tsx";
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

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** Without the one for all. */
  readonly options: readonly (readonly [value: string, text: string])[];
  set(value: string): void;
}

const Choose = ({ label, value, options, set }: ChoiceProps) => (
  <label>
    {label}
    <select value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
      {[["", "All"] as const, ...options].map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

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
  return (
    <>
      <dl class="figures">
        {counts.map(([state, number]) => (
          <div key={state}>
            <dt>{states[state][0]}</dt>
            <dd>{number.toLocaleString("en-US")}</dd>
          </div>
        ))}
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
        <Choose
          {...{ label: "Status", value: filters.state, set: set("state") }}
          options={counts.map(([state, number]) => [state, `${states[state][0]} (${number.toLocaleString("en-US")})`])}
        />
        <Choose
          {...{ label: "Partners", value: filters.partner, set: set("partner") }}
          options={[["yes", "Partners only"] as const, ["no", "Without partners"] as const]}
        />
        <Choose {...{ label: "Answer", value: filters.answer, set: set("answer"), options: choicesOf(event) }} />
      </search>
      <div class="buttons">
        <Button {...{ act, text: "Refresh", onPress: () => act.run(refresh) }} />
        <Download
          {...{ act, text: "Save all as a table (CSV)" }}
          load={() => download("/registrations", { ...key, format: "csv" }, "people.csv")}
        />
      </div>
      <Said {...act} />
      {list.problem !== undefined && <Failure text={refusalText(list.problem)} again={list.reload} />}
      <p class="minor" role="status">
        {!list.value && "Loading … "}
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
