/** What all pages of the desk are made of. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { now } from "../shared/clock.ts";
import { momentText, shortMoment, whenText } from "../shared/dates.ts";
import { Frame, type FrameProps, tied } from "../shared/field.tsx";
import { type Act, Button, type Loaded, Press, Said, useAct, useLoaded, Waiting } from "../shared/parts.tsx";
import { account } from "../shared/session.ts";
import { settings } from "../shared/settings.ts";
import type { EventWithCounts } from "../shared/types.ts";
import type { EventKey } from "./addresses.ts";
import { download, readAll } from "./calls.ts";

/** An amount of the stage's currency. @param cents */
export const money = (cents: number): string =>
  new Intl.NumberFormat("en-US", { style: "currency", currency: settings.currency }).format(cents / 100);

/** A moment in the stage's zone, short if it is today; empty without one. @param at epoch milliseconds, or ISO 8601 */
export function moment(at: number | string | undefined): string {
  const time = typeof at === "string" ? Date.parse(at) : at;
  return time === undefined || Number.isNaN(time) ? "" : shortMoment(time, settings.timeZone, now());
}

/** `Friday, March 1, 2030 at 7:00 PM GMT-7`; empty without a time. @param iso ISO 8601 */
export const fullMoment = (iso: string | undefined): string =>
  iso === undefined ? "" : momentText(Date.parse(iso), settings.timeZone);

/** `1 seat`, `2 seats`. */
export const count = (number: number, one: string, more = `${one}s`): string =>
  `${number.toLocaleString("en-US")} ${number === 1 ? one : more}`;

/** What shows what an act changes. */
export interface DoneProps {
  done(said: string): unknown;
}

/** Says what was done, and reads again what that may have changed. */
export const sayer =
  (act: Act, ...shown: readonly { reload(): unknown }[]): DoneProps["done"] =>
  (said) => {
    act.say(said);
    for (const one of shown) void one.reload();
  };

export interface AskingProps {
  /** The button that opens the question. */
  readonly text: string;
  readonly isMain?: boolean;
  /** Absent: the text. */
  readonly title?: string;
  /** What will happen: who gets a mail, what it costs, whether it can be undone. */
  readonly says?: ComponentChildren;
  readonly children?: ComponentChildren;
  /** The button that does it. Absent: the text. */
  readonly sure?: string;
  /** Does it. Once it succeeds, the question closes, and what it returns is said beside the button. */
  act(): Promise<unknown>;
}

/** A button that says first what it will do, for all that mails, costs, or cannot be undone. */
export function Asking({ text, isMain = false, title = text, says, children, sure = text, act: work }: AskingProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const act = useAct();
  // An open one would lock the sign-in that a session's end shows instead of the page.
  const isShown = isOpen && account.value !== undefined;
  useEffect(() => {
    if (isShown) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isShown]);
  const send = async () => {
    if (await act.run(work)) setOpen(false);
  };
  return (
    <>
      <button type="button" class={isMain ? "main" : undefined} onClick={() => setOpen(true)}>
        {text}
      </button>
      {!isOpen && <Said {...act} />}
      <dialog ref={dialog} onClose={() => account.peek() && setOpen(false)} aria-label={title}>
        {isOpen && (
          <>
            <h2>{title}</h2>
            {says && <p>{says}</p>}
            {children}
            <div class="buttons">
              <Button {...{ act, text: sure, isMain: true, onPress: send }} />
              <Press text="Not now" onPress={() => setOpen(false)} />
            </div>
            <Said {...act} />
          </>
        )}
      </dialog>
    </>
  );
}

/** A button that does something, and says what came of it. */
export function Run({ text, run }: { readonly text: string; run(): Promise<unknown> }) {
  const act = useAct();
  return (
    <>
      <Button {...{ act, text, onPress: () => act.run(run) }} />
      <Said {...act} />
    </>
  );
}

interface SaveProps {
  readonly text?: string;
  readonly path: string;
  readonly query?: Parameters<typeof download>[1];
  readonly file: string;
}

/** A button that saves a list as a table on the device. */
export const SaveTable = ({ text = "Save as a table", path, query, file }: SaveProps) => (
  <Run {...{ text, run: () => download(path, { ...query, format: "csv" }, file) }} />
);

interface SmallProps {
  readonly text: string;
  /** What the button is about, for those who only hear it. */
  readonly of: string;
  onPress(): unknown;
}

/** A small button of a row or item. */
export const Small = ({ text, of, onPress }: SmallProps) => (
  <button type="button" class="small" aria-label={`${text}: ${of}`} onClick={() => void onPress()}>
    {text}
  </button>
);

/** A label of a state. @param kind its colour */
export const Tag = ({ text, kind = "" }: { readonly text: string; readonly kind?: "" | "good" | "bad" }) => (
  <span class={`tag ${kind}`}>{text}</span>
);

interface SectionProps {
  readonly title: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A part of a page with its heading. */
export const Section = ({ title, children, ...section }: SectionProps) => (
  <section {...section}>
    <h2>{title}</h2>
    {children}
  </section>
);

type Pairs<Value> = readonly (readonly [label: string, value: Value])[];

const Pairs = ({ kind, rows }: { readonly kind: string; readonly rows: Pairs<ComponentChildren> }) => (
  <dl class={kind}>
    {rows.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** Names with their values. Rows without a value are left out. */
export const Values = ({ rows }: { readonly rows: Pairs<ComponentChildren> }) => (
  <Pairs kind="facts" rows={rows.filter(([, value]) => value !== undefined && value !== "" && value !== false)} />
);

/** Numbers at the top of a page. */
export const Figures = ({ rows }: { readonly rows: Pairs<number> }) => (
  <Pairs kind="figures" rows={rows.map(([label, value]) => [label, value.toLocaleString("en-US")])} />
);

/** Bars with their numbers beside them. @param title what they show */
export function Bars({ title, bars }: { readonly title: string; readonly bars: Pairs<number> }) {
  const most = Math.max(1, ...bars.map(([, value]) => value));
  return (
    <table class="bars">
      <caption>{title}</caption>
      <tbody>
        {bars.map(([label, value]) => (
          <tr key={label}>
            <th scope="row" class={label.length > 28 ? "long" : undefined}>
              {label}
            </th>
            <td class="bar-cell">
              <progress max={most} value={value} aria-hidden="true" />
            </td>
            <td>{value.toLocaleString("en-US")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface TabsProps {
  readonly label: string;
  readonly here: string;
  readonly pages: readonly (readonly [text: string, page: string])[];
}

/** Links to pages beside this one. @param props.here the page of this one */
export const Tabs = ({ label, here, pages }: TabsProps) => (
  <nav class="tabs" aria-label={label}>
    {pages.map(([text, page]) => (
      <a key={page} href={page} aria-current={here === page ? "page" : undefined}>
        {text}
      </a>
    ))}
  </nav>
);

interface EntryProps extends FrameProps {
  readonly value: string;
  set(value: string): void;
}

/** A day of the stage's zone, `yyyy-mm-dd`. */
export const Day = ({ value, set, ...frame }: EntryProps) => (
  <Frame {...frame}>
    <input {...{ ...tied(frame), type: "date", value }} onChange={({ currentTarget }) => set(currentTarget.value)} />
  </Frame>
);

interface SelectProps extends EntryProps {
  /** Instead of a choice. Absent: one has to be chosen. */
  readonly none?: string | undefined;
  readonly choices: Pairs<string>;
}

/** A list to choose from. @param props.choices values with their texts */
export const Select = ({ value, set, none, choices, ...frame }: SelectProps) => (
  <Frame {...frame}>
    <select {...tied(frame)} value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
      {none !== undefined && <option value="">{none}</option>}
      {choices.map(([choice, text]) => (
        <option key={choice} value={choice}>
          {text}
        </option>
      ))}
    </select>
  </Frame>
);

/** An event with its counts, as an executive reads it. */
export type DeskEvent = EventWithCounts;

interface EventSelectProps extends FrameProps {
  readonly none: string;
  /** A choice that is no event. */
  readonly other?: string;
  /** An event, or the other choice. */
  readonly chosen: EventKey | string | undefined;
  choose(event: DeskEvent | undefined, other: string): void;
}

const keyText = ({ id, year }: EventKey): string => `${id};${year}`;

/** The choice of an event, newest first. */
export function EventSelect({ other, chosen = "", choose, ...select }: EventSelectProps) {
  const read: Loaded<readonly DeskEvent[]> = useLoaded(() => readAll("/events"), []);
  const { value: events = [] } = read;
  const ordered = events.toSorted((one, another) => (another.startDate ?? "").localeCompare(one.startDate ?? ""));
  const choices = ordered.map((one) => {
    const when = whenText(one, settings.timeZone, "card") ?? "without a date";
    return [keyText(one), `${one.ename} ${one.year}, ${when}`] as const;
  });
  return (
    <>
      <Select
        {...{ ...select, choices: other ? [[other, other], ...choices] : choices }}
        value={typeof chosen === "string" ? chosen : keyText(chosen)}
        set={(value) =>
          choose(
            events.find((one) => keyText(one) === value),
            value,
          )
        }
      />
      {read.problem !== undefined && <Waiting of={read} />}
    </>
  );
}
