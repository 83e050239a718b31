/** One place: where it stands, what can be done now, the ticket, and the answers. */

import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Refused } from "../page/call.ts";
import { eventPage } from "./addresses.ts";
import { leftText, nextTick, now } from "./clock.ts";
import { momentText, moneyText } from "./dates.ts";
import { saveFile } from "./files.ts";
import { explainForm, Questions, useForm } from "./form.tsx";
import {
  type Act,
  Banner,
  Button,
  Facts,
  Focused,
  later,
  Offline,
  Prose,
  Said,
  Send,
  Title,
  useAct,
  useLoaded,
  useTick,
  Waiting,
  Way,
  When,
} from "./parts.tsx";
import { type PlaceSource, payingKey } from "./place-source.ts";
import { settings } from "./settings.ts";
import { agreementOf, type Move, standingOf, ticketOf } from "./standing.ts";
import { forget, keep } from "./store.ts";
import { texts } from "./texts.ts";
import type { Place } from "./types.ts";

const words = texts.place;
const { timeZone, currency, clubName } = settings;

const Ticket = later(() => import("./ticket.tsx").then((module) => module.Ticket));

interface PlaceProps {
  readonly source: PlaceSource;
  /** What the mail's button, or the provider's page, leads to. */
  readonly wish: string | undefined;
}

interface StepProps {
  readonly place: Place;
  readonly source: PlaceSource;
  readonly act: Act;
  /** Shows the present state. */
  reload(): Promise<void>;
}

/** What a person pays with, until when, and the way to the provider's page. */
function Pay({ place: { registration, price }, source, act }: StepProps) {
  const { holdExpiresAt } = registration;
  const left = (holdExpiresAt ?? 0) - now();
  useTick(holdExpiresAt !== undefined && left > 0 ? nextTick(left) : undefined);
  const pay = () =>
    act.run(async () => {
      const address = await source.pay();
      keep(payingKey, source.address);
      location.assign(address);
    });
  return (
    <div class="pay">
      {holdExpiresAt !== undefined && <p role="timer">{left > 0 ? words.held(leftText(left)) : words.holdOver}</p>}
      <Button
        act={act}
        onPress={pay}
        isMain
        text={words.payNow(price === undefined ? "" : moneyText(price, currency))}
      />
      <p class="minor">{words.payHow}</p>
    </div>
  );
}

/** What cancelling means for money. */
function refundText({ event: { refundUntil } }: Place): string {
  if (!refundUntil) return "";
  const at = Date.parse(refundUntil);
  return at > now() ? words.refundUntil(momentText(at, timeZone)) : words.refundLate(momentText(at, timeZone));
}

interface QuestionProps extends StepProps {
  readonly move: Move;
  close(): void;
}

/** Asks once more. Nothing is sent before the person presses the button. */
function Question({ place, source, act, move, close, reload }: QuestionProps) {
  const { route } = useLocation();
  const { loss } = standingOf(place);
  const send = async () => {
    // Who registers again has another link.
    let isElsewhere = false;
    const isDone = await act.run(async () => {
      try {
        const next = move === "again" ? await source.again(undefined, place) : await source.move(move, place);
        if (next && next !== source.address) {
          isElsewhere = true;
          route(next, true);
          return undefined;
        }
      } catch (problem) {
        // The person sees the present state before anything is given up.
        if (problem instanceof Refused && problem.status === 409) {
          await reload();
          close();
        }
        throw problem;
      }
      await reload();
      return texts.moves[move].done;
    });
    if (isDone && !isElsewhere) close();
  };
  return (
    <section class="panel acting">
      <Focused text={texts.moves[move].question} />
      {move === "cancel" && <p>{[loss, refundText(place)].filter(Boolean).join(" ")}</p>}
      <div class="buttons">
        <Button act={act} onPress={send} isMain text={texts.moves[move].button} />
        <Button act={act} onPress={close} text={texts.site.back} />
      </div>
    </section>
  );
}

/** Where the registration stands, with a button for each move. */
function Standing({ choose, wasAsked, ...step }: StepProps & { choose(move: Move): void; readonly wasAsked: boolean }) {
  const { place, act } = step;
  const { title, text, tone, cancel } = standingOf(place);
  const yes = agreementOf(place.may);
  const { fname } = place.registration;
  return (
    <section class={`panel ${tone}`}>
      <Focused text={title} when={wasAsked} />
      <p>{texts.standing.greeting(fname, text)}</p>
      {place.may.includes("pay") && <Pay {...step} />}
      <div class="buttons">
        {yes && <Button act={act} onPress={() => choose(yes)} isMain text={texts.moves[yes].button} />}
        {place.may.includes("again") && (
          <Button act={act} onPress={() => choose("again")} isMain text={texts.moves.again.button} />
        )}
        {place.may.includes("cancel") && <Button act={act} onPress={() => choose("cancel")} text={cancel} />}
      </div>
    </section>
  );
}

/** The answers, which can be changed until registration ends. */
function AnswersForm({ place, source, reload }: Omit<StepProps, "act">) {
  const act = useAct(explainForm);
  const { questions, registration } = place;
  const form = useForm(source.key, questions, registration.dynamicResponses);
  const isMissing = questions.some(
    ({ required, questionId }) => required && registration.dynamicResponses[questionId] === undefined,
  );
  const send = async (): Promise<string> => {
    try {
      await source.answer(form.collect(), place);
    } catch (problem) {
      if (problem instanceof Refused && problem.status === 409) await reload();
      form.complain(problem);
    }
    form.sent();
    await reload();
    return words.answersSaved;
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void act.run(send);
  };
  return (
    <form noValidate onSubmit={submit} class={isMissing ? "panel acting" : "panel"}>
      <h2>{words.answers}</h2>
      {isMissing && <p>{words.missingAnswers}</p>}
      <Questions form={form} />
      <Send act={act}>{words.saveAnswers}</Send>
    </form>
  );
}

function Calendar({ event }: Pick<Place, "event">) {
  const act = useAct();
  if (!event.startDate) return null;
  const save = () =>
    act.run(async () => {
      const { calendarText } = await import("./calendar-file.ts");
      const text = calendarText(event, location.origin, clubName);
      saveFile(new Blob([text], { type: "text/calendar" }), `${event.id}-${event.year}.ics`);
    });
  return (
    <>
      <Button act={act} onPress={save} text={words.calendar} />
      <Said text={act.said} isProblem={act.isProblem} />
    </>
  );
}

/** What the mail's button asks for, if it can still be done. */
function wishedMove(wish: string | undefined, { may }: Place): Move | undefined {
  if (wish === "come") return agreementOf(may);
  return wish === "cancel" && may.includes("cancel") ? "cancel" : undefined;
}

/** Milliseconds between two looks for a payment, and how many there are. */
const payment = { pause: 3_000, looks: 20 };

/** After paying: the provider tells the service a moment later. */
function useArrival(isAwaited: boolean, reload: () => Promise<void>): void {
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    if (!isAwaited || looks >= payment.looks) return undefined;
    const timer = setTimeout(() => {
      setLooks(looks + 1);
      void reload();
    }, payment.pause);
    return () => clearTimeout(timer);
  }, [isAwaited, looks]);
}

function Shown({
  place,
  isOld,
  at,
  source,
  wish,
  reload,
}: PlaceProps & { readonly place: Place; readonly isOld: boolean; readonly at: number; reload(): Promise<void> }) {
  const act = useAct();
  const [move, setMove] = useState(() => wishedMove(wish, place));
  const [wasAsked, setAsked] = useState(false);
  const { event, may } = place;
  const ticket = ticketOf(place);
  const isPaying = may.includes("pay");
  useArrival(wish === "paid" && isPaying, reload);
  const close = () => {
    setMove(undefined);
    setAsked(true);
    // Loading the page again must not ask again.
    history.replaceState(null, "", source.address);
  };
  const step = { place, source, act, reload };
  const returned = wish === "paid" && isPaying ? words.paid : wish === "not-paid" && isPaying ? words.notPaid : "";
  return (
    <article>
      {event.imageUrl && <Banner url={event.imageUrl} isSmall />}
      <Title text={event.ename} />
      <Offline seen={{ at, isOld }} />
      <Facts
        rows={[
          [texts.event.when, <When key="when" event={event} text={event.when} />],
          [texts.event.where, event.elocation],
        ]}
      />
      <Said text={returned} />
      {move ? (
        <Question key={move} {...step} move={move} close={close} />
      ) : (
        <Standing {...step} choose={setMove} wasAsked={wasAsked} />
      )}
      <Said text={act.said} isProblem={act.isProblem} />
      {ticket && <Ticket code={ticket} />}
      {may.includes("edit") && place.questions.length > 0 && (
        <AnswersForm key={place.registration.updatedAt} place={place} source={source} reload={reload} />
      )}
      <div class="buttons">
        {may.includes("cancel") && <Calendar event={event} />}
        {place.isOver && source.feedback && <Way to={source.feedback(place)} text={words.feedback} isMain />}
        <Way to={eventPage(event)} text={words.event} />
      </div>
      {event.description && (
        <section>
          <h2>{texts.event.about}</h2>
          <Prose text={event.description} />
        </section>
      )}
      <Forget source={source} />
    </article>
  );
}

/** For a device that others use. */
function Forget({ source }: Pick<PlaceProps, "source">) {
  const [said, setSaid] = useState("");
  const remove = () => {
    forget(source.key);
    forget(`draft/${source.key}`);
    setSaid(words.forgotten);
  };
  return (
    <p class="minor">
      <button type="button" class="plain" onClick={remove}>
        {words.forget}
      </button>{" "}
      <span aria-live="polite">{said}</span>
    </p>
  );
}

/** Milliseconds after which what was drawn is asked for again when a person comes back to the page. */
const fresh = 20_000;

export function OnePlace({ source, wish }: PlaceProps) {
  const loaded = useLoaded(() => source.load(), [source.key]);
  const { value, reload } = loaded;
  useEffect(() => {
    const look = () => {
      if (!document.hidden && (value?.isOld || now() - (value?.at ?? 0) > fresh)) void reload();
    };
    document.addEventListener("visibilitychange", look);
    addEventListener("online", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      removeEventListener("online", look);
    };
  }, [value, reload]);
  if (value)
    return <Shown source={source} wish={wish} place={value.value} isOld={value.isOld} at={value.at} reload={reload} />;
  return (
    <>
      <Title text={words.title} />
      <Waiting of={loaded} />
    </>
  );
}
