/** The way into the club: sign up, confirm, fill in the form, pay, be a member. */
import { beforeAll, expect, test } from "@jest/globals";
import { exec } from "./given.ts";
import { signUpAndIn } from "./newcomer.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

/** The names as the web application spells them in its payment form. */
const form = { fname: "Ada", lname: "Lovelace", faculty: "Science", year: "2", topics: ["engines"] };

test.each([
  ["15.00", "ada@newcomer.example", {}],
  ["12.00", "ada.ubc@newcomer.example", { education: "UBC" }],
])("a newcomer pays %s on the provider's page, and is a member with a profile", async (price, email, more) => {
  const token = await signUpAndIn(stage, email);
  // The web application sends a person without a record to the membership page.
  expect((await stage.api("GET", "/users/self", { token })).status).toBe(404);
  const success_url = "http://localhost:3000/welcome";
  const body = { paymentType: "Member", success_url, cancel_url: "http://localhost:3000/join", ...form, ...more };
  const { status, body: page } = await stage.api("POST", "/payments", { token, body });
  expect(status).toBe(200);

  const html = await (await fetch(page)).text();
  expect(html).toContain(price);
  const [, action = ""] = /<form[^>]*action="([^"]+)"[^>]*>(?:(?!<\/form>)[\s\S])*?<button[^>]*>Pay/.exec(html) ?? [];
  const paid = await fetch(new URL(action, page), { method: "POST", redirect: "manual" });
  expect({ status: paid.status, to: paid.headers.get("location") }).toEqual({ status: 303, to: success_url });

  // The payer is led back only when the membership exists.
  expect((await stage.api("GET", "/users/self", { token })).body).toMatchObject({
    ...{ email, fname: "Ada", admin: false, isMember: true },
  });
  const profile = await stage.api("GET", "/profiles/user/", { token });
  expect(profile).toMatchObject({ status: 200, body: { fname: "Ada", lname: "Lovelace", profileType: "ATTENDEE" } });
  const { profileID } = profile.body;
  expect((await stage.api("GET", `/members/profileID/${profileID}`, { as: exec })).body).toEqual({ email });
  const member = await stage.api("GET", `/members/${email}`, { as: exec });
  expect(member.body).toMatchObject({ firstName: "Ada", faculty: "Science", topics: ["engines"], profileID });
});
