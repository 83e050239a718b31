/** The last step of a person without an account: the link of the first mail registers. */
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Refused } from "../page/call.ts";
import { linkedPlace, lostPage } from "./addresses.ts";
import { ask, isSecret } from "./api.ts";
import { explainForm, Questions, useForm } from "./form.tsx";
import { leftFor, priceText } from "./opening.ts";
import { Facts, Focused, Send, Title, useAct, useLoaded, Waiting, When } from "./parts.tsx";
import { settings } from "./settings.ts";
import { standingOf } from "./standing.ts";
import { texts } from "./texts.ts";
import type { Answers, EventWithCounts, GuestRequest, RegisteredByLink, Registration } from "./types.ts";

const words = texts.guest;
const path = "/links/guest";

interface Request {
  readonly request: GuestRequest;
  /** With price and counts, where anyone may read events. */
  readonly event: EventWithCounts | undefined;
}

/** @throws Refused */
async function load(link: string): Promise<Request> {
  if (!isSecret(link)) throw new Refused(401, {});
  const request = await ask<GuestRequest>(path, { link });
  const { id, year } = request.event;
  const isPublic = settings.publicEvents;
  const address = `/events/${encodeURIComponent(id)}/${year}?count=true`;
  return { request, event: isPublic ? await ask<EventWithCounts>(address).catch(() => undefined) : undefined };
}

function costsOf({ event, request }: Request): string | undefined {
  const price = event && priceText(event, settings.currency, request.isPartner);
  if (!price) return undefined;
  if (event.isApplicationBased) return texts.register.payApplied(price);
  return leftFor(event, request.isPartner) === 0 ? texts.register.payWaiting(price) : texts.register.payText(price);
}

function LastStep({
  loaded,
  link,
  onThere,
}: {
  readonly loaded: Request;
  readonly link: string;
  /** @param registration that was there before */
  onThere(registration: Registration): void;
}) {
  const { route } = useLocation();
  const { email, fname, questions, dynamicResponses } = loaded.request;
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
      const isThere = problem instanceof Refused && problem.code === "DUPLICATE" && problem.registration;
      if (!isThere) form.complain(problem);
      form.sent();
      onThere((problem as Refused).registration as Registration);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void act.run(register);
  };
  const costs = costsOf(loaded);
  return (
    <form noValidate onSubmit={submit} class="panel acting">
      <h2>{words.title}</h2>
      <p>{texts.standing.greeting(fname, words.text(email))}</p>
      <Questions form={form} />
      {costs && <p class="costs">{costs}</p>}
      <Send act={act}>{texts.register.title}</Send>
    </form>
  );
}

export function GuestPage({ link }: { readonly link: string }) {
  const loaded = useLoaded(() => load(link), [link]);
  const [before, setBefore] = useState<Registration>();
  const { request } = loaded.value ?? {};
  if (!request || !loaded.value) {
    return (
      <>
        <Title text={texts.register.title} />
        <Waiting of={loaded} />
      </>
    );
  }
  const { event } = request;
  const standing = before && standingOf({ registration: before });
  return (
    <>
      <Title text={event.ename} />
      <Facts
        rows={[
          [texts.event.when, <When key="when" event={event} text={event.when} />],
          [texts.event.where, event.elocation],
        ]}
      />
      {standing ? (
        <section class={`panel ${standing.tone}`}>
          <Focused text={standing.title} />
          <p>{standing.text}</p>
          <p>
            {words.before} <a href={lostPage}>{texts.site.lost}</a>
          </p>
        </section>
      ) : (
        <LastStep loaded={loaded.value} link={link} onThere={setBefore} />
      )}
    </>
  );
}
