/** One place: where it stands, what can be done now, the ticket, and the answers. */
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { eventPage } from "../shared/addresses.ts";
import type { Shown as Seen } from "../shared/api.ts";
import { Refused } from "../shared/call.ts";
import { leftText, nextTick, now } from "../shared/clock.ts";
import { part } from "../shared/code.ts";
import { momentText, moneyText, zoneOf } from "../shared/dates.ts";
import { explainForm, Questions, useForm } from "../shared/form.tsx";
import {
  About,
  type Act,
  Banner,
  Button,
  Facts,
  Focused,
  Offline,
  onReturn,
  Said,
  Sending,
  Title,
  useAct,
  useLoaded,
  useTick,
  Waiting,
  Way,
} from "../shared/parts.tsx";
import { refusalText } from "../shared/refusals.ts";
import { settings } from "../shared/settings.ts";
import { keep, remove } from "../shared/store.ts";
import { texts } from "../shared/texts.ts";
import type { Place } from "../shared/types.ts";
import { Company, CompanyNames } from "./company.tsx";
import { saveFile } from "./files.ts";
import { HandOn } from "./hand-on.tsx";
import { moved, type PlaceSource, payingKey } from "./place-source.ts";
import { agreementOf, atTime, type Move, standingOf, ticketOf } from "./standing.ts";
import { Ticket } from "./ticket.tsx";

const words = texts.place;
const { timeZone, currency, clubName } = settings;

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
  useTick(left > 0 ? nextTick(left) : undefined);
  const pay = () =>
    act.run(async () => {
      const address = await source.pay();
      keep(payingKey, source.address);
      location.assign(address);
    });
  const text = words.payNow(price === undefined ? "" : moneyText(price, currency));
  return (
    <div class="pay">
      {holdExpiresAt !== undefined && <p role="timer">{left > 0 ? words.held(leftText(left)) : words.holdOver}</p>}
      <Button act={act} onPress={pay} isMain text={text} />
      <p class="minor">
        {registration.deposit && words.deposit} {words.payHow}
      </p>
    </div>
  );
}

/** What cancelling means for money. */
function refundText({ event }: Place): string {
  const at = Date.parse(event.refundUntil ?? "");
  if (Number.isNaN(at)) return "";
  return (at > now() ? words.refundUntil : words.refundLate)(momentText(at, zoneOf(event, timeZone)));
}

interface QuestionProps extends StepProps {
  readonly move: Move;
  close(): void;
}

/** Asks once more. Nothing is sent before the person presses the button. */
function Question({ place, source, act, move, close, reload }: QuestionProps) {
  const { route } = useLocation();
  const [names, setNames] = useState<readonly string[]>([]);
  const send = () =>
    act.run(async () => {
      try {
        const page = await moved(source, move, place, names);
        // Who registers again has another link.
        if (page !== source.address) return route(page, true);
      } catch (problem) {
        // The person sees the present state before anything is given up.
        if (problem instanceof Refused && problem.status === 409) {
          await reload();
          close();
        }
        throw problem;
      }
      await reload();
      close();
      return texts.moves[move].done;
    });
  return (
    <section class="panel acting">
      <Focused text={texts.moves[move].question} />
      {move === "cancel" && <p>{`${standingOf(place).loss} ${refundText(place)}`.trim()}</p>}
      {move === "again" && place.behindOthers && <p>{texts.register.behind}</p>}
      {move === "again" && <CompanyNames {...{ place, names }} set={setNames} />}
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
  const { may, registration } = place;
  const main = [agreementOf(may), may.includes("again") && "again"].filter((move): move is Move => Boolean(move));
  return (
    <section class={`panel ${tone}`}>
      <Focused text={title} when={wasAsked} />
      <p>{texts.standing.greeting(registration.fname, text)}</p>
      {may.includes("pay") && <Pay {...step} />}
      <div class="buttons">
        {main.map((move) => (
          <Button key={move} act={act} onPress={() => choose(move)} isMain text={texts.moves[move].button} />
        ))}
        {may.includes("cancel") && <Button act={act} onPress={() => choose("cancel")} text={cancel} />}
      </div>
    </section>
  );
}

/** The answers, which can be changed until registration ends. */
function AnswersForm({ place: { questions, registration }, place, source, act: ofPage, reload }: StepProps) {
  const act = useAct(explainForm);
  const given = registration.dynamicResponses;
  const form = useForm(source.key, questions, given);
  const isMissing = questions.some(({ required, questionId }) => required && given[questionId] === undefined);
  const send = async (): Promise<string> => {
    try {
      await source.put({ dynamicResponses: form.collect() }, place);
    } catch (problem) {
      if (problem instanceof Refused && problem.status === 409) {
        // The form may be gone then.
        ofPage.say(refusalText(problem), true);
        await reload();
      }
      form.complain(problem);
    }
    await reload();
    form.sent();
    return words.answersSaved;
  };
  return (
    <Sending act={act} button={words.saveAnswers} send={send} class={isMissing ? "panel acting" : "panel"}>
      <h2>{words.answers}</h2>
      {isMissing && <p>{words.missingAnswers}</p>}
      <Questions form={form} />
    </Sending>
  );
}

function Calendar({ event }: Pick<Place, "event">) {
  const act = useAct();
  if (!event.startDate) return null;
  const save = () =>
    act.run(async () => {
      const { calendarText } = await part(() => import("./calendar-file.ts"));
      const text = calendarText(event, location.origin, clubName);
      saveFile(new Blob([text], { type: "text/calendar" }), `${event.id}-${event.year}.ics`);
    });
  return (
    <>
      <Button act={act} onPress={save} text={words.calendar} />
      <Said {...act} />
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

interface ShownProps extends PlaceProps, Pick<StepProps, "reload"> {
  readonly seen: Seen<Place>;
}

function Shown({ seen, source, wish, reload }: ShownProps) {
  const act = useAct();
  const place = atTime(seen.value, now());
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
  const returned = wish === "paid" ? words.paid : wish === "not-paid" ? words.notPaid : "";
  return (
    <article>
      {event.imageUrl && <Banner url={event.imageUrl} isSmall />}
      <Title text={event.ename} />
      <Offline seen={seen} />
      <Facts event={event} />
      <Said said={isPaying ? returned : ""} />
      {move ? (
        <Question key={move} {...step} move={move} close={close} />
      ) : (
        <Standing {...step} choose={setMove} wasAsked={wasAsked} />
      )}
      <Said {...act} />
      {ticket && <Ticket code={ticket} />}
      {may.includes("handOn") && <HandOn {...step} />}
      {may.includes("cancel") && (place.registration.plusOnes?.length ?? 0) > 0 && (
        <Company {...step} refund={refundText(place)} />
      )}
      {ticket &&
        place.registration.plusOnes?.map(
          ({ fname, ticketCode }, at) =>
            ticketCode && (
              <Ticket key={ticketCode} {...{ code: ticketCode, id: `ticket-${at}`, title: words.ticketOf(fname) }} />
            ),
        )}
      {may.includes("edit") && place.questions.length > 0 && <AnswersForm {...step} />}
      <div class="buttons">
        {may.includes("cancel") && <Calendar event={event} />}
        {place.isOver && source.feedback && <Way to={source.feedback(place)} text={words.feedback} kind="main" />}
        <Way to={eventPage(event)} text={words.event} />
      </div>
      <About text={event.description} />
      <Forget source={source} />
    </article>
  );
}

/** For a device that others use. */
function Forget({ source }: Pick<PlaceProps, "source">) {
  const [said, setSaid] = useState("");
  const press = () => {
    remove(source.key);
    setSaid(words.forgotten);
  };
  return (
    <p class="minor">
      <button type="button" class="plain" onClick={press}>
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
  const { value: seen, reload } = loaded;
  useEffect(
    () =>
      onReturn(() => {
        if (!seen || seen.isOld || now() - seen.at > fresh) void reload();
      }),
    [seen, reload],
  );
  if (seen) return <Shown {...{ source, wish, seen, reload }} />;
  return (
    <>
      <Title text={words.title} />
      <Waiting of={loaded} />
    </>
  );
}
