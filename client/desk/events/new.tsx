/** A new event: of nothing, or as a copy of another one. */
import { useLocation } from "preact-iso";
import { now } from "../../shared/clock.ts";
import { Sending, Title, useAct, useLoaded, Waiting } from "../../shared/parts.tsx";
import { settings } from "../../shared/settings.ts";
import { type EventKey, eventDesk, eventPath } from "../addresses.ts";
import { change, read } from "../calls.ts";
import type { DeskEvent } from "../parts.tsx";
import { bodyOf } from "../schema.ts";
import { Fields, type SchemaForm, useSchemaForm } from "../schema-form.tsx";
import { BannerField } from "./banner.tsx";
import { EventFields, look } from "./fields.tsx";
import { Preview } from "./preview.tsx";
import { bodyToSend, copyOf, proposalOf } from "./rules.ts";

/** Creates an event, and goes to its page. */
function useCreation(form: SchemaForm, path: string) {
  const act = useAct();
  const { route } = useLocation();
  const send = async () => {
    const body = bodyToSend(form.body());
    const { item } = await change<{ readonly item: EventKey }>("POST", path, body).catch(form.complain);
    form.clear();
    route(eventDesk(item));
  };
  return { act, send };
}

function NewEvent() {
  const entered = useSchemaForm("NewEvent", { ...look, draft: "new-event", usual: { nonBizTechAllowed: true } });
  const entries = { ...proposalOf(entered.entries, now()), ...entered.entries };
  const form = { ...entered, entries, body: () => bodyOf(entered.schema, entries) };
  const creation = useCreation(form, "/events");
  return (
    <>
      <Title text="New event" />
      <p>It begins as a draft that only executives see. You publish it once it is right.</p>
      <Sending {...creation} button="Create the draft">
        <EventFields form={form} banner={<BannerField form={form} eventId={String(entries.id || "event")} />} />
        <Preview body={form.body} />
      </Sending>
    </>
  );
}

function NewCopy({ event }: { readonly event: DeskEvent }) {
  const form = useSchemaForm("EventCopy", {
    ...look,
    draft: `copy/${event.id}/${event.year}`,
    usual: copyOf(event, settings.timeZone),
    hints: { ...look.hints, startDate: "The other dates keep their distance to it. Empty: the copy has no dates." },
  });
  const creation = useCreation(form, `${eventPath(event)}/copy`);
  return (
    <>
      <Title text={`Copy ${event.ename}`} />
      <p>
        The copy has everything of {event.ename} {event.year} but the people. It is a draft that only executives see.
      </p>
      <Sending {...creation} button="Make the copy">
        <Fields form={form} names={["ename", "startDate", "year", "id"]} />
      </Sending>
    </>
  );
}

export function NewEventPage() {
  const { id, year } = useLocation().query;
  const path = id && year && eventPath({ id, year: Number(year) });
  const copied = useLoaded(async () => (path ? read<DeskEvent>(path) : undefined), [path]);
  if (!path) return <NewEvent />;
  return copied.value ? <NewCopy event={copied.value} /> : <Waiting of={copied} />;
}
