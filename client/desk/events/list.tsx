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
import type { DeskEvent } from "../event-frame.tsx";
import { count, moment, Tag } from "../parts.tsx";
import { type Column, Table } from "../table.tsx";
import { type Group, groupsOf, groupTitles, statesOf } from "./rules.ts";

/** Events whose seats are counted: each takes a request. */
const mostCounted = 20;

const keyOf = ({ id, year }: Event): string => `${id};${year}`;

/** What is taken of an event's seats; undefined until it is known. */
type Counts = Readonly<Record<string, DeskEvent["counts"]>>;

function seatsText({ capac }: Event, counts: DeskEvent["counts"]): string {
  if (!counts) return capac === undefined ? "" : count(capac, "seat");
  const { waitlistCount, seatsTaken } = counts;
  const taken = capac === undefined ? `${seatsTaken} taken` : `${seatsTaken} of ${capac}`;
  return waitlistCount > 0 ? `${taken}, ${waitlistCount} in line` : taken;
}

function columnsOf(counts: Counts, group: Group): readonly Column<Event>[] {
  const startOf = ({ startDate = "" }: Event) => startDate;
  return [
    { title: "Event", of: ({ ename }) => ename, by: ({ ename }) => ename },
    { title: "When", of: (event) => whenText(event, settings.timeZone, "card") ?? "No date", by: startOf },
    ...(group === "scheduled" ? [{ title: "Public from", of: ({ publishAt }: Event) => moment(publishAt) }] : []),
    {
      title: "State",
      of: (event) => statesOf(event, now()).map((state) => <Tag key={state} text={state} kind={kindOf(state)} />),
      isMinor: true,
    },
    { title: "Seats", of: (event) => seatsText(event, counts[keyOf(event)]), isMinor: true },
  ];
}

const kindOf = (state: string) => (state === "Registration open" ? "good" : state === "Hidden" ? "bad" : "");

/** The counts of the events that are on or come next. */
async function readCounts(events: readonly Event[]): Promise<Counts> {
  const next = groupsOf(events, "", now()).flatMap(([group, those]) => (group === "past" ? [] : those));
  const counted = async (event: Event) => [
    keyOf(event),
    (await read<DeskEvent>(eventPath(event), { count: true })).counts,
  ];
  const all = await Promise.allSettled(next.slice(0, mostCounted).map(counted));
  return Object.fromEntries(all.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])));
}

export function EventsPage() {
  const [search, setSearch] = useState("");
  const events = useLoaded(() => readAll<Event, readonly Event[]>("/events", { limit: 500 }, (rows) => rows), []);
  const counts = useLoaded(() => readCounts(events.value ?? []), [events.value]);
  const groups = groupsOf(events.value ?? [], search, now());
  return (
    <>
      <Title text="Events" />
      <div class="filters">
        <Line id="search" label="Search" required={false} value={search} set={setSearch} />
        <Way to={deskPages.newEvent} text="New event" kind="main" />
      </div>
      <Waiting of={events} />
      {events.value && groups.length === 0 && (
        <p>{search ? `No event has “${search}” in its name or place.` : "There are no events yet."}</p>
      )}
      {groups.map(([group, those]) => (
        <section key={group}>
          <h2>
            {groupTitles[group]} <span class="minor">({those.length})</span>
          </h2>
          <Table
            title={groupTitles[group]}
            rows={those}
            columns={columnsOf(counts.value ?? {}, group)}
            keyOf={keyOf}
            pageOf={(event) => eventDesk(event)}
          />
        </section>
      ))}
    </>
  );
}
