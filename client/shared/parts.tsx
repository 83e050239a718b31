/** What all pages are made of. */
import type { ComponentChildren, ComponentType } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { lazy } from "preact-iso";
import { isShownPicture, signInPage } from "./addresses.ts";
import { now } from "./clock.ts";
import { part } from "./code.ts";
import { readersWhen, readersZone, type Schedule, shortMoment, whenText } from "./dates.ts";
import { refusalText } from "./refusals.ts";
import { settings } from "./settings.ts";
import { texts } from "./texts.ts";

const { timeZone } = settings;

const firstPage = location.href;
let hasLeft = false;

/** The heading of a page. After a change of the page it gets the focus, so that a screen reader says where one is. */
export function Title({ text }: { readonly text: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${text} · ${settings.clubName}`;
    hasLeft ||= location.href !== firstPage;
    if (hasLeft) heading.current?.focus({ preventScroll: true });
  }, [text]);
  return (
    <h1 tabIndex={-1} ref={heading}>
      {text}
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

interface SaidProps {
  readonly said: string;
  readonly isProblem?: boolean;
}

/** What is announced as soon as it is there. */
export const Said = ({ said, isProblem = false }: SaidProps) => (
  <p class={isProblem ? "said problem" : "said"} aria-live={isProblem ? "assertive" : "polite"}>
    {said}
  </p>
);

/** Something that a person asked for. While it runs, it is not asked for again. */
export interface Act extends Required<SaidProps> {
  readonly isBusy: boolean;
  /** @param work returns a text that is said then, or something else @returns whether it succeeded */
  run(work: () => Promise<unknown>): Promise<boolean>;
  say(said?: string, isProblem?: boolean): void;
}

/** @param explain says another sentence about a problem; undefined: the usual one */
export function useAct(explain?: (problem: unknown) => string | undefined): Act {
  const [state, setState] = useState({ isBusy: false, said: "", isProblem: false });
  const isRunning = useRef(false);
  const say = (said = "", isProblem = false) => setState({ isBusy: isRunning.current, said, isProblem });
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (isRunning.current) return false;
    isRunning.current = true;
    say();
    const [said, isProblem] = await work().then(
      (done) => [typeof done === "string" ? done : "", false] as const,
      (problem: unknown) => [explain?.(problem) ?? refusalText(problem), true] as const,
    );
    isRunning.current = false;
    say(said, isProblem);
    return !isProblem;
  };
  return { ...state, run, say };
}

interface ButtonProps {
  readonly act: Act;
  readonly text: string;
  readonly isMain?: boolean;
  onPress(): unknown;
}

/** While something is asked it stays where it is and keeps the focus, but does nothing. */
export const Button = ({ act, text, isMain = false, onPress }: ButtonProps) => (
  <button
    type="button"
    class={isMain ? "main" : undefined}
    aria-disabled={act.isBusy}
    onClick={() => void (act.isBusy || onPress())}
  >
    {text}
  </button>
);

/** A button that asks nothing. */
export const Press = ({ text, onPress }: { readonly text: string; onPress(): unknown }) => (
  <button type="button" onClick={() => void onPress()}>
    {text}
  </button>
);

/** A link that looks like a button. */
export const Way = ({
  to,
  text,
  kind = "",
}: {
  readonly to: string;
  readonly text: string;
  readonly kind?: string;
}) => (
  <a class={`button ${kind}`} href={to}>
    {text}
  </a>
);

interface SendingProps {
  readonly act: Act;
  /** The text of the button. */
  readonly button: string;
  readonly class?: string;
  readonly children: ComponentChildren;
  /** What stands below the button. */
  readonly below?: ComponentChildren;
  send(): Promise<unknown>;
}

/** A form with the button that sends it. The fields say what is wrong with them, not the browser. */
export function Sending({ act, button, children, below, send, ...form }: SendingProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void act.run(send);
  };
  return (
    <form noValidate onSubmit={submit} {...form}>
      {children}
      <button type="submit" class="main" aria-disabled={act.isBusy}>
        {button}
      </button>
      <Said {...act} />
      {below}
    </form>
  );
}

interface FailureProps {
  readonly text: string;
  again(): unknown;
}

export const Failure = ({ text, again }: FailureProps) => (
  <div class="notice" role="alert">
    <p>{text}</p>
    <Press text={texts.site.again} onPress={again} />
  </div>
);

/** A part of the page whose code is loaded when it is shown. The page says when that fails. */
export const later = <P,>(load: () => Promise<ComponentType<P>>) =>
  lazy<ComponentType<P>>(() => part(load).catch((): ComponentType<P> => () => null));

export interface Loaded<T> {
  readonly value?: T;
  readonly problem?: unknown;
  reload(): Promise<void>;
}

/** Gets what a page shows, again when `keys` change. What comes too late is dropped. */
export function useLoaded<T>(get: () => Promise<T>, keys: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, "reload">>({});
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
  return { ...state, reload };
}

/** Until something is loaded, and when it could not be. */
export function Waiting({ of: { value, problem, reload } }: { readonly of: Loaded<unknown> }) {
  if (value !== undefined) return null;
  if (problem !== undefined) return <Failure text={refusalText(problem)} again={reload} />;
  return (
    <p class="loading" role="status">
      {texts.site.loading}
    </p>
  );
}

/** Says that what is shown was kept on this device. */
export const Offline = ({ seen }: { readonly seen: { readonly at: number; readonly isOld: boolean } | undefined }) => (
  <div role="status">
    {seen?.isOld && <p class="notice">{texts.site.offline(shortMoment(seen.at, timeZone, now()))}</p>}
  </div>
);

/** Who is not signed in comes back to this page. */
export const AskSignIn = ({ text, next }: { readonly text: string; readonly next: string }) => (
  <p>
    {text} <a href={signInPage(next)}>{texts.site.signIn}</a>
  </p>
);

interface KnownEvent extends Schedule {
  /** What the API says of the time; else it is made here. */
  readonly when?: string;
  readonly elocation?: string;
}

/** The time at the place, and the reader's if their clocks differ. */
export function When({ event }: { readonly event: KnownEvent }) {
  const readers = readersWhen(event, timeZone, readersZone());
  return (
    <>
      {event.when || whenText(event, timeZone) || texts.events.noDate}
      {readers && <span class="note">{texts.event.yourTime(readers)}</span>}
    </>
  );
}

interface FactsProps {
  readonly event: KnownEvent;
  /** Instead of the name of the place. */
  readonly where?: ComponentChildren;
  /** What follows. Rows without a value are left out. */
  readonly rows?: readonly (readonly [label: string, value: ComponentChildren])[];
}

/** When and where an event is. */
export const Facts = ({ event, where = event.elocation, rows = [] }: FactsProps) => (
  <dl class="facts">
    {([[texts.event.when, <When key="when" event={event} />], [texts.event.where, where], ...rows] as const)
      .filter(([, value]) => value)
      .map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

/** What an event is about. */
export const About = ({ text, children }: { readonly text?: string; readonly children?: ComponentChildren }) =>
  text ? (
    <section>
      <h2>{texts.event.about}</h2>
      <p class="prose">{text}</p>
      {children}
    </section>
  ) : null;

interface PictureProps {
  readonly src: string | undefined;
  readonly alt: string;
  readonly class?: string;
  readonly loading: "lazy" | "eager";
}

/** A picture of this site that may be missing. */
export function Picture({ src, alt, ...rest }: PictureProps) {
  const [isBroken, setBroken] = useState(false);
  if (!src || isBroken || !isShownPicture(src, [location.origin, settings.images])) return null;
  return <img {...rest} src={src} alt={alt} decoding="async" onError={() => setBroken(true)} />;
}

/** Its place stays when the picture is missing. */
export const Banner = ({ url, isSmall = false }: { readonly url: string | undefined; readonly isSmall?: boolean }) => (
  <div class={isSmall ? "banner small" : "banner"} aria-hidden="true">
    <Picture src={url} alt="" loading={isSmall ? "lazy" : "eager"} />
  </div>
);

/** Looks again when the person comes back to the page, or the network does. @returns ends that */
export function onReturn(look: () => void): () => void {
  const next = () => {
    if (!document.hidden) look();
  };
  document.addEventListener("visibilitychange", next);
  addEventListener("online", next);
  return () => {
    document.removeEventListener("visibilitychange", next);
    removeEventListener("online", next);
  };
}

/** Draws again at a time of the server's clock. @param wait milliseconds; undefined: never */
export function useTick(wait: number | undefined): void {
  const [, setCount] = useState(0);
  useEffect(() => {
    if (wait === undefined) return undefined;
    const draw = () => setCount((count) => count + 1);
    // Timers have at most 31 bits. Phones stop them while the page is hidden.
    const timer = setTimeout(draw, Math.min(wait, 2 ** 31 - 1));
    const end = onReturn(draw);
    return () => {
      clearTimeout(timer);
      end();
    };
  });
}
