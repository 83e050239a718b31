/** A place that is handed to another person, the places behind others, a membership that ends, and a new email, on the pages. */
import { expect, test } from "@jest/globals";
import { exec, newEmail, year } from "../service/given.ts";
import { describePages, pageOf, type Visited, type Visitor } from "./visitor.ts";

/** A visitor who has signed up, and is signed in. */
async function signedUp(club: Visited): Promise<readonly [Visitor, email: string]> {
  const [visitor, email] = [await club.visitor(), newEmail()];
  await visitor.open("/sign-in/");
  await visitor.press("I have no account");
  await visitor.fill({ "First name": "Ada", "Last name": "Lovelace", Email: email, Password: "Analytical-1!" });
  await visitor.press("Create an account");
  await visitor.sees("Enter the code", `We have sent a mail to ${email}.`);
  const [code = ""] = /\b\d{6}\b/.exec(club.stage.mailsTo(email).at(-1)?.body.text ?? "") ?? [];
  await visitor.fill({ "Code of the mail": code });
  await visitor.press("Confirm");
  await visitor.comes(`location.pathname === "/club/"`);
  return [visitor, email];
}

describePages("a place of another person, and another address", (club) => {
  test("a place is offered, the offer is taken back, and the next named person has it by the mail", async () => {
    const [taker, former] = [newEmail(), newEmail()];
    const { eventID, email, page } = await club.givenPlace({ transfers: 1, capac: 1 });
    const [giver, named] = [await club.visitor(), await club.visitor()];
    await giver.open(page);
    await giver.sees("Give your place to another person");
    await giver.press("Name a person");
    await giver.fill({ "Their first name": "Bo", Email: former });
    await giver.press("Send the mail", 2);
    await giver.sees(`You have offered your place to Bo (${former}). It is still yours.`);
    await named.openMail(former, "/guest");
    await named.sees(email, "Bo");
    await giver.press("Take the offer back", 2);
    await giver.sees("The offer is taken back.");
    await named.reload();
    await named.sees("This link does not work, or not any more.");

    await giver.press("Name a person");
    await giver.fill({ "Their first name": "Grace", Email: taker });
    await giver.press("Send the mail");
    await giver.sees(`You have offered your place to Grace (${taker}).`);
    await named.openMail(taker, "/guest");
    await named.sees("Grace", email);
    expect(await club.stage.statusOf(eventID, email)).toBe("registered");
    await named.press("Take the place", 2);
    await named.sees("You're registered", "Your ticket");
    await giver.reload();
    await giver.sees("This link does not work, or not any more.");
    expect([await club.stage.statusOf(eventID, email), await club.stage.statusOf(eventID, taker)]).toEqual([
      "cancelled",
      "registered",
    ]);
    expect([await giver.wrong(), await named.wrong()]).toEqual([[], []]);
  });

  test("who has missed three events is told before and after that others go first", async () => {
    const [visitor, email] = await signedUp(club);
    await club.stage.givenNoShows(email);
    const eventID = await club.givenEvent({ capac: 1, noShowsWait: true });
    await club.stage.register(eventID, newEmail());
    await visitor.open(pageOf(eventID));
    await visitor.sees("three events", `You register as ${email}.`);
    await visitor.fill({ "First name": "Ada", "Last name": "Lovelace" });
    await visitor.press("Join the waitlist");
    await visitor.sees("You wait behind everyone else, also those who come later.");
    expect(await club.stage.registrationOf(eventID, email)).toMatchObject({ behindOthers: true });
    expect(await visitor.wrong()).toEqual([]);
  });

  test("a member whose term ends soon is told so, and has a button to pay for the next one", async () => {
    const [visitor, email] = await signedUp(club);
    const until = new Date(Date.now() + 5 * 86_400_000).toISOString();
    await club.stage.api("POST", "/members/grant", { as: exec, body: { email, firstName: "Ada", lastName: "L" } });
    expect((await club.stage.api("PATCH", `/members/${email}`, { as: exec, body: { until } })).status).toBe(200);
    await visitor.follow("My places");
    await visitor.sees("Renew it");
    await visitor.press("Renew it");
    await visitor.comes(`sent.includes("POST /api/payments")`);
  });

  test("a new email is asked for, confirmed by both mails, and has the places", async () => {
    const [visitor, email] = await signedUp(club);
    const to = newEmail();
    const eventID = await club.givenEvent();
    await club.stage.register(eventID, email);
    await visitor.follow("My data");
    await visitor.sees("My email", "Both addresses get a link");
    await visitor.fill({ "New email": "no address" });
    await visitor.press("Ask for the new email");
    await visitor.fill({ "New email": to });
    await visitor.press("Ask for the new email", 2);
    await visitor.sees("Please look into both mailboxes");
    expect((await visitor.sent()).filter((one) => one.endsWith("/new-email"))).toEqual([
      "POST /api/users/self/new-email",
    ]);
    const reader = await club.visitor();
    await reader.openMail(to, "/new-email");
    await reader.sees("Shall this be confirmed");
    expect(await reader.sent()).toEqual([]);
    await reader.press("Yes, confirm", 2);
    await reader.sees("The other one has yet to.");
    await reader.openMail(email, "/new-email");
    await reader.press("Yes, confirm");
    await reader.sees("Your email is changed.");
    await club.stage.settled();
    expect(await club.stage.registrationOf(eventID, to)).toMatchObject({ registrationStatus: "registered", year });
    await reader.openMail(to);
    await reader.sees("You're registered", "Your ticket");
    expect([await visitor.wrong(), await reader.wrong()]).toEqual([[], []]);
  });
});
