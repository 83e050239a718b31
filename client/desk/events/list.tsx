/** All events: what is on or comes, what is not public yet, and what is past. */
import { useState } from "preact/hooks";
import { now } from "../../shared/clock.ts";
import { whenText } from "../../shared/dates.ts";
import { Line } from "../../shared/field.tsx";
import { Title, useLoaded, Waiting, Way } from "../../shared/parts.tsx";
import { settings } from "../../shared/settings.ts";
import type { Event } from "../../shared/types.ts";
import { deskPages, eventDesk, eventPath } from "../addresses.ts";
import { read, readAll } from "../calls.ts";
import { type DeskEvent, Section, Tag } from "../parts.tsx";
import { type Column, column, minor, Table, when } from "../table.tsx";
import { type Group, groupsOf, groupTitles, statesOf } from "./rules.ts";

/** What is taken of an event's seats. The list does not know it, so each row in sight asks. */
function Seats({ event }: { readonly event: Event }) {
  const { value } = useLoaded(() => read<DeskEvent>(eventPath(event), { count: true }), [event.id, event.year]);
  const { seatsTaken = 0, waitlistCount = 0 } = value?.counts ?? {};
  const taken = `${seatsTaken} ${event.capac === undefined ? "taken" : `of ${event.capac}`}`;
  return <>{value && (waitlistCount > 0 ? `${taken}, ${waitlistCount} in line` : taken)}</>;
}

const kindOf = (state: string) => (state === "Registration open" ? "good" : state === "Hidden" ? "bad" : "");

function columnsOf(group: Group): readonly Column<Event>[] {
  const timeOf = (event: Event) => whenText(event, settings.timeZone, "card") ?? "No date";
  const states = (event: Event) =>
    statesOf(event, now()).map((state) => <Tag key={state} text={state} kind={kindOf(state)} />);
  const hasSeats = group === "now" || group === "ahead";
  return [
    column("Event", ({ ename, year }) => `${ename} ${year}`),
    column("When", ({ startDate }) => startDate, { of: timeOf }),
    ...(group === "scheduled" ? [when<Event>("Public from", ({ publishAt }) => publishAt, false)] : []),
    { ...{ title: "State", of: states }, ...minor },
    ...(hasSeats ? [{ title: "Seats", of: (event: Event) => <Seats event={event} /> }] : []),
  ];
}

export function EventsPage() {
  const [search, setSearch] = useState("");
  const events = useLoaded(() => readAll<Event>("/events", { limit: 500 }), []);
  const groups = groupsOf(events.value ?? [], search, now());
  return (
    <>
      <Title text="Events" />
      <div class="filters">
        <Line id="search" label="Search" required={false} value={search} set={setSearch} />
        <Way to={deskPages.newEvent} text="New event" kind="main" />
      </div>
      <Waiting of={events} />
      {events.value && groups.length === 0 && <p>No event has “{search}” in its name or place.</p>}
      {groups.map(([group, rows]) => (
        <Section key={group} title={groupTitles[group]}>
          <Table<Event>
            {...{ title: groupTitles[group], rows, columns: columnsOf(group) }}
            {...{ pageOf: (event) => eventDesk(event), keyOf: ({ id, year }) => `${id};${year}` }}
          />
        </Section>
      ))}
    </>
  );
}
