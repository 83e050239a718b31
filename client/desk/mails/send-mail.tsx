/** Sends a template to many. */
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { components } from "../../paths.ts";
import { Choice, Frame, tied } from "../../shared/field.tsx";
import { useLoaded, Waiting } from "../../shared/parts.tsx";
import type { Event, Registration } from "../../shared/types.ts";
import { campaignDesk } from "../addresses.ts";
import { changeOnce, readAll, readList } from "../calls.ts";
import { ChooseEvent, Select } from "../choose.tsx";
import { statusText } from "../evening/at-door.ts";
import { Asking, count } from "../parts.tsx";
import { type AskedAudience, addressesIn, audienceOf, reachOf, type Status, statuses } from "./words.ts";

type Sent = components["schemas"]["Accepted"];
type Email = { readonly email: string };
type Rows = { readonly data: readonly Registration[] };

/** Sends a campaign, once. @returns its page @throws as `changeOnce` */
export const send = async (templateName: string, audience: AskedAudience): Promise<string> =>
  campaignDesk((await changeOnce<Sent>("/emails/send", { templateName, audience })).campaignId);

const kinds = { event: "People of an event", members: "All members", emails: "Single addresses" } as const;
type Kind = keyof typeof kinds;

interface SendMailProps {
  readonly templates: readonly string[];
  /** Who gets no campaigns. */
  readonly without: readonly string[];
}

export function SendMail({ templates, without }: SendMailProps) {
  const { route } = useLocation();
  const [template, setTemplate] = useState("");
  const [kind, setKind] = useState<Kind>("event");
  const [event, setEvent] = useState<Event>();
  const [chosen, setChosen] = useState<readonly Status[]>([]);
  const [typed, setTyped] = useState("");
  const [progress, setProgress] = useState(0);
  const applications = event?.isApplicationBased === true;
  const told = (some: readonly unknown[]) => setProgress(some.length);
  const which = { eventID: event?.id ?? "", year: event?.year ?? 0 };
  const rows = useLoaded<readonly Registration[]>(
    async () => (event ? readAll("/registrations", which, ({ data }: Rows) => data, told) : []),
    [event],
  );
  const members = useLoaded(
    async () => (kind === "members" ? readList<Email>("/members", {}, told) : []),
    [kind === "members"],
  );
  const [reached, audience] = {
    event: [
      rows.value && audienceOf(rows.value, chosen, applications),
      { ...which, ...(chosen[0] && { status: [...chosen] }) },
    ],
    members: [members.value?.map(({ email }) => email), { members: true }],
    emails: [addressesIn(typed), { emails: [...addressesIn(typed)] }],
  }[kind] as [readonly string[] | undefined, AskedAudience];
  const reach = (kind !== "event" || event) && reached && reachOf(reached, without);
  const tick = (status: Status, isChosen: boolean) =>
    setChosen((kept) => (isChosen ? [...kept, status] : kept.filter((one) => one !== status)));
  return (
    <section>
      <h2>Send a mail</h2>
      <Select
        {...{ id: "template", label: "Template", value: template, set: setTemplate }}
        choices={templates.map((name) => [name, name])}
      />
      <Frame id="audience" label="Who gets it" isGroup>
        {(Object.keys(kinds) as Kind[]).map((value) => (
          <Choice
            key={value}
            {...{ name: "audience", type: "radio", value, checked: kind === value, choose: () => setKind(value) }}
          >
            {kinds[value]}
          </Choice>
        ))}
      </Frame>
      {kind === "event" && <ChooseEvent {...{ id: "event", event, set: setEvent }} />}
      {kind === "event" && event && rows.value && (
        <Frame
          id="statuses"
          label="Of these people"
          hint="None ticked: all with a confirmed seat."
          required={false}
          isGroup
        >
          {statuses.map((value) => (
            <Choice
              key={value}
              {...{ name: "status", type: "checkbox", value, checked: chosen.includes(value) }}
              choose={(isChosen) => tick(value, isChosen)}
            >
              {statusText(value, applications)} ({audienceOf(rows.value ?? [], [value], false).length})
            </Choice>
          ))}
        </Frame>
      )}
      {kind === "emails" && (
        <Frame id="addresses" label="Addresses" hint="With commas, spaces or new lines between them.">
          <textarea
            {...{ ...tied({ id: "addresses", label: "" }), rows: 4, value: typed }}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </Frame>
      )}
      {kind !== "emails" && <Waiting of={kind === "event" ? rows : members} />}
      <p role="status">
        {!reached && progress > 0 && `${count(progress, "person", "people")} so far`}
        {reach && `It goes to ${reach.text}.`}
      </p>
      {template && reach && reached?.length ? (
        <Asking
          {...{ text: "Send the mail", isMain: true, title: `Send “${template}”?`, sure: `Send it to ${reach.people}` }}
          act={async () => route(await send(template, audience))}
        >
          <p>It goes to {reach.text}. Each person gets it once.</p>
          <p>
            What is sent cannot be taken back. While it is being sent, you can stop it for those who have not got it.
          </p>
        </Asking>
      ) : (
        <p class="minor">Choose a template and who gets it. You are asked once more before it is sent.</p>
      )}
    </section>
  );
}
