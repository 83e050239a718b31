/** How to register for an event: the countdown, the form, and what happens next. */

import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Refused } from "../page/call.ts";
import { eventPage, lostPage, ownPlace, placesPage, signInPage } from "./addresses.ts";
import { ask } from "./api.ts";
import { leftText, nextTick, now } from "./clock.ts";
import { momentText } from "./dates.ts";
import type { Left } from "./field.tsx";
import { Choice } from "./field.tsx";
import { answered, explainForm, type Form, FormLine, keyOf, Questions, useForm } from "./form.tsx";
import { guestsOf, leftFor, type Phase, priceText, takesPartners } from "./opening.ts";
import { Focused, Press, Said, Send, useAct, useLoaded, useTick, Way } from "./parts.tsx";
import { account } from "./session.ts";
import { settings } from "./settings.ts";
import { standingOf } from "./standing.ts";
import { texts } from "./texts.ts";
import type { Answers, EventWithCounts, Registered, Registration } from "./types.ts";

const words = texts.register;
const { timeZone, currency } = settings;

interface EventProps {
  readonly event: EventWithCounts;
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
function Countdown({ opensAt }: { readonly opensAt: number }) {
  const left = opensAt - now();
  useTick(nextTick(left));
  return (
    <section class="panel waiting">
      <h2>{words.opensTitle}</h2>
      <p>{words.opensAt(momentText(opensAt, timeZone))}</p>
      <p class="countdown" role="timer">
        <span class="minor">{words.opensIn}</span> <b>{leftText(left)}</b>
      </p>
    </section>
  );
}

/** What it costs, and how and when that is paid. */
function Costs({ event, isPartner, isFull }: EventProps & { readonly isPartner: boolean; readonly isFull: boolean }) {
  const price = priceText(event, currency, isPartner);
  if (!price) return null;
  const say = event.isApplicationBased ? words.payApplied : isFull ? words.payWaiting : words.payText;
  return <p class="costs">{say(price)}</p>;
}

/** A form as the API takes it, of a person with or without an account. */
const bodyOf = (form: Form, isPartner: boolean, dynamicResponses: Answers) => {
  const [fname, lname, companyName] = [
    form.text("/fname"),
    form.text("/basicInformation/lname"),
    form.text("/basicInformation/companyName"),
  ];
  return {
    ...{ fname, dynamicResponses, isPartner },
    basicInformation: { ...(lname && { lname }), ...(isPartner && companyName && { companyName }) },
  };
};

interface FormProps extends EventProps {
  /** Whether partners only may register so. */
  readonly onlyPartners: boolean;
  readonly email: string | undefined;
  /** @param registration that is there already, or is now */
  onRegistered(registration: Registration): void;
  onSent(email: string): void;
  reload(): Promise<void>;
}

function RegistrationForm({ event, onlyPartners, email, onRegistered, onSent, reload }: FormProps) {
  const act = useAct(explainForm);
  const [isPartner, setPartner] = useState(onlyPartners);
  const { partnerRegistrationQuestions: ofPartners, registrationQuestions: ofAll } = event;
  const questions = isPartner && ofPartners.length > 0 ? ofPartners : ofAll;
  const draft = `${event.id}/${event.year}`;
  const form = useForm(draft, questions);
  const left = leftFor(event, isPartner);
  const isFull = left === 0;
  const lines = ["/fname", "/basicInformation/lname", ...(email ? [] : ["/email"])];

  const send = async () => {
    const body = bodyOf(form, isPartner, form.collect(lines));
    try {
      if (!email) {
        const address = form.text("/email");
        await ask(`/events/${encodeURIComponent(event.id)}/${event.year}/guests`, {
          method: "POST",
          body: { ...body, email: address },
        });
        form.sent();
        onSent(address);
        return undefined;
      }
      const whole = { ...body, email, eventID: event.id, year: event.year };
      const key = keyOf(draft, whole);
      const { registration } = await ask<Registered>("/registrations", {
        method: "POST",
        body: whole,
        signed: true,
        key,
      });
      answered(draft);
      form.sent();
      onRegistered(registration);
    } catch (problem) {
      // An answer that is no is the end of this request. After none, the same may be sent again.
      if (problem instanceof Refused && problem.status < 500) answered(draft);
      if (problem instanceof Refused && problem.code === "DUPLICATE" && problem.registration) {
        onRegistered(problem.registration as Registration);
        return undefined;
      }
      // What is left, the time, or the questions may have changed.
      if (problem instanceof Refused && problem.status === 409) await reload();
      form.complain(problem);
    }
  };
  const submit = (submitted: SubmitEvent) => {
    submitted.preventDefault();
    void act.run(send);
  };
  return (
    <form noValidate onSubmit={submit}>
      {event.isApplicationBased && !isFull && <p>{words.applyText}</p>}
      {isFull && (
        <p>
          {words.waitText(
            (isPartner && event.partnerCapac !== undefined
              ? event.counts?.partnerWaitlistCount
              : event.counts?.waitlistCount) ?? 0,
          )}
        </p>
      )}
      {email && <p>{words.as(email)}</p>}
      <div class="pair">
        <FormLine form={form} name="/fname" label={words.firstName} autocomplete="given-name" />
        <FormLine form={form} name="/basicInformation/lname" label={words.lastName} autocomplete="family-name" />
      </div>
      {!email && <FormLine form={form} name="/email" label={words.email} type="email" autocomplete="email" />}
      {takesPartners(event) && !onlyPartners && (
        <Choice name="partner" value="yes" type="checkbox" checked={isPartner} choose={setPartner}>
          {words.partner}
        </Choice>
      )}
      {isPartner && (
        <FormLine
          form={form}
          name="/basicInformation/companyName"
          label={words.company}
          required={false}
          autocomplete="organization"
        />
      )}
      <Questions form={form} left={leftOf(event)} />
      <Costs event={event} isPartner={isPartner} isFull={isFull} />
      {!email && <p>{words.guestText}</p>}
      <Send act={act}>
        {email ? (isFull ? words.wait : event.isApplicationBased ? words.apply : words.title) : words.send}
      </Send>
      <p class="minor">{words.kept}</p>
    </form>
  );
}

/** The guest's mail is on its way. */
function Sent({ email, correct }: { readonly email: string; correct(): void }) {
  return (
    <section class="panel good">
      <Focused text={words.sent} />
      <p>{words.sentText(email)}</p>
      <p>
        {words.sentLost} <a href={lostPage}>{texts.site.lost}</a>
      </p>
      <Press onPress={correct} text={words.correct} />
    </section>
  );
}

/** The person's registration for this event, if it is not cancelled. */
async function ownRegistration({ id, year }: EventWithCounts, email: string): Promise<Registration | null> {
  const query = new URLSearchParams({ eventID: id, year: String(year), email });
  const { data } = await ask<{ readonly data: readonly Registration[] }>(`/registrations?${query}`, { signed: true });
  return data.find(({ registrationStatus }) => registrationStatus !== "cancelled") ?? null;
}

function Registering({ event, reload }: EventProps & { reload(): Promise<void> }) {
  const { route } = useLocation();
  const { email } = account.value ?? {};
  const [sent, setSent] = useState<string>();
  const mine = useLoaded(async () => (email ? ownRegistration(event, email) : null), [event.id, event.year, email]);
  const guests = guestsOf(event, settings.guests);
  if (sent) return <Sent email={sent} correct={() => setSent(undefined)} />;
  if (email && mine.value) {
    const { title } = standingOf({ registration: mine.value });
    return (
      <section class="panel good">
        <h2>{title}</h2>
        <p>{words.already}.</p>
        <Way to={ownPlace(event)} text={words.show} isMain />
      </section>
    );
  }
  const signIn = signInPage(eventPage(event));
  if (!email && guests === "nobody") {
    return (
      <section class="panel">
        <h2>{words.title}</h2>
        <p>{event.nonBizTechAllowed ? words.needsAccount : words.membersOnly}</p>
        <Way to={signIn} text={words.signIn} isMain />
      </section>
    );
  }
  const isFull = leftFor(event, guests === "partners" && !email) === 0;
  return (
    <section class="panel">
      <h2>{isFull ? words.wait : event.isApplicationBased ? words.apply : words.title}</h2>
      {!email && (
        <p>
          {guests === "partners" ? `${words.partnersOnly} ` : `${words.signInInstead} `}
          <a href={signIn}>{texts.site.signIn}</a>
        </p>
      )}
      <RegistrationForm
        event={event}
        onlyPartners={!email && guests === "partners"}
        email={email}
        onRegistered={() => route(ownPlace(event))}
        onSent={setSent}
        reload={reload}
      />
    </section>
  );
}

interface RegisterProps extends EventProps {
  readonly phase: Phase;
  reload(): Promise<void>;
}

const closed = {
  over: [words.over, words.overText],
  ended: [words.ended, words.endedText],
} as const;

/** What can be done about an event now. */
export function Register({ event, phase, reload }: RegisterProps) {
  const [said, setSaid] = useState("");
  const [waited, setWaited] = useState(phase === "soon");
  const opensAt = Date.parse(event.opensAt ?? "");
  useEffect(() => {
    if (phase === "soon") setWaited(true);
    if (phase !== "open" || !waited) return;
    setWaited(false);
    setSaid(words.opened);
  }, [phase, waited]);
  return (
    <>
      <Said text={said} />
      {phase === "soon" && <Countdown opensAt={opensAt} />}
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
