/** The evening of an event: its door, who is there, and checking in without a scan. */
import { useState } from "preact/hooks";
import type { components } from "../../paths.ts";
import { Refused } from "../../shared/call.ts";
import { now } from "../../shared/clock.ts";
import { Line } from "../../shared/field.tsx";
import { Button, Said, useAct } from "../../shared/parts.tsx";
import { QrCode } from "../../shared/qr.tsx";
import { refusalText } from "../../shared/refusals.ts";
import { settings } from "../../shared/settings.ts";
import type { Registered, Registration } from "../../shared/types.ts";
import { type EventKey, type EventParams, eventPath, keyOf, personDesk } from "../addresses.ts";
import { change, pathOf, read, readAll } from "../calls.ts";
import { type DeskEvent, EventFrame, useEvent } from "../event-frame.tsx";
import { type Live, useLive } from "../live.ts";
import { Asking, Bars, count, moment, Tag } from "../parts.tsx";
import { Small } from "../schema-form.tsx";
import { Table } from "../table.tsx";
import * as door from "./at-door.ts";

/** Milliseconds between two looks. */
const every = { people: 5_000, door: 20_000, all: 10 * 60_000 };

interface People {
  readonly rows: readonly Registration[];
  /** When all rows were read. Deleted ones are missed only then. */
  readonly readAt: number;
}

/** The registrations of an event, kept fresh. */
function usePeople({ id, year }: EventKey) {
  const [progress, setProgress] = useState(0);
  const live = useLive<People>(
    async (kept) => {
      const isAll = !kept || now() - kept.readAt > every.all;
      const changedSince = isAll ? undefined : door.changesSince(kept.rows);
      const rows = await readAll<Registration, { readonly data: readonly Registration[] }>(
        "/registrations",
        { eventID: id, year, changedSince },
        ({ data }) => data,
        (some) => kept || setProgress(some.length),
      );
      return isAll ? { rows, readAt: now() } : { ...kept, rows: door.merged(kept.rows, rows) };
    },
    () => every.people,
    [id, year],
  );
  return { live, progress };
}

/** What is missing on the page while there is no answer. */
const Stale = ({ of: { at, problem } }: { readonly of: Live<unknown> }) => (
  <div role="alert">
    {problem !== undefined && (
      <p class="notice">
        {problem instanceof Refused ? refusalText(problem) : "No answer from the service."}{" "}
        {at !== undefined && `What is shown is as of ${moment(at)}. `}This page keeps trying. What you do meanwhile is
        not done.
      </p>
    )}
  </div>
);

function Door({ event }: { readonly event: DeskEvent }) {
  const [link, setLink] = useState<string>();
  const act = useAct();
  const path = `${eventPath(event)}/door-links`;
  const live = useLive<components["schemas"]["Door"]>(
    () => read(path),
    () => every.door,
    [path],
  );
  const { devices = [] } = live.value ?? {};
  const remove = async (device?: string) => {
    const { message } = await change<{ readonly message: string }>("DELETE", pathOf(path, { device }));
    setLink(undefined);
    await live.reload();
    return message;
  };
  const create = async () => {
    setLink((await change<components["schemas"]["NewLink"]>("POST", path)).link);
  };
  return (
    <section>
      <h2>The door</h2>
      <p>
        Up to ten phones scan tickets at the door, without an account: they open the link of the door. They see only the
        list of this event.
      </p>
      <Asking
        text={link ? "Make another link" : "Make a link for the door"}
        title="Make a new link?"
        sure="Make the link"
        act={create}
      >
        <p>A link made before ends: a phone can join by the new one only. Phones that have joined go on.</p>
        <p>It is shown once, on this page. Give it only to people at the door.</p>
      </Asking>
      {link && (
        <section class="ticket" aria-label="The link of the door">
          <QrCode text={link} alt="The link of the door as a QR code" />
          <p>Scan it with the camera of each phone, and press “Join” there.</p>
          <code>{link}</code>
          <Button
            {...{ act, text: "Copy the link" }}
            onPress={() => act.run(() => navigator.clipboard.writeText(link).then(() => "Copied."))}
          />
          <Said {...act} />
        </section>
      )}
      <h3>Phones at the door</h3>
      {live.value && devices.length === 0 && <p class="minor">None has joined.</p>}
      <ul class="rows">
        {devices.map(({ id, name, lastSyncAt }) => (
          <li key={id} class="device">
            <span>
              <b>{name}</b>, last heard of {moment(lastSyncAt)}
            </span>
            <Asking text={`Remove ${name}`} title={`Remove ${name}?`} sure="Remove it" act={() => remove(id)}>
              <p>
                The phone can no longer read the list or bring scans. This also ends the link: make a new one for phones
                that are still to join.
              </p>
            </Asking>
          </li>
        ))}
      </ul>
      {devices.length > 1 && (
        <Asking text="Remove all phones" title="Remove all phones?" sure="Remove all" act={() => remove()}>
          <p>No phone can read the list or bring scans any more, and the link ends.</p>
        </Asking>
      )}
    </section>
  );
}

interface FindProps {
  readonly event: DeskEvent;
  readonly rows: readonly Registration[];
  changed(row: Registration): void;
}

/** People shown for what was typed. */
const most = 12;

function Find({ event, rows, changed }: FindProps) {
  const [typed, setTyped] = useState("");
  const act = useAct((problem) =>
    problem instanceof Refused ? undefined : "No answer: this is not done, as far as is known. Please try again.",
  );
  const applications = event.isApplicationBased === true;
  const which = { eventID: event.id, year: event.year };
  const found = door.found(rows, typed);
  const enter = (row: Registration) =>
    act.run(async () => {
      const { registration, alreadyCheckedIn, checkedInAt } = await change<{
        readonly registration: Registration;
        readonly alreadyCheckedIn: boolean;
        readonly checkedInAt: number;
      }>("POST", "/registrations/check-in", { ...which, email: row.email });
      changed(registration);
      const name = door.nameOf(registration);
      return alreadyCheckedIn ? `${name} was checked in before, ${moment(checkedInAt)}.` : `${name} is checked in.`;
    });
  const undo = (row: Registration) =>
    act.run(async () => {
      const body = { ...which, registrationStatus: "registered", seenStatus: "checkedIn" };
      const { registration } = await change<Registered>("PUT", `/registrations/${encodeURIComponent(row.email)}`, body);
      if (registration) changed(registration as Registration);
      return `The check-in of ${door.nameOf(row)} is undone.`;
    });
  return (
    <section>
      <h2>Check in without a ticket</h2>
      <Line id="find" label="Name or email" required={false} value={typed} set={setTyped} />
      <Said {...act} />
      <p class="minor" role="status">
        {typed.trim() && (found.length > most ? `${count(found.length, "person", "people")}: type more.` : "")}
        {typed.trim() && found.length === 0 && "Not on the list of this event."}
      </p>
      <ul class="rows">
        {found.slice(0, most).map((row) => {
          const { email, registrationStatus: status, checkedInAt } = row;
          const name = door.nameOf(row);
          return (
            <li key={email} class="device">
              <span>
                <a href={personDesk(event, email)}>{name}</a> <span class="minor">{email}</span>{" "}
                <Tag text={door.statusText(status, applications)} kind={status === "checkedIn" ? "good" : ""} />
                {status === "checkedIn" && ` since ${moment(checkedInAt)}`}
              </span>
              {door.mayEnter(status, applications) && <Small text="Check in" of={name} onPress={() => enter(row)} />}
              {status === "checkedIn" && <Small text="Undo" of={name} onPress={() => undo(row)} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Scans({ event, rows }: Pick<FindProps, "event" | "rows">) {
  const { id, year } = event;
  type Answer = components["schemas"]["ScannedTickets"];
  const live = useLive(
    () =>
      readAll<Answer["tickets"][number], Answer>(
        "/registrations/check-in/scans",
        { eventID: id, year },
        (a) => a.tickets,
      ),
    () => every.door,
    [id, year],
  );
  const names = new Map(rows.map((row) => [row.email, door.nameOf(row)]));
  return (
    <section>
      <h2>Scans to look at</h2>
      <p class="minor">Whom a phone let in without a valid ticket, refused, or scanned again.</p>
      {live.value && (
        <Table
          title="Scans to look at"
          rows={door.notedScans(live.value, event.isApplicationBased === true)}
          keyOf={({ key }) => key}
          none="None: all scans were ordinary check-ins."
          columns={[
            {
              title: "Person",
              of: ({ email }) => names.get(email) ?? (email || "Unknown"),
              by: ({ email }) => names.get(email) ?? email,
            },
            { title: "What happened", of: ({ outcome }) => outcome, by: ({ outcome }) => outcome },
            { title: "Why", of: ({ reason }) => reason, by: ({ reason }) => reason },
            { title: "When", of: ({ at }) => moment(at), by: ({ at }) => at },
            { title: "Phone", of: ({ device }) => device, by: ({ device }) => device, isMinor: true },
          ]}
        />
      )}
    </section>
  );
}

/** The numbers that matter at the door. */
function Numbers({ event, rows, at }: Pick<FindProps, "event" | "rows"> & { readonly at: number | undefined }) {
  const applications = event.isApplicationBased === true;
  const { inside, expected, toCome, waiting, unpaid } = door.countedOf(rows, applications);
  const came = rows.flatMap(({ registrationStatus, checkedInAt }) =>
    registrationStatus === "checkedIn" && checkedInAt !== undefined ? [[checkedInAt, 1] as const] : [],
  );
  const { minutes, bars } = door.arrivalsOf(came, settings.timeZone);
  const figures = [
    ...([
      ["Inside", inside],
      ["Expected", expected],
      ["Still to come", toCome],
      ["Wait in line", waiting],
    ] as const),
    ...(unpaid > 0 ? [["Have not paid", unpaid] as const] : []),
  ];
  return (
    <section aria-label="Now">
      <dl class="figures">
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value.toLocaleString("en-US")}</dd>
          </div>
        ))}
      </dl>
      <p class="minor">As of {moment(at)}. Expected are all who are inside or may come in.</p>
      {bars.length > 0 && <Bars title={`Arrivals by ${minutes} minutes`} bars={bars} />}
    </section>
  );
}

function Evening({ event }: { readonly event: DeskEvent }) {
  const { live, progress } = usePeople(event);
  const [own, setOwn] = useState<readonly Registration[]>([]);
  const { value, at } = live;
  const rows = door.merged(value?.rows ?? [], own);
  return (
    <>
      <Stale of={live} />
      {value ? (
        <>
          <Numbers {...{ event, rows, at }} />
          <Find {...{ event, rows }} changed={(row) => setOwn((kept) => door.merged(kept, [row]))} />
        </>
      ) : (
        live.problem === undefined && (
          <p class="loading" role="status">
            Loading the list … {progress > 0 && count(progress, "person", "people")}
          </p>
        )
      )}
      <Door event={event} />
      <Scans {...{ event, rows }} />
    </>
  );
}

export function EveningPage(params: EventParams) {
  const event = useEvent(keyOf(params));
  return (
    <EventFrame event={event}>{(value) => <Evening event={value} key={`${value.id};${value.year}`} />}</EventFrame>
  );
}
