/** A user record, created and read by its person. */
import { answered } from "../api.ts";
import { expectMade, type Step } from "../step.ts";
import { Failed } from "../waiting.ts";
import { signIn } from "./sign-in.ts";

export const account: Step = {
  name: "account",
  needs: [signIn],
  async take(run) {
    const [person] = run.found.people;
    if (!person) throw new Failed("no person is signed in.");
    const { email, token } = person;
    expectMade(run, `the user ${email}`, `/users/${encodeURIComponent(email)}`);
    const api = run.api.as(token);
    answered(201, "POST /users", await api.POST("/users", { body: { fname: "Smoke", lname: run.id } }));
    const user = answered(200, "GET /users/self", await api.GET("/users/self"));
    if (user.email !== email || user.admin !== false) throw new Failed("GET /users/self answered another user.");
    return "a person made and read the own user record.";
  },
};
