/** What all pages of the desk are made of. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { now } from "../shared/clock.ts";
import { momentText, shortMoment } from "../shared/dates.ts";
import { type Act, Button, Said, useAct } from "../shared/parts.tsx";
import { settings } from "../shared/settings.ts";

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

interface AskingProps {
  /** The button that opens the question. */
  readonly text: string;
  readonly isMain?: boolean;
  readonly title: string;
  /** What will happen: who gets a mail, what it costs, whether it can be undone. */
  readonly children: ComponentChildren;
  /** The button that does it. */
  readonly sure: string;
  /** Does it. Once it succeeds, the question closes, and what it returns is said beside the button. */
  act(): Promise<unknown>;
}

/** A button that says first what it will do, for all that mails, costs, or cannot be undone. */
export function Asking({ text, isMain = false, title, children, sure, act: work }: AskingProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const act = useAct();
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const send = async () => {
    if (await act.run(work)) setOpen(false);
  };
  return (
    <>
      <button type="button" class={isMain ? "main" : undefined} onClick={() => setOpen(true)}>
        {text}
      </button>
      {!isOpen && <Said {...act} />}
      <dialog ref={dialog} onClose={() => setOpen(false)} aria-labelledby={`asks-${text}`}>
        {isOpen && (
          <>
            <h2 id={`asks-${text}`}>{title}</h2>
            {children}
            <div class="buttons">
              <Button {...{ act, text: sure, isMain: true, onPress: send }} />
              <button type="button" onClick={() => setOpen(false)}>
                Not now
              </button>
            </div>
            <Said {...act} />
          </>
        )}
      </dialog>
    </>
  );
}

interface DownloadProps {
  readonly act: Act;
  readonly text: string;
  load(): Promise<void>;
}

/** A button that saves a table on the device. */
export const Download = ({ act, text, load }: DownloadProps) => (
  <Button {...{ act, text, onPress: () => act.run(load) }} />
);

/** A label of a state. @param kind its colour */
export const Tag = ({ text, kind = "" }: { readonly text: string; readonly kind?: "" | "good" | "bad" }) => (
  <span class={`tag ${kind}`}>{text}</span>
);

/** Names with their values. Rows without a value are left out. */
export const Values = ({ rows }: { readonly rows: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {rows
      .filter(([, value]) => value !== undefined && value !== "" && value !== false)
      .map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

/** Numbers that are seen at a glance. */
export const Figures = ({ rows }: { readonly rows: readonly (readonly [string, number])[] }) => (
  <dl class="figures">
    {rows.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value.toLocaleString("en-US")}</dd>
      </div>
    ))}
  </dl>
);

interface BarsProps {
  /** What the bars show. */
  readonly title: string;
  readonly bars: readonly (readonly [label: string, value: number])[];
}

/** Bars with their numbers beside them. */
export function Bars({ title, bars }: BarsProps) {
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
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(value / most) * 100} height="10" />
              </svg>
            </td>
            <td>{value.toLocaleString("en-US")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
