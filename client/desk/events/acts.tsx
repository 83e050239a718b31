/** What is done with an event as a whole: it is published, hidden, called off, or deleted. */

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { eventPage } from "../../shared/addresses.ts";
import { now } from "../../shared/clock.ts";
import { Choice, Line } from "../../shared/field.tsx";
import { useLoaded, Waiting } from "../../shared/parts.tsx";
import { settings } from "../../shared/settings.ts";
import type { Registration } from "../../shared/types.ts";
import { deskPages, eventPath } from "../addresses.ts";
import { changeAsRead, pathOf, readAll } from "../calls.ts";
import type { EventProps } from "../event-frame.tsx";
import { Asking, count, type DeskEvent, fullMoment, money } from "../parts.tsx";
import { deletionOf, isVisible, refuse } from "./rules.ts";

/** Who sees the event, and what changes that. */
export function Publishing({ event, ...as }: EventProps) {
  const isShown = isVisible(event, now());
  const seen = `${settings.publicEvents ? "Everyone" : "Everyone with an account"} can see it: in the list of events, on its own page, and in the calendar. `;
  const turn = async () => {
    await changeAsRead(as, "PATCH", eventPath(event), { isPublished: !isShown });
    await as.reload();
  };
  return (
    <section>
      <h2>Who sees it</h2>
      <p>
        {isShown ? seen : `Only executives see it. “Publish by itself” below makes it public at a time. `}
        {isShown && <a href={eventPage(event)}>The event's page</a>}
        {!isShown && event.publishAt && `Now that is ${fullMoment(event.publishAt)}.`}
      </p>
      <Asking
        key={String(isShown)}
        {...{ text: isShown ? "Hide" : "Publish now", title: `${isShown ? "Hide" : "Publish"} ${event.ename}?` }}
        {...{ sure: isShown ? "Hide it" : "Publish it", isMain: !isShown, act: turn }}
      >
        <p>
          {isShown
            ? "Only executives see it then, and only they can register people. Who is registered keeps the place, and sees it among their own."
            : seen.replace("can see", "will see")}{" "}
          No one gets a mail. You can change it back.
        </p>
      </Asking>
    </section>
  );
}

/** What calling off will do. */
function Ends({ event }: Pick<EventProps, "event">) {
  const plan = useLoaded(() => planOf(event), []);
  if (!plan.value) return <Waiting of={plan} />;
  const { byStatus, paidSeats, refunds } = plan.value;
  return (
    <>
      <p>
        It stays listed as called off. All registrations end but those of people who are checked in or rejected, each
        person gets a mail with the text below, and this cannot be undone.
      </p>
      {byStatus.length > 0 && <p>{byStatus.map(([status, number]) => `${status}: ${number}`).join(" · ")}</p>}
      {paidSeats > 0 && (
        <p>
          {money(refunds)} for {count(paidSeats, "paid seat")} are refunded.
        </p>
      )}
    </>
  );
}

/** Calls an event off, or says that it takes place again. */
export function CallingOff({ event, ...as }: EventProps) {
  const [word, setWord] = useState("");
  const call = (calledOff: string | null) => async () => {
    if (calledOff?.trim() === "") throw refuse("Write what people read about it.");
    await changeAsRead(as, "PATCH", eventPath(event), { calledOff });
    await as.reload();
  };
  if (event.calledOff !== undefined) {
    return (
      <Asking key="back" text="It takes place again" title={`${event.ename} takes place?`} act={call(null)}>
        <p>Registration goes on. Registrations that have ended stay so, and no one gets a mail.</p>
      </Asking>
    );
  }
  return (
    <Asking key="off" text="Call off" title={`Call off ${event.ename}?`} sure="Call it off" act={call(word)}>
      <Ends event={event} />
      <Line id="calledOff" label="What people read about it" value={word} set={setWord} />
    </Asking>
  );
}

/** What the executive decides about a deletion, once it is known what it does. */
interface Terms {
  readonly plan?: ReturnType<typeof deletionOf>;
  readonly isRefunded: boolean;
  readonly typed: string;
}

async function planOf({ id, year }: DeskEvent) {
  const which = { eventID: id, year, limit: 500 };
  type Payment = Parameters<typeof deletionOf>[1][number];
  const [registrations, payments] = await Promise.all([
    readAll<Registration>("/registrations", which),
    readAll<Payment>("/payments", which),
  ]);
  return deletionOf(registrations, payments);
}

type PlanProps = Pick<EventProps, "event"> & { readonly terms: Terms; set(terms: Partial<Terms>): void };

/** What the deletion will do. */
function Plan({ event, terms, set }: PlanProps) {
  const plan = useLoaded(async () => {
    const made = await planOf(event);
    set({ plan: made });
    return made;
  }, []);
  if (!plan.value) return <Waiting of={plan} />;
  const { live, byStatus, paidSeats, refunds } = plan.value;
  if (live === 0) return <p>No one is registered, so no one is told. It cannot be undone.</p>;
  const hasBegun = event.startDate !== undefined && Date.parse(event.startDate) <= now();
  return (
    <>
      <p>
        {count(live, "registration ends", "registrations end")}, and it cannot be undone.{" "}
        {hasBegun ? "The event has begun, so no one gets a mail." : "Each of these people gets a mail about it."}
      </p>
      <p>{byStatus.map(([status, number]) => `${status}: ${number}`).join(" · ")}</p>
      {paidSeats > 0 && (
        <Choice
          {...{ name: "refund", value: "refund", type: "checkbox", checked: terms.isRefunded }}
          choose={(isRefunded) => set({ isRefunded })}
        >
          Refund {money(refunds)} for {count(paidSeats, "paid seat")} of people who are not checked in. Not ticked: the
          club keeps the money.
        </Choice>
      )}
      <p>To be sure, write the event's name: {event.ename}</p>
      <Line id="typed" label="Its name" value={terms.typed} set={(typed) => set({ typed })} />
    </>
  );
}

/** Deletes an event, with the consequences said first. */
export function Deleting({ event, ...as }: EventProps) {
  const { route } = useLocation();
  const [terms, setTerms] = useState<Terms>({ isRefunded: true, typed: "" });
  const remove = async () => {
    const { plan, typed, isRefunded } = terms;
    if (!plan) throw refuse("Wait until it is clear what this ends.");
    const isTaken = plan.live > 0;
    if (isTaken && typed.trim() !== event.ename.trim()) throw refuse("Write the event's name as it stands there.");
    const query = { force: isTaken || undefined, refund: isTaken && !isRefunded ? "none" : undefined };
    await changeAsRead(as, "DELETE", pathOf(eventPath(event), query));
    route(deskPages.events);
  };
  return (
    <Asking text="Delete" title={`Delete ${event.ename}?`} sure="Delete it for good" act={remove}>
      <Plan event={event} terms={terms} set={(some) => setTerms((kept) => ({ ...kept, ...some }))} />
    </Asking>
  );
}
