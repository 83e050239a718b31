/** What all pages are made of. */
import type { ComponentChildren, ComponentType } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { lazy } from "preact-iso";
import { now } from "./clock.ts";
import { readersWhen, readersZone, shortMoment, whenText } from "./dates.ts";
import { refusalText } from "./refusals.ts";
import { settings } from "./settings.ts";
import { texts } from "./texts.ts";

const { timeZone } = settings;

const firstPage = location.href;
let hasLeft = false;

/** The heading of a page. After a change of the page it gets the focus, so that a screen reader says where one is. */
export function Title({ text, children }: { readonly text: string; readonly children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${text} · ${settings.clubName}`;
    hasLeft ||= location.href !== firstPage;
    if (hasLeft) heading.current?.focus({ preventScroll: true });
  }, [text]);
  return (
    <h1 tabIndex={-1} ref={heading}>
      {children ?? text}
    </h1>
  );
}

/** A heading that gets the focus when it comes. */
export function Focused({ text, when = true }: { readonly text: string; readonly when?: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (when) heading.current?.focus();
  }, [text, when]);
  return (
    <h2 tabIndex={-1} ref={heading}>
      {text}
    </h2>
  );
}

/** What is announced as soon as it is there. */
export function Said({ text, isProblem = false }: { readonly text: string; readonly isProblem?: boolean }) {
  return (
    <p class={isProblem ? "said problem" : "said"} aria-live={isProblem ? "assertive" : "polite"}>
      {text}
    </p>
  );
}

/** Something that a person asked for. While it runs, it is not asked for again. */
export interface Act {
  readonly isBusy: boolean;
  readonly said: string;
  readonly isProblem: boolean;
  /** @param work returns a text that is said then, or something else @returns whether it succeeded */
  run(work: () => Promise<unknown>): Promise<boolean>;
  say(text: string, isProblem?: boolean): void;
}

/** @param explain says another sentence about a problem; undefined: the usual one */
export function useAct(explain?: (problem: unknown) => string | undefined): Act {
  const [isBusy, setBusy] = useState(false);
  const [{ text, isProblem }, setSaid] = useState({ text: "", isProblem: false });
  const running = useRef(false);
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setSaid({ text: "", isProblem: false });
    try {
      const said = await work();
      setSaid({ text: typeof said === "string" ? said : "", isProblem: false });
      return true;
    } catch (problem) {
      setSaid({ text: explain?.(problem) ?? refusalText(problem), isProblem: true });
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { isBusy, said: text, isProblem, run, say: (text, isProblem = false) => setSaid({ text, isProblem }) };
}

interface ButtonProps {
  readonly act: Act;
  readonly text: string;
  readonly isMain?: boolean;
  onPress(): unknown;
}

/** While something is asked it stays where it is and keeps the focus, but does nothing. */
export function Button({ act, text, isMain = false, onPress }: ButtonProps) {
  const press = () => {
    if (!act.isBusy) void onPress();
  };
  return (
    <button type="button" class={isMain ? "main" : undefined} aria-disabled={act.isBusy} onClick={press}>
      {text}
    </button>
  );
}

/** A button that asks nothing. */
export const Press = ({ text, onPress }: { readonly text: string; onPress(): void }) => (
  <button type="button" onClick={onPress}>
    {text}
  </button>
);

/** A link that looks like a button. */
export const Way = ({
  to,
  text,
  isMain,
}: {
  readonly to: string;
  readonly text: string;
  readonly isMain?: boolean;
}) => (
  <a class={isMain ? "button main" : "button"} href={to}>
    {text}
  </a>
);

/** The button that sends the form around it. */
export function Send({ act, children }: { readonly act: Act; readonly children: ComponentChildren }) {
  return (
    <>
      <button type="submit" class="main" aria-disabled={act.isBusy}>
        {children}
      </button>
      <Said text={act.said} isProblem={act.isProblem} />
    </>
  );
}

function Failed() {
  return (
    <div class="notice" role="alert">
      <p>{texts.site.pageFailed}</p>
      <Press text={texts.site.again} onPress={() => location.reload()} />
    </div>
  );
}

/** A part of the page whose code is loaded when it is shown. A network that is down is said. */
export const later = <P,>(load: () => Promise<ComponentType<P>>) =>
  lazy<ComponentType<P>>(() => load().catch(() => Failed as ComponentType<P>));

export interface Loaded<T> {
  readonly value: T | undefined;
  readonly problem: unknown;
  reload(): Promise<void>;
  set(value: T): void;
}

/** Gets what a page shows, again when `keys` change. What comes too late is dropped. */
export function useLoaded<T>(get: () => Promise<T>, keys: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ value?: T; problem?: unknown }>({});
  const latest = useRef(0);
  const reload = useCallback(async () => {
    latest.current += 1;
    const mine = latest.current;
    const next = await get().then(
      (value) => ({ value }),
      (problem: unknown) => ({ problem }),
    );
    if (mine === latest.current) setState((kept) => ("value" in next ? next : { ...kept, ...next }));
  }, keys);
  useEffect(() => {
    setState({});
    void reload();
    return () => {
      latest.current += 1;
    };
  }, [reload]);
  return { value: state.value, problem: state.problem, reload, set: (value) => setState({ value }) };
}

interface WaitingProps {
  readonly of: Loaded<unknown>;
}

/** Until something is loaded, and when it could not be. */
export function Waiting({ of: { value, problem, reload } }: WaitingProps) {
  if (value !== undefined) return null;
  if (problem === undefined)
    return (
      <p class="loading" role="status">
        {texts.site.loading}
      </p>
    );
  return (
    <div class="notice" role="alert">
      <p>{refusalText(problem)}</p>
      <Press text={texts.site.again} onPress={() => void reload()} />
    </div>
  );
}

/** Says that what is shown was kept on this device. */
export function Offline({ seen }: { readonly seen: { readonly at: number; readonly isOld: boolean } | undefined }) {
  return (
    <div role="status">
      {seen?.isOld && <p class="notice">{texts.site.offline(shortMoment(seen.at, timeZone, now()))}</p>}
    </div>
  );
}

interface FactsProps {
  readonly rows: readonly (readonly [label: string, value: ComponentChildren])[];
}

/** A list of labels with values. Rows without a value are left out. */
export function Facts({ rows }: FactsProps) {
  return (
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
}

interface WhenProps {
  readonly event: { readonly startDate?: string; readonly endDate?: string; readonly wholeDays?: object };
  /** What the API says; else it is made here. */
  readonly text?: string;
}

/** The time at the place, and the reader's if their clocks differ. */
export function When({ event, text }: WhenProps) {
  const readers = readersWhen(event, timeZone, readersZone());
  return (
    <>
      {text ?? whenText(event, timeZone) ?? texts.events.noDate}
      {readers && <span class="note">{texts.event.yourTime(readers)}</span>}
    </>
  );
}

/** A text of several lines. */
export function Prose({ text }: { readonly text: string }) {
  return <p class="prose">{text}</p>;
}

/** A picture that may be missing: its place stays. */
export function Banner({ url, isSmall = false }: { readonly url: string | undefined; readonly isSmall?: boolean }) {
  const [isBroken, setBroken] = useState(false);
  return (
    <div class={isSmall ? "banner small" : "banner"} aria-hidden="true">
      {url && !isBroken && (
        <img src={url} alt="" loading={isSmall ? "lazy" : "eager"} decoding="async" onError={() => setBroken(true)} />
      )}
    </div>
  );
}

const ticking = new Set<() => void>();

/** Draws again at a time of the server's clock. @param wait milliseconds; undefined: never */
export function useTick(wait: number | undefined): void {
  const [, draw] = useState(0);
  useEffect(() => {
    if (wait === undefined) return undefined;
    const next = () => draw((count) => count + 1);
    ticking.add(next);
    // Timers have at most 31 bits.
    const timer = setTimeout(next, Math.min(wait, 2 ** 31 - 1));
    return () => {
      clearTimeout(timer);
      ticking.delete(next);
    };
  });
}

// Phones stop timers while the page is hidden.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) for (const next of ticking) next();
});
