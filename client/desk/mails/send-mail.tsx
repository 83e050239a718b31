/** Sends a template to many. */

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { components } from "../../paths.ts";
import { whenText } from "../../shared/dates.ts";
import { Choice, Frame, tied } from "../../shared/field.tsx";
import { type Loaded, useLoaded, Waiting } from "../../shared/parts.tsx";
import { settings } from "../../shared/settings.ts";
import type { Event, Registration } from "../../shared/types.ts";
import { campaignDesk } from "../addresses.ts";
import { changeOnce, readAll } from "../calls.ts";
import { statusText } from "../evening/at-door.ts";
import { Asking, count } from "../parts.tsx";
import { type AskedAudience, addressesIn, audienceOf, reachOf, type Status, statuses } from "./words.ts";

interface SelectProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  /** Instead of a choice. */
  readonly none: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  set(value: string): void;
}

/** A list to choose from. */
export const Select = ({ id, label, value, none, choices, set }: SelectProps) => (
  <Frame {...{ id, label }}>
    <select {...tied({ id, label })} value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
      <option value="">{none}</option>
      {choices.map(([choice, text]) => (
        <option key={choice} value={choice}>
          {text}
        </option>
      ))}
    </select>
  </Frame>
);

export const eventKey = ({ id, year }: { readonly id: string; readonly year: number }): string => `${id};${year}`;

/** All events, the latest first. */
export const useEvents = (): Loaded<readonly Event[]> =>
  useLoaded(async () => {
    const events = await readAll<Event, readonly Event[]>("/events", {}, (all) => all);
    return events.toSorted((one, other) => (other.startDate ?? "").localeCompare(one.startDate ?? ""));
  }, []);

/** Events to choose from, by their keys. */
export const eventChoices = (events: readonly Event[]): SelectProps["choices"] =>
  events.map((one) => [
    eventKey(one),
    `${one.ename} ${one.year}, ${whenText(one, settings.timeZone, "card") ?? "without a date"}`,
  ]);

type Sent = components["schemas"]["Accepted"];

/** Sends a campaign, once. @returns its page @throws as `changeOnce` */
export const send = async (templateName: string, audience: AskedAudience): Promise<string> =>
  campaignDesk((await changeOnce<Sent>("/emails/send", { templateName, audience })).campaignId);

const kinds = [
  ["event", "People of an event"],
  ["members", "All members"],
  ["emails", "Single addresses"],
] as const;
type Kind = (typeof kinds)[number][0];

interface SendMailProps {
  readonly templates: readonly string[];
  /** Who gets no campaigns. */
  readonly without: readonly string[];
}

export function SendMail({ templates, without }: SendMailProps) {
  const { route } = useLocation();
  const [template, setTemplate] = useState("");
  const [kind, setKind] = useState<Kind>("event");
  const [chosenEvent, setEvent] = useState("");
  const [chosen, setChosen] = useState<readonly Status[]>([]);
  const [typed, setTyped] = useState("");
  const [progress, setProgress] = useState(0);
  const events = useEvents();
  const event = events.value?.find((one) => eventKey(one) === chosenEvent);
  const applications = event?.isApplicationBased === true;
  const rows = useLoaded(async () => {
    type Rows = { readonly data: readonly Registration[] };
    const which = { eventID: event?.id, year: event?.year };
    const told = (some: readonly unknown[]) => setProgress(some.length);
    setProgress(0);
    return event ? readAll<Registration, Rows>("/registrations", which, ({ data }) => data, told) : [];
  }, [chosenEvent]);
  const members = useLoaded(async () => {
    type Member = { readonly email: string };
    const told = (some: readonly unknown[]) => setProgress(some.length);
    return kind === "members" ? readAll<Member, readonly Member[]>("/members", {}, (all) => all, told) : [];
  }, [kind === "members"]);
  const counted = kind === "members" ? members : rows;
  const reached = {
    event: () => rows.value && audienceOf(rows.value, chosen, applications),
    members: () => members.value?.map(({ email }) => email),
    emails: () => addressesIn(typed),
  }[kind]();
  const audience = (): AskedAudience => {
    if (kind === "members") return { members: true };
    if (kind === "emails") return { emails: [...(reached ?? [])] };
    const which = { eventID: event?.id ?? "", year: event?.year ?? 0 };
    return { ...which, ...(chosen.length > 0 && { status: [...chosen] }) };
  };
  const hasAudience = kind !== "event" || event !== undefined;
  const reach = reached && reachOf(reached, new Set(without));
  const tick = (status: Status) => (isChosen: boolean) =>
    setChosen((kept) => (isChosen ? [...kept, status] : kept.filter((one) => one !== status)));
  const inStatus = (status: Status) =>
    count(rows.value ? audienceOf(rows.value, [status], false).length : 0, "person", "people");
  return (
    <section>
      <h2>Send a mail</h2>
      <div class="columns">
        <Select
          {...{ id: "template", label: "Template", value: template, none: "Please choose", set: setTemplate }}
          choices={templates.map((name) => [name, name])}
        />
        <Frame id="audience" label="Who gets it" isGroup>
          {kinds.map(([value, text]) => (
            <Choice
              key={value}
              {...{ name: "audience", type: "radio", value, checked: kind === value, choose: () => setKind(value) }}
            >
              {text}
            </Choice>
          ))}
        </Frame>
      </div>
      {kind === "event" && (
        <>
          <Waiting of={events} />
          <Select
            {...{ id: "event", label: "Event", value: chosenEvent, none: "Please choose", set: setEvent }}
            choices={eventChoices(events.value ?? [])}
          />
          {event && rows.value && (
            <Frame
              {...{ id: "statuses", label: "Of these people", required: false, isGroup: true }}
              hint="None ticked: all with a confirmed seat, inside or still to come."
            >
              <div class="several">
                {statuses.map((status) => (
                  <Choice
                    key={status}
                    {...{ name: "status", type: "checkbox", value: status, choose: tick(status) }}
                    checked={chosen.includes(status)}
                  >
                    {statusText(status, applications)} ({inStatus(status)})
                  </Choice>
                ))}
              </div>
            </Frame>
          )}
        </>
      )}
      {kind === "emails" && (
        <Frame id="addresses" label="Addresses" hint="With commas, spaces or new lines between them.">
          <textarea
            {...tied({ id: "addresses", label: "Addresses" })}
            rows={4}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </Frame>
      )}
      {kind !== "emails" && hasAudience && <Waiting of={counted} />}
      <p role="status">
        {hasAudience &&
          reached === undefined &&
          progress > 0 &&
          `Counting: ${count(progress, "person", "people")} so far`}
        {hasAudience && reach && `It goes to ${reach.text}.`}
      </p>
      {template && hasAudience && reached && reached.length > 0 ? (
        <Asking
          {...{
            text: "Send the mail",
            isMain: true,
            title: `Send “${template}”?`,
            sure: `Send it to ${reach?.people}`,
          }}
          act={async () => route(await send(template, audience()))}
        >
          <p>It goes to {reach?.text}.</p>
          <p>
            A mail that is sent cannot be taken back. While it is being sent, you can stop it: who has not got it by
            then does not get it. Each person gets it once.
          </p>
        </Asking>
      ) : (
        <p class="minor">Choose a template and who gets it. You are asked once more before it is sent.</p>
      )}
    </section>
  );
}
