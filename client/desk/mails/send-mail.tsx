/** Sends a template to many. */
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { components } from "../../paths.ts";
import { Choice, Frame, tied } from "../../shared/field.tsx";
import { Waiting } from "../../shared/parts.tsx";
import { account } from "../../shared/session.ts";
import type { Registration } from "../../shared/types.ts";
import { campaignDesk } from "../addresses.ts";
import { changeOnce } from "../calls.ts";
import { statusText } from "../evening/at-door.ts";
import { useFollowing } from "../following.tsx";
import { Asking, count, type DeskEvent, EventSelect, Section, Select } from "../parts.tsx";
import { SendTime } from "./send-time.tsx";
import { type AskedAudience, addressesIn, audienceOf, reachOf, type Status, statuses } from "./words.ts";

type Sent = components["schemas"]["Accepted"];

interface Terms {
  /** `yyyy-mm-ddThh:mm` of the stage's zone; empty: at once. */
  readonly sendAt?: string;
  /** To oneself only, marked as a test. */
  readonly test?: true;
}

/** Sends a campaign, once. @returns its page @throws as `changeOnce` */
export async function send(templateName: string, audience: AskedAudience, { sendAt, test }: Terms = {}) {
  const body = { templateName, audience, ...(sendAt && { sendAt }), ...(test && { test }) };
  return campaignDesk((await changeOnce<Sent>("/emails/send", body)).campaignId);
}

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
  const [event, setEvent] = useState<DeskEvent>();
  const [chosen, setChosen] = useState<readonly Status[]>([]);
  const [typed, setTyped] = useState("");
  const [sendAt, setSendAt] = useState("");
  const applications = event?.isApplicationBased === true;
  const which = { eventID: event?.id ?? "", year: event?.year ?? 0 };
  const rows = useFollowing<Registration>(event && "/registrations", which);
  const members = useFollowing<Pick<Registration, "email">>(kind === "members" ? "/members" : undefined, {
    state: "current",
  });
  const counted = kind === "members" ? members : rows;
  const whole = counted.isReading ? undefined : counted.value;
  const [reached, audience] = {
    event: [
      whole && audienceOf(rows.rows, chosen, applications),
      { ...which, ...(chosen[0] && { status: [...chosen] }) },
    ],
    members: [whole?.map(({ email }) => email), { members: true }],
    emails: [addressesIn(typed), { emails: [...addressesIn(typed)] }],
  }[kind] as [readonly string[] | undefined, AskedAudience];
  const addresses = { id: "addresses", label: "Addresses", hint: "With commas, spaces or new lines between them." };
  const reach = (kind !== "event" || event) && reached && reachOf(reached, without);
  const tick = (status: Status, isChosen: boolean) =>
    setChosen((kept) => (isChosen ? [...kept, status] : kept.filter((one) => one !== status)));
  return (
    <Section title="Send a mail">
      <Select
        {...{ id: "template", label: "Template", value: template, none: "Please choose", set: setTemplate }}
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
      {kind === "event" && (
        <EventSelect
          {...{ id: "event", label: "Event", none: "Please choose", chosen: event, choose: (one) => setEvent(one) }}
        />
      )}
      {kind === "event" && event && whole && (
        <Frame
          {...{ id: "statuses", label: "Of these people", required: false, isGroup: true }}
          hint="None ticked: all with a confirmed seat."
        >
          {statuses.map((value) => (
            <Choice
              key={value}
              {...{ name: "status", type: "checkbox", value, checked: chosen.includes(value) }}
              choose={(isChosen) => tick(value, isChosen)}
            >
              {statusText(value, applications)} ({audienceOf(rows.rows, [value], false).length})
            </Choice>
          ))}
        </Frame>
      )}
      {kind === "emails" && (
        <Frame {...addresses}>
          <textarea
            {...{ ...tied(addresses), rows: 4, value: typed }}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </Frame>
      )}
      {(kind === "members" || (kind === "event" && event)) && <Waiting of={counted} />}
      <p role="status">
        {!reached && counted.rows.length > 0 && `${count(counted.rows.length, "person", "people")} so far`}
        {reach && `It goes to ${reach.text}.`}
      </p>
      <SendTime value={sendAt} set={setSendAt} />
      {template && reach && (reached?.length || (sendAt && kind !== "emails")) ? (
        <div class="buttons">
          <Asking
            {...{ text: "Send the mail", isMain: true, title: `Send “${template}”?` }}
            sure={sendAt ? "Send it then" : `Send it to ${reach.people}`}
            says={
              sendAt
                ? `It goes out on ${sendAt.replace("T", " at ")}, to those who belong to it then: now ${reach.text}. Until then you can change its time or stop it.`
                : `It goes to ${reach.text}. Each person gets it once.`
            }
            act={async () => route(await send(template, audience, { sendAt }))}
          >
            <p>
              What is sent cannot be taken back. While it is being sent, you can stop it for those who have not got it.
            </p>
          </Asking>
          <Asking
            {...{ text: "Send me a test", title: "Send it to yourself first?", sure: "Send me a test" }}
            says={`It goes to ${account.value?.email ?? "you"} only, marked as a test, with what it says of the event.`}
            act={async () => route(await send(template, audience, { test: true }))}
          />
        </div>
      ) : (
        <p class="minor">Choose a template and who gets it. You are asked once more before it is sent.</p>
      )}
    </Section>
  );
}
