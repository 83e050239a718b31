/** A template and a campaign to Amazon's mailbox simulator. */
import { answered } from "../step-kit/api.ts";
import { asAdmin, expectMade, type Step } from "../step-kit/step.ts";
import { Failed, until } from "../step-kit/waiting.ts";
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
    const api = asAdmin(run);
    answered(201, "POST /emails/templates", await api.POST("/emails/templates", { body }));
    const order = { templateName: id, audience: { emails }, idempotencyKey: id };
    const { campaignId } = answered(202, "POST /emails/send", await api.POST("/emails/send", { body: order }));
    const path = { id: campaignId };
    const campaign = await until(longestWait, "the campaign", stop, async () => {
      const answer = await api.GET("/emails/campaigns/{id}", { params: { path } });
      const progress = answered(200, "GET /emails/campaigns", answer);
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
