/** The frame of an event's pages: its name and what else there is. */
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import type { components } from "../paths.ts";
import { type Loaded, Title, useLoaded, Waiting } from "../shared/parts.tsx";
import { type EventKey, eventDesk, eventPath } from "./addresses.ts";
import { readTagged, type Tagged } from "./calls.ts";

export type DeskEvent = components["schemas"]["EventWithPeople"];

/** An event with its counts, and the tag of its version. */
export const useEvent = (key: EventKey): Loaded<Tagged<DeskEvent>> =>
  useLoaded(() => readTagged<DeskEvent>(eventPath(key), { count: true }), [key.id, key.year]);

const parts = [
  [undefined, "Event"],
  ["people", "People"],
  ["applications", "Applications"],
  ["evening", "Evening"],
  ["report", "Report"],
] as const;

interface FrameProps {
  readonly event: Loaded<Tagged<DeskEvent>>;
  /** Drawn once the event is there. */
  children(event: DeskEvent, tagged: Tagged<DeskEvent>): ComponentChildren;
}

export function EventFrame({ event, children }: FrameProps) {
  const { path } = useLocation();
  const tagged = event.value;
  if (!tagged) return <Waiting of={event} />;
  const { value } = tagged;
  return (
    <>
      <Title text={value.ename} />
      <nav class="tabs" aria-label={value.ename}>
        {parts.map(([part, text]) => {
          const page = eventDesk(value, part);
          return part === "applications" && !value.isApplicationBased ? null : (
            <a key={page} href={page} aria-current={path === page ? "page" : undefined}>
              {text}
            </a>
          );
        })}
      </nav>
      {children(value, tagged)}
    </>
  );
}
