/** What is done with an event as a whole: it is published, hidden, or deleted. */
import { useState } from "preact/hooks";
import { eventPage } from "../../shared/addresses.ts";
import { Refused } from "../../shared/call.ts";
import { now } from "../../shared/clock.ts";
import { isPast } from "../../shared/dates.ts";
import { Choice, Line } from "../../shared/field.tsx";
import { useLoaded, Waiting } from "../../shared/parts.tsx";
import { settings } from "../../shared/settings.ts";
import type { Registration } from "../../shared/types.ts";
import { eventPath } from "../addresses.ts";
import { change, pathOf, readAll } from "../calls.ts";
import type { DeskEvent } from "../event-frame.tsx";
import { Asking, count, fullMoment, money, Values } from "../parts.tsx";
import { Fields, useSchemaForm } from "../schema-form.tsx";
import { type Deletion, deletionOf, isVisible, refuse } from "./rules.ts";

interface ActProps {
  readonly event: DeskEvent;
  readonly tag: string | undefined;
  reload(): Promise<void>;
}

/** Whether another executive has changed the record since it was read. */
export const isOutdated = (problem: unknown): boolean => problem instanceof Refused && problem.status === 412;

/** Does something on the condition that the event is as it was read; after another one's change shows that first. */
async function onlyIfSame<T>(work: () => Promise<T>, reload: () => Promise<void>): Promise<T> {
  try {
    return await work();
  } catch (problem) {
    if (!isOutdated(problem)) throw problem;
    await reload();
    throw refuse("Another executive has changed this event meanwhile. Look at it as it is now, and try again.");
  }
}

const audience = settings.publicEvents ? "Everyone" : "Everyone who is signed in";

/** Who sees the event, and what changes that. */
export function Publishing({ event, tag, reload }: ActProps) {
  const { publishAt, wholeDays } = event;
  const form = useSchemaForm("NewEvent", {
    draft: `publish/${event.id}/${event.year}`,
    stored: { publishAt, wholeDays },
    labels: { publishAt: "Public from" },
    hints: { publishAt: "Not after the event. Empty: it does not publish itself." },
  });
  const patch = (body: object) =>
    onlyIfSame(async () => {
      await change("PATCH", eventPath(event), body, tag);
      await reload();
    }, reload);
  const isShown = isVisible(event, now());
  const seen = `${audience} sees it in the list of events, on its own page and in the calendar.`;
  return (
    <section>
      <h2>Who sees it</h2>
      <p>
        {isShown ? (
          <>
            {seen} <a href={eventPage(event)}>The event's page</a>
          </>
        ) : (
          `Only executives see it${publishAt ? `, until ${fullMoment(publishAt)}` : ""}.`
        )}
      </p>
      <div class="buttons">
        {isShown ? (
          <Asking text="Hide" title={`Hide ${event.ename}?`} sure="Hide it" act={() => patch({ isPublished: false })}>
            <p>
              Only executives see it then, and only they can register people. Whoever is registered keeps the place, and
              still sees it among their own. Nobody gets a mail. You can publish it again.
            </p>
          </Asking>
        ) : (
          <>
            <Asking
              text="Publish now"
              isMain
              title={`Publish ${event.ename}?`}
              sure="Publish it"
              act={() => patch({ isPublished: true })}
            >
              <p>{seen.replace("sees", "will see")} Nobody gets a mail. You can hide it again.</p>
            </Asking>
            <Asking
              text={publishAt ? "Change when it is published" : "Publish at a time"}
              title="When should it become public?"
              sure="Save"
              act={async () => {
                await patch(form.changes()).catch(form.complain);
                form.clear();
              }}
            >
              <p>{seen.replace("sees", "will see")} Until then only executives do. Nobody gets a mail.</p>
              <Fields form={form} names={["publishAt"]} />
            </Asking>
          </>
        )}
      </div>
    </section>
  );
}

interface Terms {
  readonly plan?: Deletion;
  readonly isRefunded: boolean;
  readonly typed: string;
}

/** All that ends with the event. */
async function planOf({ id, year }: DeskEvent): Promise<Deletion> {
  const which = { eventID: id, year, limit: 500 };
  type Payments = Parameters<typeof deletionOf>[1];
  const [registrations, payments] = await Promise.all([
    readAll("/registrations", which, ({ data }: { readonly data: readonly Registration[] }) => data),
    readAll("/payments", which, (rows: Payments) => rows),
  ]);
  return deletionOf(registrations, payments);
}

interface PlanProps {
  readonly event: DeskEvent;
  readonly terms: Terms;
  set(terms: Partial<Terms>): void;
}

/** What the deletion will do, and what the executive decides about it. */
function Plan({ event, terms, set }: PlanProps) {
  const plan = useLoaded(async () => {
    const made = await planOf(event);
    set({ plan: made });
    return made;
  }, []);
  if (!plan.value) return <Waiting of={plan} />;
  const { live, byStatus, paidSeats, refunds } = plan.value;
  if (live === 0) return <p>No one is registered, so no one is told. It cannot be undone.</p>;
  const isOver = isPast(event, now()) || (event.startDate !== undefined && Date.parse(event.startDate) <= now());
  return (
    <>
      <p>
        {count(live, "registration ends", "registrations end")}, and it cannot be undone.{" "}
        {isOver
          ? "The event has begun, so nobody gets a mail about it."
          : "Each of these people gets a mail that the event is cancelled."}
      </p>
      <Values rows={byStatus.map(([status, number]) => [status, number.toLocaleString("en-US")])} />
      {paidSeats > 0 && (
        <fieldset>
          <legend>
            {count(paidSeats, "paid seat")}, {money(refunds)} in all
          </legend>
          {[true, false].map((isRefunded) => (
            <Choice
              key={String(isRefunded)}
              name="refunds"
              type="radio"
              value={String(isRefunded)}
              checked={terms.isRefunded === isRefunded}
              choose={() => set({ isRefunded })}
            >
              {isRefunded ? `Refund ${money(refunds)}` : `Refund nothing: the club keeps ${money(refunds)}`}
            </Choice>
          ))}
          <p class="hint">Who is checked in is not refunded. You find the refunds under Money.</p>
        </fieldset>
      )}
      <Line
        id="typed"
        label={`To be sure, write the event's name: ${event.ename}`}
        value={terms.typed}
        set={(typed) => set({ typed })}
      />
    </>
  );
}

interface DeletingProps extends ActProps {
  /** @param said what was done */
  done(said: string): void;
}

/** Deletes an event, with the consequences said first. */
export function Deleting({ event, tag, reload, done }: DeletingProps) {
  const [terms, setTerms] = useState<Terms>({ isRefunded: true, typed: "" });
  const remove = async () => {
    const { plan, typed, isRefunded } = terms;
    if (!plan) throw refuse("Wait until it is clear what this ends.");
    const isTaken = plan.live > 0;
    if (isTaken && typed.trim() !== event.ename.trim()) throw refuse("Write the event's name as it stands there.");
    const terms412 = { force: isTaken || undefined, refund: isTaken && !isRefunded ? "none" : undefined };
    const { refunds } = await onlyIfSame(
      () => change<{ readonly refunds: number }>("DELETE", pathOf(eventPath(event), terms412), undefined, tag),
      reload,
    );
    done(`${event.ename} is deleted. ${refunds > 0 ? `${count(refunds, "refund")} will be made.` : ""}`);
  };
  return (
    <Asking text="Delete" title={`Delete ${event.ename}?`} sure="Delete it for good" act={remove}>
      <Plan event={event} terms={terms} set={(some) => setTerms((kept) => ({ ...kept, ...some }))} />
    </Asking>
  );
}
