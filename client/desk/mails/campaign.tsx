/** A campaign: how far it is, and whom it did not reach. */
import { Title, Waiting } from "../../shared/parts.tsx";
import { deskPages, templateDesk } from "../addresses.ts";
import { change, read } from "../calls.ts";
import { useLive } from "../live.ts";
import { Asking, moment, Tag, Values } from "../parts.tsx";
import { Table } from "../table.tsx";
import { audienceText, type Campaign, isUnderWay, progressText } from "./words.ts";

/** Milliseconds between two looks at a campaign that is being sent. */
const every = 3_000;

export function CampaignPage({ id }: { readonly id: string }) {
  const path = `/emails/campaigns/${encodeURIComponent(id)}`;
  const live = useLive<Campaign>(
    () => read(path),
    (campaign) => (!campaign || isUnderWay(campaign) ? every : undefined),
    [id],
  );
  const campaign = live.value;
  const stop = async () => {
    const { message } = await change<{ readonly message: string }>("DELETE", path);
    await live.reload();
    return message;
  };
  return (
    <>
      <p>
        <a href={deskPages.mails}>All mails</a>
      </p>
      <Title text={campaign ? `Mail “${campaign.templateName}”` : "Mail"} />
      <Waiting of={live} />
      {campaign && (
        <>
          <p role="status">
            <Tag text={progressText(campaign)} />
          </p>
          <progress
            aria-label="Progress"
            max={Math.max(1, campaign.recipients)}
            value={campaign.recipients - campaign.pending}
          />
          {live.problem !== undefined && (
            <p class="notice" role="alert">
              No answer from the service. What is shown is as of {moment(live.at)}; this page keeps trying.
            </p>
          )}
          <Values
            rows={[
              ["People", campaign.recipients],
              ["Sent", campaign.sent],
              [campaign.state === "stopped" ? "Not sent" : "Still to send", campaign.pending],
              ["Could not be sent", campaign.failed],
              ["Get no campaigns", campaign.suppressed],
              ["Not known", campaign.unconfirmed],
              ["For", audienceText(campaign.audience)],
              ["Template", <a href={templateDesk(campaign.templateName)}>{campaign.templateName}</a>],
              ["Begun", `${moment(campaign.createdAt)}, by ${campaign.createdBy}`],
              ["Stopped", moment(campaign.stoppedAt)],
            ]}
          />
          {isUnderWay(campaign) && (
            <Asking text="Stop it" title="Stop this mail?" sure="Stop it" act={stop}>
              <p>
                Who has got the mail keeps it; nobody else gets it. It cannot go on afterwards: a new one would go to
                all again.
              </p>
            </Asking>
          )}
          {campaign.failures.length > 0 && (
            <section>
              <h2>Could not be sent</h2>
              <Table
                title="Could not be sent"
                rows={campaign.failures}
                keyOf={({ email }) => email}
                columns={[
                  { title: "Email", of: ({ email }) => email, by: ({ email }) => email },
                  { title: "What the mail service says", of: ({ message }) => message },
                ]}
              />
            </section>
          )}
          {campaign.unconfirmedRecipients.length > 0 && (
            <section>
              <h2>Not known</h2>
              <p class="minor">
                The mail service did not answer. They may have got it, and are not sent it again, so that none gets it
                twice.
              </p>
              <ul>
                {campaign.unconfirmedRecipients.map((email) => (
                  <li key={email}>{email}</li>
                ))}
              </ul>
            </section>
          )}
        </>
      )}
    </>
  );
}
