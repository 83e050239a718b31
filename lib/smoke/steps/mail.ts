/** A template and a campaign to Amazon's mailbox simulator. */
import { expected } from "../api.ts";
import { byAdmin, expectMade, type Step } from "../step.ts";
import { Failed, until } from "../waiting.ts";
import { signIn } from "./sign-in.ts";

const longestWait = 90_000;

export const mail: Step = {
  name: "mail",
  needs: [signIn],
  async take(run) {
    const { id, place, stop, found } = run;
    const emails = found.people.map(({ email }) => email);
    expectMade(run, `the template ${id}`, `/emails/templates/${id}`);
    const body = { templateName: id, subject: `Smoke run ${id}`, html: "<p>{{ email }}</p>" };
    expected(201, "POST /emails/templates", await byAdmin(run, "POST", "/emails/templates", { body }));
    const order = { templateName: id, audience: { emails }, idempotencyKey: id };
    const sent = await byAdmin(run, "POST", "/emails/send", { body: order });
    const { campaignId } = expected(202, "POST /emails/send", sent);
    const campaign = await until(longestWait, "the campaign", stop, async () => {
      const progress = expected(
        200,
        "GET /emails/campaigns",
        await byAdmin(run, "GET", `/emails/campaigns/${campaignId}`),
      );
      return progress.state === "done" ? progress : undefined;
    });
    if (campaign.sent !== emails.length) {
      const [failure] = campaign.failures;
      throw new Failed(`${campaign.sent} of ${emails.length} mails were sent. ${failure?.message ?? ""}`.trim());
    }
    for (const email of place.subjectsTo ? emails : []) {
      await until(longestWait, `the mail to ${email}`, stop, async () => {
        const subjects = await place.subjectsTo?.(email, stop);
        return subjects?.includes(body.subject) || undefined;
      });
    }
    return `${emails.length} mails ${place.subjectsTo ? "are in the mailbox" : "were handed to SES"}, none failed.`;
  },
};
