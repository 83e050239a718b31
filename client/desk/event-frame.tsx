/** The frame of an event's pages: its name and what else there is. */
import type { ComponentType } from "preact";
import { useLocation } from "preact-iso";
import { Title, useLoaded, Waiting } from "../shared/parts.tsx";
import { type EventParams, eventDesk, eventPath, keyOf } from "./addresses.ts";
import { type AsRead, readTagged } from "./calls.ts";
import { type DeskEvent, Tabs } from "./parts.tsx";

/** An event as it was read. */
export interface EventProps extends AsRead {
  readonly event: DeskEvent;
}

const parts = [
  [undefined, "Event"],
  ["people", "People"],
  ["codes", "Codes"],
  ["applications", "Applications"],
  ["evening", "Evening"],
  ["report", "Report"],
  ["table", "From a table"],
] as const;

/** A page of an event. @param Content is drawn once the event is there */
export const ofEvent = <More extends object>(Content: ComponentType<EventProps & More>) =>
  function EventPage(params: EventParams & More) {
    const { path } = useLocation();
    const key = keyOf(params);
    const read = useLoaded(() => readTagged<DeskEvent>(eventPath(key), { count: true }), [key.id, key.year]);
    if (!read.value) return <Waiting of={read} />;
    const { value: event, tag } = read.value;
    const pages = parts.filter(([part]) => part !== "applications" || event.isApplicationBased);
    return (
      <>
        <Title text={event.ename} />
        <Tabs label={event.ename} here={path} pages={pages.map(([part, text]) => [text, eventDesk(event, part)])} />
        <Content key={eventPath(event)} {...params} {...{ event, tag, reload: read.reload }} />
      </>
    );
  };
