/** The evening of an event: its door, who is there, and checking in without a scan. */
import { Fragment } from "preact";
import { useState } from "preact/hooks";
import type { components } from "../../paths.ts";
import { Refused } from "../../shared/call.ts";
import { now } from "../../shared/clock.ts";
import { zoneOf } from "../../shared/dates.ts";
import { Line } from "../../shared/field.tsx";
import { Said, useAct, Waiting } from "../../shared/parts.tsx";
import { QrCode } from "../../shared/qr.tsx";
import { refusalText } from "../../shared/refusals.ts";
import { settings } from "../../shared/settings.ts";
import type { Registered, Registration } from "../../shared/types.ts";
import { eventPath, personDesk } from "../addresses.ts";
import { change, changeSaying, pathOf, read, readAll } from "../calls.ts";
import { type EventProps, ofEvent } from "../event-frame.tsx";
import { useLive } from "../live.ts";
import { Asking, Bars, count, type DeskEvent, Figures, moment, Section, Small, Tag } from "../parts.tsx";
import { CompanyInside } from "../registrations/company.tsx";
import { depositText } from "../registrations/moves.ts";
import { askSince, merged, nameOf } from "../registrations/people.ts";
import { column, minor, Table, when } from "../table.tsx";
import * as door from "./at-door.ts";

/** Milliseconds between two looks; after `all` also for registrations that were deleted. */
const every = { people: 5_000, door: 20_000, all: 10 * 60_000 };

type Schemas = components["schemas"];
type People = { readonly rows: readonly Registration[]; readonly readAt: number };

/** The registrations of an event, kept fresh. */
function usePeople({ id, year }: DeskEvent) {
  const [progress, setProgress] = useState(0);
  const look = async (kept?: People): Promise<People> => {
    const known = kept && now() - kept.readAt < every.all ? kept : undefined;
    const query = { eventID: id, year, changedSince: known && askSince(known.rows) };
    const rows = await readAll<Registration>("/registrations", query, (some) => kept || setProgress(some));
    return known ? { ...known, rows: merged(known.rows, rows) } : { rows, readAt: now() };
  };
  return { progress, ...useLive<People>(look, () => every.people, [id, year]) };
}

function Door({ event }: Pick<EventProps, "event">) {
  const [link, setLink] = useState<string>();
  const path = `${eventPath(event)}/door-links`;
  const live = useLive<Schemas["Door"]>(
    () => read(path),
    () => every.door,
    [path],
  );
  const remove = async (device: string) => {
    await changeSaying("DELETE", pathOf(path, { device }));
    setLink(undefined);
    await live.reload();
  };
  const create = async () => {
    setLink((await change<Schemas["NewLink"]>("POST", path)).link);
  };
  return (
    <Section title="The door">
      <p>
        Up to ten phones scan tickets, without an account: they open the door's link, and see only this event's list.
      </p>
      <Asking
        {...{ text: link ? "Make another link" : "Make a link for the door", title: "Make a link?", sure: "Make it" }}
        {...{ says: "It is shown once, on this page. Give it only to people at the door.", act: create }}
      >
        <p>A link made before ends: a phone can join by the new one only. Phones that have joined go on.</p>
      </Asking>
      {link && (
        <section class="ticket" aria-label="The link of the door">
          <QrCode text={link} alt="The link of the door as a QR code" />
          <p>Scan it with the camera of each phone, and press “Join” there.</p>
          <code>{link}</code>
        </section>
      )}
      <h3>Phones at the door</h3>
      <Waiting of={live} />
      {live.value?.devices.length === 0 && <p class="minor">None has joined.</p>}
      {live.value?.devices.map(({ id, name, lastSyncAt }) => (
        <div key={id} class="device">
          <span>
            <b>{name}</b>, last heard of {moment(lastSyncAt)}
          </span>
          <Asking
            {...{ text: `Remove ${name}`, title: `Remove ${name}?`, sure: "Remove it", act: () => remove(id) }}
            says="It can no longer read the list or bring scans. This also ends the link: phones to come need a new one."
          />
        </div>
      ))}
    </Section>
  );
}

interface ListProps extends Pick<EventProps, "event"> {
  readonly rows: readonly Registration[];
}

/** People shown for what was typed. */
const most = 12;

/** What else an executive has to know or do. */
const also = (row: Registration): string => {
  const deposit = depositText(row);
  return deposit && ` ${deposit}.`;
};

function Find({ event, rows, changed }: ListProps & { changed(row: Registration): void }) {
  const [typed, setTyped] = useState("");
  const act = useAct((problem) =>
    problem instanceof Refused ? undefined : "No answer: this is not done, as far as is known. Please try again.",
  );
  const applications = event.isApplicationBased === true;
  const which = { eventID: event.id, year: event.year };
  const found = door.found(rows, typed);
  const enter = async ({ email }: Registration) => {
    type Entered = { readonly registration: Registration; readonly alreadyCheckedIn: boolean };
    const done = await change<Entered>("POST", "/registrations/check-in", { ...which, email });
    changed(done.registration);
    const { registration, alreadyCheckedIn } = done;
    return `${nameOf(registration)} ${alreadyCheckedIn ? "was checked in before" : "is checked in"}.${also(registration)}`;
  };
  const undo = async (row: Registration) => {
    const body = { ...which, registrationStatus: "registered", seenStatus: "checkedIn" };
    const { registration } = await change<Registered>("PUT", `/registrations/${encodeURIComponent(row.email)}`, body);
    if (registration) changed(registration as Registration);
    return `The check-in of ${nameOf(row)} is undone.${registration ? also(registration as Registration) : ""}`;
  };
  return (
    <Section title="Check in without a ticket">
      <Line id="find" label="Name or email" required={false} value={typed} set={setTyped} />
      <Said {...act} />
      <p class="minor" role="status">
        {found.length > most && `${count(found.length, "person", "people")}: type more.`}
        {typed.trim() && found.length === 0 && "Not on the list of this event."}
      </p>
      {found.slice(0, most).map((row) => {
        const { email, registrationStatus: status, checkedInAt } = row;
        const [name, isInside] = [nameOf(row), status === "checkedIn"];
        return (
          <Fragment key={email}>
            <div class="device">
              <span>
                <a href={personDesk(event, email)}>{name}</a> <span class="minor">{email}</span>{" "}
                <Tag text={door.statusText(status, applications)} kind={isInside ? "good" : ""} />
                {depositText(row)} {isInside && ` since ${moment(checkedInAt)}`}
              </span>
              {door.mayEnter(status, applications) && (
                <Small text="Check in" of={name} onPress={() => act.run(() => enter(row))} />
              )}
              {isInside && <Small text="Undo" of={name} onPress={() => act.run(() => undo(row))} />}
            </div>
            <CompanyInside {...{ event, row, changed, act }} />
          </Fragment>
        );
      })}
    </Section>
  );
}

function Scans({ event, rows }: ListProps) {
  const which = { eventID: event.id, year: event.year };
  const read = () => readAll<door.ScannedTicket>("/registrations/check-in/scans", which);
  const live = useLive(read, () => every.door, [event.id, event.year]);
  const { value } = live;
  const names = new Map(rows.map((row) => [row.email, nameOf(row)]));
  return (
    <Section title="Scans to look at">
      <p class="minor">Whom a phone let in without a valid ticket, refused, or scanned again.</p>
      <Waiting of={live} />
      <Table<door.NotedScan>
        {...{ title: "Scans to look at", none: "None: all scans were ordinary check-ins." }}
        {...{ rows: value && door.notedScans(value, event.isApplicationBased === true), keyOf: ({ nonce }) => nonce }}
        columns={[
          column("Person", ({ email }) => names.get(email) ?? (email || "Unknown")),
          column("What happened", ({ outcome }) => outcome),
          column("Why", ({ why }) => why),
          when("When", ({ at }) => at, false),
          column("Phone", ({ device }) => device, minor),
        ]}
      />
    </Section>
  );
}

/** The numbers that matter at the door. */
function Numbers({ event, rows, at }: ListProps & { readonly at: number | undefined }) {
  const { inside, toCome, waiting, unpaid } = door.countedOf(rows, event.isApplicationBased === true);
  const inNow = rows.filter(({ registrationStatus }) => registrationStatus === "checkedIn");
  const came = inNow.flatMap(({ checkedInAt }) => (checkedInAt === undefined ? [] : [[checkedInAt, 1] as const]));
  const { minutes, bars } = door.arrivalsOf(came, zoneOf(event, settings.timeZone));
  const figures = { Inside: inside, Expected: inside + toCome, "Still to come": toCome, "Wait in line": waiting };
  return (
    <section aria-label="Now">
      <Figures rows={Object.entries({ ...figures, "Have not paid": unpaid })} />
      <p class="minor">As of {moment(at)}. Expected are all who are inside or may come in.</p>
      {bars.length > 0 && <Bars title={`Arrivals by ${minutes} minutes`} bars={bars} />}
    </section>
  );
}

function Evening({ event }: EventProps) {
  const { value, at, problem, progress } = usePeople(event);
  const [own, setOwn] = useState<readonly Registration[]>([]);
  const rows = merged(value?.rows ?? [], own);
  return (
    <>
      <div role="alert">
        {problem !== undefined && (
          <p class="notice">
            {problem instanceof Refused ? refusalText(problem) : "No answer from the service."}{" "}
            {at !== undefined && `What is shown is as of ${moment(at)}. `}
            This page keeps trying. What you do meanwhile is not done.
          </p>
        )}
      </div>
      {value && <Numbers {...{ event, rows, at }} />}
      {value && <Find {...{ event, rows, changed: (row) => setOwn((kept) => merged(kept, [row])) }} />}
      {!value && problem === undefined && (
        <p class="loading" role="status">
          Loading the list … {progress > 0 && count(progress, "person", "people")}
        </p>
      )}
      <Door event={event} />
      <Scans {...{ event, rows }} />
    </>
  );
}

export const EveningPage = ofEvent(Evening);
