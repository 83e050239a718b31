/** User records, created and read by their people. */
import { answered } from "../step-kit/api.ts";
import { expectMade, type Step } from "../step-kit/step.ts";
import { Failed } from "../step-kit/waiting.ts";
import { signIn } from "./sign-in.ts";

export const account: Step = {
  name: "account",
  needs: [signIn],
  async take(run) {
    for (const { email, token } of run.found.people) {
      expectMade(run, `the user ${email}`, `/users/${encodeURIComponent(email)}`);
      const api = run.api.as(token);
      answered(201, "POST /users", await api.POST("/users", { body: { fname: "Smoke", lname: run.id } }));
      const user = answered(200, "GET /users/self", await api.GET("/users/self"));
      if (user.email !== email || user.admin !== false) throw new Failed("GET /users/self answered another user.");
    }
    return "the people made and read their own user records.";
  },
};
