/** The last step of a person without an account: the link of the first mail registers. */
import { useState } from "preact/hooks";
import { Refused } from "../page/call.ts";
import { lostPage } from "./addresses.ts";
import { ask, isSecret } from "./api.ts";
import { momentText } from "./dates.ts";
import { explainForm, Questions, useForm } from "./form.tsx";
import { leftFor, priceText } from "./opening.ts";
import { Facts, Focused, Send, Title, useAct, useLoaded, Waiting, When } from "./parts.tsx";
import { settings } from "./settings.ts";
import { standingOf } from "./standing.ts";
import { texts } from "./texts.ts";
import type { Answers, EventWithCounts, GuestRequest, Registered, Registration } from "./types.ts";

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

interface Done {
  readonly registration: Registration;
  readonly wasBefore: boolean;
}

function LastStep({
  loaded,
  link,
  onDone,
}: {
  readonly loaded: Request;
  readonly link: string;
  onDone(done: Done): void;
}) {
  const { email, fname, questions, dynamicResponses } = loaded.request;
  const act = useAct(explainForm);
  const form = useForm(`guest/${link}`, questions, dynamicResponses as Answers);
  const register = async () => {
    const body = { dynamicResponses: form.collect() };
    try {
      const { registration } = await ask<Registered>(path, { method: "POST", link, body });
      onDone({ registration, wasBefore: false });
    } catch (problem) {
      const isThere = problem instanceof Refused && problem.code === "DUPLICATE" && problem.registration;
      if (!isThere) form.complain(problem);
      onDone({ registration: (problem as Refused).registration as Registration, wasBefore: true });
    }
    form.sent();
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
  const [done, setDone] = useState<Done>();
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
  const hold = done?.registration.holdExpiresAt;
  const standing = done && standingOf({ ...done, heldUntil: hold ? momentText(hold, settings.timeZone) : "" });
  return (
    <>
      <Title text={event.ename} />
      <Facts
        rows={[
          [texts.event.when, <When key="when" event={event} text={event.when} />],
          [texts.event.where, event.elocation],
        ]}
      />
      {standing && done ? (
        <section class={`panel ${standing.tone}`}>
          <Focused text={standing.title} />
          <p>{standing.text}</p>
          <p>
            {done.wasBefore ? words.before : words.next} <a href={lostPage}>{texts.site.lost}</a>
          </p>
        </section>
      ) : (
        <LastStep loaded={loaded.value} link={link} onDone={setDone} />
      )}
    </>
  );
}
