/** A campaign: how far it is, and whom it did not reach. */
import { useState } from "preact/hooks";
import { Title, Waiting } from "../../shared/parts.tsx";
import { deskPages, templateDesk } from "../addresses.ts";
import { changeSaying, read } from "../calls.ts";
import { useLive } from "../live.ts";
import { Asking, moment, Values } from "../parts.tsx";
import { column, Table } from "../table.tsx";
import { SendTime } from "./send-time.tsx";
import { audienceText, type Campaign, isUnderWay, progressText } from "./words.ts";

/** Milliseconds between two looks at a campaign that is being sent, and at one that waits for its time. */
const every = { sending: 3_000, waiting: 30_000 };

type Failure = Campaign["failures"][number];

const columns = [
  column<Failure>("Could not be sent to", ({ email }) => email),
  column<Failure>("What the mail service says", ({ message }) => message),
];

export function CampaignPage({ id }: { readonly id: string }) {
  const path = `/emails/campaigns/${encodeURIComponent(id)}`;
  const waitOf = (campaign?: Campaign) => {
    if (campaign?.state === "scheduled") return every.waiting;
    return !campaign || isUnderWay(campaign) ? every.sending : undefined;
  };
  const live = useLive<Campaign>(() => read(path), waitOf, [id]);
  const campaign = live.value;
  const [time, setTime] = useState("");
  const move = async () => {
    const said = await changeSaying("PATCH", path, { sendAt: time });
    await live.reload();
    return said;
  };
  const stop = async () => {
    await changeSaying("DELETE", path);
    await live.reload();
  };
  return (
    <>
      <a href={deskPages.mails}>All mails</a>
      <Title text={campaign ? `Mail “${campaign.templateName}”` : "Mail"} />
      <Waiting of={live} />
      {campaign && (
        <>
          <p role="status">
            {progressText(campaign, moment)}
            {live.problem !== undefined &&
              `, as of ${moment(live.at)}. There is no answer now; this page keeps trying.`}
          </p>
          <progress aria-label="Progress" max={campaign.recipients} value={campaign.recipients - campaign.pending} />
          <Values
            rows={[
              ["Sent", campaign.sent],
              [campaign.state === "stopped" ? "Not sent" : "To send", campaign.pending],
              ["Failed", campaign.failed],
              ["Left out", campaign.suppressed > 0 && `${campaign.suppressed}, who get no campaigns`],
              ["For", audienceText(campaign.audience)],
              ["Template", <a href={templateDesk(campaign.templateName)}>{campaign.templateName}</a>],
              ["Made", `${moment(campaign.createdAt)}, by ${campaign.createdBy}`],
              ["Time", moment(campaign.sendAt)],
              ["Test", campaign.test && "To yourself only"],
              ["Stopped", moment(campaign.stoppedAt)],
              [
                "Not known",
                campaign.unconfirmed > 0 &&
                  `${campaign.unconfirmed}: the mail service did not answer. They
                may have got it, and do not get it again: ${campaign.unconfirmedRecipients.join(", ")}`,
              ],
            ]}
          />
          {campaign.state === "scheduled" && (
            <div class="buttons">
              <Asking
                {...{ text: "Change its time", title: "When should it go out?", sure: "Change its time", act: move }}
                says="To those who belong to its audience then, with what the template said when it was made."
              >
                <SendTime {...{ value: time, set: setTime, required: true }} />
              </Asking>
              <Asking {...{ text: "Stop it", title: "Stop this mail?", act: stop }} says="It goes to nobody." />
            </div>
          )}
          {isUnderWay(campaign) && (
            <Asking
              {...{ text: "Stop it", title: "Stop this mail?", act: stop }}
              says="Who has got it keeps it; the others do not get it. It cannot go on: a new one would go to all again."
            />
          )}
          {campaign.failures.length > 0 && (
            <Table<Failure>
              {...{ title: "Whom it could not be sent to", rows: campaign.failures, columns }}
              keyOf={({ email }) => email}
            />
          )}
        </>
      )}
    </>
  );
}
