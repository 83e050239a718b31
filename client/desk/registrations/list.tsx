/** The people of an event: all registrations, and what can be done with many of them at once. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Button, Failure, Said, useAct } from "../../shared/parts.tsx";
import { refusalText } from "../../shared/refusals.ts";
import { keep, readKept } from "../../shared/store.ts";
import type { Registration } from "../../shared/types.ts";
import { type EventKey, type EventParams, keyOf, personDesk } from "../addresses.ts";
import { download, readAll } from "../calls.ts";
import { type DeskEvent, EventFrame, useEvent } from "../event-frame.tsx";
import { Asking, count, Download, moment } from "../parts.tsx";
import { type Column, Table } from "../table.tsx";
import { type MoveName, mayMove, moveNames, moves, seatsText, stateOf, states } from "./moves.ts";
import {
  answerKey,
  askSince,
  choiceQuestions,
  countsOf,
  type Filters,
  filtered,
  merged,
  moved,
  nameOf,
  noFilters,
  type Result,
} from "./people.ts";
import { RegisterPerson } from "./register-person.tsx";
import { moveMany } from "./send.ts";
import { type Done, moneyText, Outcome, rowsOf, StateTag } from "./shown.tsx";

interface List {
  readonly rows: readonly Registration[];
  readonly isComplete: boolean;
  readonly problem?: unknown;
}

interface People extends List {
  load(): Promise<void>;
  /** Asks only for what has changed. */
  refresh(): Promise<string>;
  set(next: (rows: readonly Registration[]) => readonly Registration[]): void;
}

/** All registrations of an event, as they come. */
function usePeople({ id, year }: EventKey): People {
  const [list, setList] = useState<List>({ rows: [], isComplete: false });
  const latest = useRef(0);
  const query = { eventID: id, year };
  const load = async () => {
    latest.current += 1;
    const mine = latest.current;
    const show = (next: Partial<List>) => {
      if (mine === latest.current) setList((shown) => ({ ...shown, ...next }));
    };
    setList({ rows: [], isComplete: false });
    // Without a limit a page has some thousand rows.
    await readAll("/registrations", query, rowsOf, (rows) => show({ rows })).then(
      () => show({ isComplete: true }),
      (problem: unknown) => show({ problem }),
    );
  };
  const set: People["set"] = (next) => setList((shown) => ({ ...shown, rows: next(shown.rows) }));
  const refresh = async () => {
    const changed = await readAll("/registrations", { ...query, changedSince: askSince(list.rows) }, rowsOf);
    set((rows) => merged(rows, changed));
    return "This is how it is now.";
  };
  useEffect(() => {
    void load();
    return () => {
      latest.current += 1;
    };
  }, [id, year]);
  return { ...list, load, refresh, set };
}

const columns: readonly Column<Registration>[] = [
  { title: "Name", of: (row) => nameOf(row) || row.email, by: nameOf },
  { title: "Email", of: ({ email }) => email, by: ({ email }) => email, isMinor: true },
  { title: "Status", of: (row) => <StateTag row={row} />, by: (row) => states[stateOf(row)].words },
  {
    title: "Partner",
    of: ({ isPartner }) => (isPartner ? "Partner" : ""),
    by: (row) => Number(row.isPartner),
    isMinor: true,
  },
  { title: "Money", of: moneyText, by: moneyText, isMinor: true },
  { title: "Points", of: ({ points }) => points, by: ({ points }) => points, isNumber: true, isMinor: true },
  { title: "Registered", of: ({ createdAt }) => moment(createdAt), by: ({ createdAt }) => createdAt, isMinor: true },
  { title: "Checked in", of: (row) => moment(row.checkedInAt), by: (row) => row.checkedInAt ?? 0, isMinor: true },
];

interface FilterProps {
  readonly event: DeskEvent;
  readonly filters: Filters;
  readonly counts: ReturnType<typeof countsOf>;
  set(filters: Filters): void;
}

function FilterFields({ event, filters, counts, set }: FilterProps) {
  const field = (name: keyof Filters) => ({
    value: filters[name],
    onInput: ({ currentTarget: { value } }: { readonly currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      set({ ...filters, [name]: value }),
  });
  const questions = choiceQuestions(event);
  return (
    <search class="filters">
      <label>
        Name or email <input type="search" autocomplete="off" {...field("search")} />
      </label>
      <label>
        Status
        <select {...field("state")}>
          <option value="">All</option>
          {counts.map(([state, number]) => (
            <option key={state} value={state}>
              {states[state].words} ({number.toLocaleString("en-US")})
            </option>
          ))}
        </select>
      </label>
      <label>
        Partners
        <select {...field("partner")}>
          <option value="">Everybody</option>
          <option value="yes">Partners only</option>
          <option value="no">Without partners</option>
        </select>
      </label>
      {questions.length > 0 && (
        <label>
          Answer
          <select {...field("answer")}>
            <option value="">Any</option>
            {questions.map(({ questionId, label, choices = [] }) => (
              <optgroup key={questionId} label={label}>
                {choices.map((choice) => (
                  <option key={choice} value={answerKey(questionId, choice)}>
                    {choice}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
      )}
    </search>
  );
}

interface AskMoveProps {
  readonly name: MoveName;
  readonly event: DeskEvent;
  /** Those of the chosen that can be moved so. */
  readonly rows: readonly Registration[];
  /** How many are chosen. */
  readonly chosen: number;
  act(progress: (text: string) => void): Promise<void>;
}

/** A move of many: how many it changes, how many get a mail, and whether the seats suffice. */
function AskMove({ name, event, rows, chosen, act }: AskMoveProps) {
  const { text, mails, takesSeat, says } = moves[name];
  const [progress, setProgress] = useState("");
  const many = count(rows.length, "person", "people");
  return (
    <Asking
      {...{
        text: `${text} (${rows.length.toLocaleString("en-US")})`,
        title: `${text}: ${many}?`,
        sure: `${text}: ${many}`,
      }}
      act={() => act(setProgress)}
    >
      {chosen > rows.length && (
        <p>
          The other {count(chosen - rows.length, "chosen person", "chosen people")} stay as they are: it is not possible
          for them.
        </p>
      )}
      {takesSeat && <p>{seatsText(event, rows)}</p>}
      <p>{mails ? `${many} will get a mail.` : "Nobody gets a mail."}</p>
      {says && <p>{says}</p>}
      <p role="status">{progress}</p>
    </Asking>
  );
}

const outcomeText = (name: MoveName, results: readonly Result[]): string => {
  const done = results.filter(({ success }) => success).length;
  const failed = results.length - done;
  return `${done.toLocaleString("en-US")} ${moves[name].done}${failed > 0 ? `, ${failed} not` : ""}.`;
};

interface ContentProps {
  readonly event: DeskEvent;
  readonly people: People;
  reloadEvent(): Promise<void>;
}

function Content({ event, people, reloadEvent }: ContentProps) {
  const { rows, isComplete, problem } = people;
  const draft = `people/${event.id}/${event.year}`;
  const [filters, setFilters] = useState<Filters>(() => readKept<Filters>(draft) ?? noFilters);
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const [done, setDone] = useState<Done>();
  const act = useAct();
  const counts = useMemo(() => countsOf(rows), [rows]);
  const shown = useMemo(() => filtered(rows, filters), [rows, filters]);
  const chosen = useMemo(() => rows.filter(({ email }) => keys.has(email)), [rows, keys]);
  const hidden = chosen.length - shown.filter(({ email }) => keys.has(email)).length;
  const hasApplications = event.isApplicationBased === true;
  const refresh = async () => {
    void reloadEvent();
    return people.refresh();
  };
  const move = async (name: MoveName, of: readonly Registration[], progress: (text: string) => void) => {
    setDone(undefined);
    const wanted = of.map((row) => ({ row, name }));
    const results = await moveMany(event, wanted, (at, all) =>
      progress(`${at.toLocaleString("en-US")} of ${all.toLocaleString("en-US")}`),
    );
    const after = new Map(results.filter(({ success }) => success).map((one) => [one.email, one]));
    people.set((all) =>
      all.flatMap((row) => {
        const result = after.get(row.email);
        if (!result) return [row];
        return result.registrationStatus ? [moved(row, result.registrationStatus, hasApplications)] : [];
      }),
    );
    const failed = results.filter(({ success }) => !success);
    setKeys(new Set(failed.map(({ email }) => email)));
    setDone({ text: outcomeText(name, results), failed });
    void refresh().catch(() => undefined);
  };
  return (
    <>
      <dl class="figures">
        {counts.map(([state, number]) => (
          <div key={state}>
            <dt>{states[state].words}</dt>
            <dd>{number.toLocaleString("en-US")}</dd>
          </div>
        ))}
      </dl>
      <FilterFields
        {...{ event, filters, counts }}
        set={(next) => {
          setFilters(next);
          keep(draft, next);
        }}
      />
      <div class="buttons">
        <Button {...{ act, text: "Refresh", onPress: () => act.run(refresh) }} />
        <Download
          {...{ act, text: "Save as a table (CSV)" }}
          load={() => download("/registrations", { eventID: event.id, year: event.year, format: "csv" }, "people.csv")}
        />
      </div>
      <Said {...act} />
      {problem !== undefined && <Failure text={refusalText(problem)} again={people.load} />}
      <p class="minor" role="status">
        {isComplete ? "" : `Loading … ${rows.length.toLocaleString("en-US")} so far. `}
        {shown.length === rows.length
          ? count(rows.length, "person", "people")
          : `${shown.length.toLocaleString("en-US")} of ${count(rows.length, "person", "people")}`}
        {chosen.length > 0 &&
          ` · ${chosen.length.toLocaleString("en-US")} chosen${hidden > 0 ? `, ${hidden} of them not shown` : ""}`}
      </p>
      {done && <Outcome {...{ event, done }} />}
      {chosen.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: no fields of a form
        <div class="buttons" role="group" aria-label="What to do with those who are chosen">
          {moveNames.map((name) => {
            const movable = chosen.filter((row) => mayMove(name, row, hasApplications));
            return movable.length === 0 ? null : (
              <AskMove
                key={name}
                {...{ name, event, rows: movable, chosen: chosen.length }}
                act={(progress) => move(name, movable, progress)}
              />
            );
          })}
          <button type="button" onClick={() => setKeys(new Set())}>
            Choose nobody
          </button>
        </div>
      )}
      <Table
        {...{ title: "People", rows: shown, columns, selection: { keys, set: setKeys } }}
        keyOf={({ email }) => email}
        pageOf={({ email }) => personDesk(event, email)}
        none={rows.length > 0 ? "Nobody fits the search." : isComplete ? "Nobody has registered yet." : ""}
      />
      <RegisterPerson {...{ event, onRegistered: () => void refresh().catch(() => undefined) }} />
    </>
  );
}

export function PeoplePage(params: EventParams) {
  const key = keyOf(params);
  const event = useEvent(key);
  const people = usePeople(key);
  return (
    <EventFrame event={event}>
      {(value) => <Content {...{ event: value, people, reloadEvent: event.reload }} />}
    </EventFrame>
  );
}
