/** Lists to choose from. */
import { whenText } from "../shared/dates.ts";
import { Frame, tied } from "../shared/field.tsx";
import { useLoaded, Waiting } from "../shared/parts.tsx";
import { settings } from "../shared/settings.ts";
import type { Event } from "../shared/types.ts";
import { readList } from "./calls.ts";

interface SelectProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  set(value: string): void;
}

export const Select = ({ id, label, value, choices, set }: SelectProps) => (
  <Frame {...{ id, label }}>
    <select {...tied({ id, label })} value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
      <option value="">Please choose</option>
      {choices.map(([choice, text]) => (
        <option key={choice} value={choice}>
          {text}
        </option>
      ))}
    </select>
  </Frame>
);

interface ChooseEventProps {
  readonly id: string;
  readonly event: Event | undefined;
  set(event: Event | undefined): void;
}

/** One of all events, the latest first. */
export function ChooseEvent({ id, event: chosen, set }: ChooseEventProps) {
  const keyOf = (event: Event) => `${event.id};${event.year}`;
  const asked = useLoaded(() => readList<Event>("/events"), []);
  const events = (asked.value ?? []).toSorted((one, other) =>
    (other.startDate ?? "").localeCompare(one.startDate ?? ""),
  );
  const textOf = (event: Event) =>
    `${event.ename} ${event.year}, ${whenText(event, settings.timeZone, "card") ?? "without a date"}`;
  return (
    <div>
      <Waiting of={asked} />
      <Select
        {...{ id, label: "Event", value: chosen ? keyOf(chosen) : "" }}
        choices={events.map((event) => [keyOf(event), textOf(event)])}
        set={(key) => set(events.find((event) => keyOf(event) === key))}
      />
    </div>
  );
}
