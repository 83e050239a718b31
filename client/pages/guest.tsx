/** The last step of a person without an account: the link of the first mail registers. */
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { eventPath, linkedPlace, lostPage } from "../shared/addresses.ts";
import { ask } from "../shared/api.ts";
import { Refused } from "../shared/call.ts";
import { moneyText } from "../shared/dates.ts";
import { explainForm, Questions, useForm } from "../shared/form.tsx";
import { costsText, leftFor } from "../shared/opening.ts";
import { Facts, Focused, Sending, Title, useAct, useLoaded, Waiting } from "../shared/parts.tsx";
import { settings } from "../shared/settings.ts";
import { texts } from "../shared/texts.ts";
import type { Answers, EventWithCounts, GuestRequest, RegisteredByLink, Registration } from "../shared/types.ts";
import { standingOf } from "./standing.ts";

const words = texts.guest;
const path = "/links/guest";

interface Request {
  readonly request: GuestRequest;
  /** With price and counts, where anyone may read events. */
  readonly event: EventWithCounts | undefined;
}

/** @throws Refused */
async function load(link: string): Promise<Request> {
  const request = await ask<GuestRequest>(path, { link });
  const read = () => ask<EventWithCounts>(`${eventPath(request.event)}?count=true`).catch(() => undefined);
  return { request, event: settings.publicEvents ? await read() : undefined };
}

interface StepProps {
  readonly loaded: Request;
  readonly link: string;
  /** @param registration that was there before */
  onThere(registration: Registration): void;
}

function LastStep({ loaded: { request, event }, link, onThere }: StepProps) {
  const { route } = useLocation();
  const { email, fname, questions, dynamicResponses, isPartner, plusOnes, behindOthers, from } = request;
  const act = useAct(explainForm);
  const form = useForm(`guest/${link}`, questions, dynamicResponses as Answers);
  const register = async () => {
    const body = { dynamicResponses: form.collect() };
    try {
      const { link: place } = await ask<RegisteredByLink>(path, { method: "POST", link, body });
      form.sent();
      // What happens next, paying as well, is there.
      route(linkedPlace(place), true);
    } catch (problem) {
      const there = problem instanceof Refused && problem.code === "DUPLICATE" && problem.registration;
      if (!there) form.complain(problem);
      form.sent();
      onThere(there as Registration);
    }
  };
  const costs =
    event && from === undefined && costsText(event, settings.currency, isPartner, leftFor(event, isPartner) === 0);
  return (
    <Sending act={act} button={from ? words.take : texts.register.title} send={register} class="panel acting">
      <h2>{from ? words.offered : words.title}</h2>
      <p>{texts.standing.greeting(fname, from ? words.offeredText(from, email) : words.text(email))}</p>
      {behindOthers && <p class="note">{texts.register.behind}</p>}
      <Questions form={form} />
      {costs && <p class="costs">{costs}</p>}
      {plusOnes && (
        <p>
          {words.with(plusOnes.map((one) => one.fname).join(", "))}{" "}
          {event?.plusOnePrice !== undefined &&
            texts.register.plusOneCosts(moneyText(event.plusOnePrice, settings.currency))}
        </p>
      )}
    </Sending>
  );
}

function Before({ registration }: { readonly registration: Registration }) {
  const { title, text, tone } = standingOf({ registration });
  return (
    <section class={`panel ${tone}`}>
      <Focused text={title} />
      <p>{text}</p>
      <p>
        {words.before} <a href={lostPage}>{texts.site.lost}</a>
      </p>
    </section>
  );
}

export function GuestPage({ link }: { readonly link: string }) {
  const loaded = useLoaded(() => load(link), [link]);
  const [before, setBefore] = useState<Registration>();
  const { value } = loaded;
  if (!value) {
    return (
      <>
        <Title text={texts.register.title} />
        <Waiting of={loaded} />
      </>
    );
  }
  return (
    <>
      <Title text={value.request.event.ename} />
      <Facts event={value.request.event} />
      {before ? <Before registration={before} /> : <LastStep loaded={value} link={link} onThere={setBefore} />}
    </>
  );
}
