/** How to register for an event: the countdown, the form, and what happens next. */
import { useEffect, useState } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import { eventPage, eventPath, lostPage, ownPlace, placesPage, signInPage } from "../shared/addresses.ts";
import { ask, askOnce, readOwn } from "../shared/api.ts";
import { Refused } from "../shared/call.ts";
import { leftText, nextTick, now } from "../shared/clock.ts";
import { momentText, moneyText, zoneOf } from "../shared/dates.ts";
import { codeText, pricedByCode, type WithCode } from "../shared/event-code.ts";
import { Choice, type Left } from "../shared/field.tsx";
import { explainForm, type Form, FormLine, Questions, useForm } from "../shared/form.tsx";
import { costsText, guestsOf, leftFor, type Phase, takesPartners } from "../shared/opening.ts";
import { AskSignIn, Focused, Press, Said, Sending, useAct, useLoaded, useTick, Way } from "../shared/parts.tsx";
import { account } from "../shared/session.ts";
import { settings } from "../shared/settings.ts";
import { texts } from "../shared/texts.ts";
import type { EventWithCounts, Registered, Registration } from "../shared/types.ts";
import { standingOf } from "./standing.ts";

const words = texts.register;
const { timeZone, currency } = settings;

interface EventProps {
  readonly event: WithCode;
  reload(): Promise<void>;
}

/** What is left of each workshop. */
const leftOf =
  ({ counts }: EventWithCounts): Left =>
  (questionId, choice) => {
    const one = counts?.dynamicCounts.find((counted) => counted.questionId === questionId);
    const { count = 0, cap = null } = one?.counts.find(({ label }) => label === choice) ?? {};
    return cap === null ? undefined : Math.max(0, cap - count);
  };

/** Ends in the form: the page draws it as soon as the server's clock is there. */
function Countdown({ opensAt, zone }: { readonly opensAt: number; readonly zone: string }) {
  const left = opensAt - now();
  useTick(nextTick(left));
  return (
    <section class="panel waiting">
      <h2>{words.opensTitle}</h2>
      <p>{words.opensAt(momentText(opensAt, zone))}</p>
      <p class="countdown" role="timer">
        <span class="minor">{words.opensIn}</span> <b>{leftText(left)}</b>
      </p>
    </section>
  );
}

/** The code of the address stands in the field. Using another one changes the address, and so what the event says. */
function CodeLine({ event, form }: Pick<EventProps, "event"> & { readonly form: Form }) {
  const { path, route } = useLocation();
  const { code = "" } = useRoute().query;
  useEffect(() => {
    if (code) form.set("/code", { text: code });
  }, [code]);
  const said = codeText(event);
  const use = () => route(`${path}?code=${encodeURIComponent(form.text("/code"))}`, true);
  return (
    <>
      <FormLine {...{ form, name: "/code", label: words.code, required: false }} />
      {form.text("/code") !== code && <Press text={words.useCode} onPress={use} />}
      {said && <p role="status">{said}</p>}
    </>
  );
}

const plusOneLine = (at: number): string => `/plusOnes/${at}/fname`;
const plusOneLines = ({ plusOnes = 0 }: EventWithCounts): string[] =>
  Array.from({ length: plusOnes }, (_, at) => plusOneLine(at));

/** A line for each person who may come along. */
const PlusOnes = ({ event, form }: Pick<EventProps, "event"> & { readonly form: Form }) => (
  <>
    {plusOneLines(event).map((name, at) => (
      <FormLine key={name} {...{ form, name, label: words.plusOne(at + 1), required: false }} />
    ))}
    <p class="minor">
      {words.plusOneText}{" "}
      {event.plusOnePrice !== undefined && words.plusOneCosts(moneyText(event.plusOnePrice, currency))}
    </p>
  </>
);

interface FormProps extends EventProps {
  /** Whether partners only may register so. */
  readonly onlyPartners: boolean;
  readonly email: string | undefined;
  /** What the form is for. */
  readonly title: string;
  /** @param registration that is there already, or is now */
  onRegistered(registration: Registration): void;
  onSent(email: string): void;
}

/** How many are ahead of who joins the line. */
const waitingFor = ({ counts, partnerCapac }: EventWithCounts, isPartner: boolean): number =>
  (isPartner && partnerCapac !== undefined ? counts?.partnerWaitlistCount : counts?.waitlistCount) ?? 0;

/** In seconds. */
const earliest = 5;

/** The page knows the gateway's clock to the second: what is sent too early is sent again at the opening. @throws Refused */
async function onceOpen<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (problem) {
    if (!(problem instanceof Refused && problem.code === "NOT_OPEN_YET" && problem.retryAfter <= earliest))
      throw problem;
    const { retryAfter } = problem;
    await new Promise((done) => setTimeout(done, retryAfter * 1_000));
    return send();
  }
}

function RegistrationForm({ event, onlyPartners, email, title, onRegistered, onSent, reload }: FormProps) {
  const act = useAct(explainForm);
  const [isChosen, choose] = useState(false);
  const isPartner = onlyPartners || isChosen;
  const { partnerRegistrationQuestions: ofPartners, registrationQuestions: ofAll } = event;
  const draft = `${event.id}/${event.year}`;
  const form = useForm(draft, isPartner && ofPartners.length > 0 ? ofPartners : ofAll);
  const isFull = leftFor(event, isPartner) === 0;
  const takesCode = event.takesCodes === true;
  const lines = ["/fname", "/basicInformation/lname", ...(email ? [] : ["/email"])];

  const send = async () => {
    const dynamicResponses = form.collect(lines);
    const [fname, lname] = [form.text("/fname"), form.text("/basicInformation/lname")];
    const companyName = isPartner && form.text("/basicInformation/companyName");
    const basicInformation = { ...(lname && { lname }), ...(companyName && { companyName }) };
    const code = takesCode ? form.text("/code") : "";
    const person = { fname, email: email ?? form.text("/email"), ...(code && { code }) };
    const names = isPartner ? [] : plusOneLines(event).map(form.text).filter(Boolean);
    const plusOnes = names.map((fname) => ({ fname }));
    const bringing = plusOnes.length > 0 && { plusOnes };
    const body = { ...person, ...bringing, dynamicResponses, isPartner, basicInformation };
    try {
      if (email) {
        const whole = { ...body, eventID: event.id, year: event.year };
        const register = () => askOnce<Registered>(draft, "/registrations", whole, { signed: true });
        onRegistered((await onceOpen(register)).registration);
      } else {
        await onceOpen(() => ask(`${eventPath(event)}/guests`, { method: "POST", body }));
        onSent(body.email);
      }
      form.sent();
    } catch (problem) {
      const { code, registration, status } = problem instanceof Refused ? problem : {};
      if (code === "DUPLICATE" && registration) return onRegistered(registration as Registration);
      // What is left, the time, or the questions may have changed.
      if (status === 409) await reload();
      form.complain(problem);
    }
  };
  return (
    <Sending {...{ act, send, button: email ? title : words.send }} below={<p class="minor">{words.kept}</p>}>
      {event.isApplicationBased && !isFull && <p>{words.applyText}</p>}
      {isFull && <p>{words.waitText(waitingFor(event, isPartner))}</p>}
      {event.behindOthers && <p class="note">{words.behind}</p>}
      {email && <p>{words.as(email)}</p>}
      <div class="pair">
        <FormLine form={form} name="/fname" label={words.firstName} autocomplete="given-name" />
        <FormLine form={form} name="/basicInformation/lname" label={words.lastName} autocomplete="family-name" />
      </div>
      {!email && <FormLine form={form} name="/email" label={words.email} type="email" autocomplete="email" />}
      {takesPartners(event) && !onlyPartners && (
        <Choice name="partner" value="yes" type="checkbox" checked={isPartner} choose={choose}>
          {words.partner}
        </Choice>
      )}
      {isPartner && (
        <FormLine
          {...{ form, name: "/basicInformation/companyName", label: words.company, required: false }}
          autocomplete="organization"
        />
      )}
      <Questions form={form} left={leftOf(event)} />
      {event.plusOnes && !isPartner && <PlusOnes {...{ event, form }} />}
      {takesCode && <CodeLine event={event} form={form} />}
      <p class="costs">{costsText(pricedByCode(event, isPartner), currency, isPartner, isFull)}</p>
      {!email && <p>{words.guestText}</p>}
    </Sending>
  );
}

/** The guest's mail is on its way. */
const Sent = ({ email, correct }: { readonly email: string; correct(): void }) => (
  <section class="panel good">
    <Focused text={words.sent} />
    <p>{words.sentText(email)}</p>
    <p>
      {words.sentLost} <a href={lostPage}>{texts.site.lost}</a>
    </p>
    <Press onPress={correct} text={words.correct} />
  </section>
);

/** The person's registration for this event, if it is not cancelled. */
async function ownRegistration({ id, year }: EventWithCounts, email: string): Promise<Registration | undefined> {
  const own = await readOwn({ eventID: id, year: String(year), email });
  return own.find(({ registrationStatus }) => registrationStatus !== "cancelled");
}

function Registering({ event, reload }: EventProps) {
  const { route } = useLocation();
  const { email } = account.value ?? {};
  /** The address that a mail was sent to; empty: it is to be corrected. */
  const [sent, setSent] = useState<string>();
  const mine = useLoaded(
    async () => (email ? ownRegistration(event, email) : undefined),
    [event.id, event.year, email],
  ).value;
  const guests = guestsOf(event, settings.guests);
  if (sent) return <Sent email={sent} correct={() => setSent("")} />;
  if (email && mine) {
    return (
      <section class="panel good">
        <h2>{standingOf({ registration: mine }).title}</h2>
        <p>{words.already}.</p>
        <Way to={ownPlace(event)} text={words.show} kind="main" />
      </section>
    );
  }
  if (!email && guests === "nobody") {
    return (
      <section class="panel">
        <h2>{words.title}</h2>
        <p>{event.nonBizTechAllowed ? words.needsAccount : words.membersOnly}</p>
        <Way to={signInPage(eventPage(event))} text={words.signIn} kind="main" />
      </section>
    );
  }
  const onlyPartners = !email && guests === "partners";
  const isFull = leftFor(event, onlyPartners) === 0;
  const title = isFull ? words.wait : event.isApplicationBased ? words.apply : words.title;
  return (
    <section class="panel">
      <Focused text={title} when={sent === ""} />
      {!email && <AskSignIn text={onlyPartners ? words.partnersOnly : words.signInInstead} next={eventPage(event)} />}
      <RegistrationForm
        {...{ event, onlyPartners, email, title, reload }}
        onRegistered={() => route(ownPlace(event))}
        onSent={setSent}
      />
    </section>
  );
}

const closed = {
  over: [words.over, words.overText],
  ended: [words.ended, words.endedText],
} as const;

/** What can be done about an event now. */
export function Register({ event, phase, reload }: EventProps & { readonly phase: Phase }) {
  const [said, setSaid] = useState("");
  const [waited, setWaited] = useState(phase === "soon");
  useEffect(() => {
    if (phase === "soon") setWaited(true);
    if (phase !== "open" || !waited) return;
    setWaited(false);
    setSaid(words.opened);
  }, [phase, waited]);
  return (
    <>
      <Said said={said} />
      {phase === "soon" && <Countdown opensAt={Date.parse(event.opensAt ?? "")} zone={zoneOf(event, timeZone)} />}
      {phase === "open" && <Registering event={event} reload={reload} />}
      {(phase === "over" || phase === "ended") && (
        <section class="panel ended">
          <h2>{closed[phase][0]}</h2>
          <p>{closed[phase][1]}</p>
          <p>
            <a href={placesPage}>{texts.site.places}</a> · <a href={lostPage}>{texts.site.lost}</a>
          </p>
        </section>
      )}
    </>
  );
}
