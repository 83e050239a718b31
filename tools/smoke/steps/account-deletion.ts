/** Accounts deleted by their people: a consumer cancels the registrations. */
import { answered } from "../step-kit/api.ts";
import { asAdmin, type Run, type Step } from "../step-kit/step.ts";
import { Failed, until } from "../step-kit/waiting.ts";
import { account } from "./account.ts";
import { fullEvent, registrations } from "./registrations.ts";

const longestWait = 60_000;

async function expectGone(run: Run, email: string): Promise<void> {
  const { error } = await asAdmin(run).GET("/users/{email}", { params: { path: { email } } });
  if (error?.code !== "NOT_FOUND") throw new Failed(`GET /users/{email} still answers a deleted user.`);
}

export const accountDeletion: Step = {
  name: "account deletion",
  needs: [account, fullEvent],
  async take(run) {
    const { people } = run.found;
    for (const { email, token } of people) {
      const params = { path: { email } };
      answered(200, "DELETE /users", await run.api.as(token).DELETE("/users/{email}", { params }));
      await expectGone(run, email);
    }
    for (const { email } of people) {
      await until(longestWait, `the cancellation for ${email}`, run.stop, async () => {
        const [registration] = await registrations(run, email);
        return registration?.registrationStatus === "cancelled" || undefined;
      });
    }
    return "the people deleted their accounts, and their registrations are cancelled.";
  },
};
