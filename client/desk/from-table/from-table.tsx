/** People from a table: a file, its columns, what would become of each row, and what did. */
import type { InputHTMLAttributes } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { carryOut, type Outcome } from "../../people/carry-out.ts";
import type { DateOrder } from "../../people/cells.ts";
import { type Field, fieldsFor, guessed, type Mapping, type Purpose, questionsAbout } from "../../people/fields.ts";
import { countsOf, fates, listsFor, type Outlook, outlookOf, type Present } from "../../people/outlook.ts";
import { needsOrder, type Person, peopleIn, unansweredIn } from "../../people/people.ts";
import { reportOf } from "../../people/report.ts";
import { type PeopleTable, tableIn, UnreadableTable } from "../../people/table.ts";
import { now } from "../../shared/clock.ts";
import { Frame, tied } from "../../shared/field.tsx";
import { Button, Press, Said, useAct } from "../../shared/parts.tsx";
import { settings } from "../../shared/settings.ts";
import { answerTo, readAll, save } from "../calls.ts";
import { Asking, count, type DeskEvent, Section, Select, Values } from "../parts.tsx";
import { column, minor, Table } from "../table.tsx";

const mostRows = 5_000;
const mostBytes = 20 * 1_024 * 1_024;
/** Cells that show what a column has. */
const shownCells = 3;
/** Milliseconds between two drawings of the progress. */
const drawnEvery = 250;

interface FileProps {
  choose(table: PeopleTable | undefined, name: string): void;
}

/** The choice of a file. */
function FileField({ choose }: FileProps) {
  const [problem, setProblem] = useState<string>();
  const frame = {
    ...{ id: "table", label: "Table (CSV)", problem },
    hint: `At most ${mostRows.toLocaleString("en-US")} rows, with headings in the first.`,
  };
  const read = async (file: File | undefined) => {
    setProblem(undefined);
    choose(undefined, "");
    if (!file) return;
    try {
      if (file.size > mostBytes) throw new UnreadableTable("This file has more than 20 MB.");
      choose(tableIn(new Uint8Array(await file.arrayBuffer()), mostRows), file.name);
    } catch (error) {
      setProblem(error instanceof UnreadableTable ? error.message : "This file cannot be read.");
    }
  };
  const kinds = ".csv,.tsv,.txt,text/csv,text/plain";
  return (
    <Frame {...frame}>
      <input
        {...({ ...tied(frame), type: "file", accept: kinds } as InputHTMLAttributes<HTMLInputElement>)}
        onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
      />
    </Frame>
  );
}

const notUsed = "-";

interface ColumnsProps {
  readonly table: PeopleTable;
  readonly fields: readonly Field[];
  readonly mapping: Mapping;
  set(mapping: Mapping): void;
}

/** Asks for each column what is in it. */
const Columns = ({ table: { headings, rows }, fields, mapping, set }: ColumnsProps) => (
  <div class="filters">
    {headings.map((heading, at) => {
      const cells = rows.map(({ cells: all }) => all[at]).filter(Boolean);
      const chosen = mapping[at];
      return (
        <Select
          key={heading}
          {...{
            id: `column-${at}`,
            label: heading,
            none: "Choose …",
            value: chosen === null ? notUsed : (chosen ?? ""),
          }}
          hint={
            cells.length > 0 ? `Such as: ${cells.slice(0, shownCells).join(" · ").slice(0, 100)}` : "No row has it."
          }
          choices={[[notUsed, "Not used"], ...fields.map(({ name, label }) => [name, label] as const)]}
          set={(value) => set(mapping.with(at, value === notUsed ? null : value || undefined))}
        />
      );
    })}
  </div>
);

const orders = [["day", "The day: 31/08/2031"] as const, ["month", "The month: 08/31/2031"] as const];

const columns = [
  column<Outlook | Outcome>("Row", ({ row }) => row, { isNumber: true }),
  column<Outlook | Outcome>("Email", ({ email }) => email),
  column<Outlook | Outcome>("What", ({ says }) => says, minor),
];

/** Rows that need a look come first. */
const byNeed = (rows: readonly (Outlook | Outcome)[]) => {
  const isBad = (one: Outlook | Outcome) =>
    "result" in one ? one.result !== "done" && one.result !== "there" : one.fate === "fault";
  return [...rows.filter(isBad), ...rows.filter((one) => !isBad(one))];
};

const Rows = ({
  title,
  rows,
  file,
}: {
  readonly title: string;
  readonly rows: readonly (Outlook | Outcome)[];
  readonly file: string;
}) => (
  <>
    <Table<Outlook | Outcome>
      {...{ title, columns, rows: useMemo(() => byNeed(rows), [rows]) }}
      keyOf={({ row }) => String(row)}
    />
    <div class="buttons">
      <Press
        text="Save each row's outcome (CSV)"
        onPress={() =>
          save(new Blob([reportOf(rows)], { type: "text/csv" }), `${file.replace(/\.\w+$/, "")}.report.csv`)
        }
      />
    </div>
  </>
);

interface DoingProps {
  readonly outlooks: readonly Outlook[];
  readonly file: string;
}

const many = (outcomes: readonly Outcome[], ...results: readonly Outcome["result"][]): string =>
  outcomes.filter(({ result }) => results.includes(result)).length.toLocaleString("en-US");

/** What came of all rows. @param halted why it ended before the last one */
function doneText(outcomes: readonly Outcome[], halted: string | undefined): string {
  const left = `${many(outcomes, "there")} left as they were, ${many(outcomes, "fault", "refused")} left out.`;
  const open = halted === undefined ? "" : ` ${halted} Not done yet: ${many(outcomes, "open")}. Look again to go on.`;
  return `${many(outcomes, "done")} done, ${left}${open}`;
}

/** The act, how far it is, and what came of it. It ends when the page is left; the table can be taken again. */
function Doing({ outlooks, file }: DoingProps) {
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>();
  const [said, setSaid] = useState("");
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const acts = outlooks.filter(({ steps }) => steps.length > 0).length;
  const mails = outlooks.filter(({ fate }) => fates[fate][1]).length;
  const run = async () => {
    const all: Outcome[] = [];
    let drawn = 0;
    setSaid("It begins …");
    const halted = await carryOut(outlooks, {
      ...{ run: crypto.randomUUID(), stop: stop.current.signal },
      send: ({ method, path, body }, key) => answerTo(method, path, body, key),
      pause: (milliseconds) => new Promise<void>((resume) => setTimeout(resume, milliseconds)),
      told: (outcome) => {
        all.push(outcome);
        if (Date.now() - drawn < drawnEvery) return;
        drawn = Date.now();
        setSaid(`${all.length.toLocaleString("en-US")} of ${count(outlooks.length, "row")} …`);
      },
    });
    setOutcomes(all);
    setSaid(doneText(all, halted?.message));
  };
  return (
    <>
      {acts > 0 && said === "" && (
        <div class="buttons">
          <Asking
            {...{ text: `Do it for ${count(acts, "person", "people")}`, isMain: true, sure: "Do it" }}
            says={`${mails > 0 ? `A mail goes to ${count(mails, "person", "people")}.` : "No mail goes out."} A row that fails ends no other.`}
            act={async () => void run()}
          />
        </div>
      )}
      {said !== "" && (
        <p class="notice" role="status">
          {said}
        </p>
      )}
      {said !== "" && !outcomes && <Press text="Stop" onPress={() => stop.current.abort()} />}
      {outcomes ? (
        <Rows {...{ title: "What came of it", rows: outcomes, file }} />
      ) : (
        <Rows {...{ title: "What would happen", rows: outlooks, file }} />
      )}
    </>
  );
}

interface LookProps {
  readonly people: readonly Person[];
  readonly purpose: Purpose;
  readonly file: string;
  /** The event as it is now. */
  readEvent?(): Promise<DeskEvent>;
}

/** Says by row what would happen. Nothing is changed by it. */
function Look({ people, purpose, file, readEvent }: LookProps) {
  const act = useAct();
  const [looked, setLooked] = useState<{ readonly nth: number; readonly outlooks: readonly Outlook[] }>();
  useEffect(() => setLooked(undefined), [people]);
  const look = async () => {
    const event = await readEvent?.();
    const present: { -readonly [list in keyof Present]: Present[list] } = {};
    const progress = (rows: number) => act.say(`Reading: ${rows.toLocaleString("en-US")} so far …`);
    for (const [name, path, query] of listsFor(purpose, event))
      Object.assign(present, { [name]: await readAll(path, query, progress) });
    const outlooks = outlookOf(people, { purpose, event }, present, { now: now(), timeZone: settings.timeZone });
    setLooked(({ nth } = { nth: 0, outlooks }) => ({ nth: nth + 1, outlooks }));
  };
  const rows =
    looked && countsOf(looked.outlooks).map(([fate, many]) => [fates[fate][0], many.toLocaleString("en-US")] as const);
  return (
    <Section title="What would happen">
      <div class="buttons">
        <Button
          {...{
            act,
            text: looked ? "Look again" : "Look what would happen",
            isMain: !looked,
            onPress: () => act.run(look),
          }}
        />
      </div>
      <Said {...act} />
      {looked && rows && (
        <>
          <Values rows={rows.map(([says, many]) => [`${says.charAt(0).toUpperCase()}${says.slice(1)}`, many])} />
          <Doing key={looked.nth} {...{ outlooks: looked.outlooks, file }} />
        </>
      )}
    </Section>
  );
}

interface FromTableProps {
  readonly purpose: Purpose;
  readonly event?: DeskEvent;
  readEvent?(): Promise<DeskEvent>;
}

/** @param props.event whose registrations the rows become */
export function FromTable({ purpose, event, readEvent }: FromTableProps) {
  const [{ table, file }, setFile] = useState<{ readonly table?: PeopleTable; readonly file: string }>({ file: "" });
  const [mapping, setMapping] = useState<Mapping>([]);
  const [order, setOrder] = useState<DateOrder | "">("");
  const fields = useMemo(() => fieldsFor(purpose, event), [purpose, event]);
  const choose = (read: PeopleTable | undefined, name: string) => {
    setFile({ file: name, ...(read && { table: read }) });
    setMapping(read ? guessed(read.headings, fields) : []);
    setOrder("");
  };
  const open = table ? questionsAbout(table.headings, mapping, fields) : [];
  const people = useMemo(() => {
    if (!table || open.length > 0) return undefined;
    return peopleIn(table, { purpose, mapping, order: order || undefined, ...(event && { event }) });
  }, [table, mapping, order, event, open.length]);
  const isOpen = order !== "" || (people !== undefined && needsOrder(people));
  const unasked = event && people ? unansweredIn(event, mapping) : [];
  return (
    <>
      <FileField choose={choose} />
      {table && (
        <Section title={`${count(table.rows.length, "row")}: what is in the columns`}>
          <Columns {...{ table, fields, mapping, set: setMapping }} />
          {isOpen && (
            <Select
              {...{ id: "order", label: "What comes first in dates?", none: "Choose …", value: order, choices: orders }}
              set={(value) => setOrder(value as DateOrder | "")}
            />
          )}
          <div role="status">
            <ul>
              {open.map((one) => (
                <li key={one}>{one}</li>
              ))}
              {unasked.map((label) => (
                <li key={label}>No column answers “{label}”, which the event asks everybody.</li>
              ))}
            </ul>
          </div>
          {mapping.includes(undefined) && (
            <Press
              text="Use no other columns"
              onPress={() => setMapping(mapping.map((one) => (one === undefined ? null : one)))}
            />
          )}
        </Section>
      )}
      {people && <Look {...{ people, purpose, file, ...(readEvent && { readEvent }) }} />}
    </>
  );
}
