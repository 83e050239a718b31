/** A person with an account, a person who has lost the mail, and what is stored about them. */
import { expect, test } from "@jest/globals";
import { exec, newEmail } from "../service/given.ts";
import { describePages, pageOf, type Visitor } from "./visitor.ts";

const password = "Analytical-1!";

/** Keeps the files that a page saves. */
const keepFiles = (visitor: Visitor) =>
  visitor.tab.evaluate(`{
    const real = URL.createObjectURL;
    globalThis.saved = [];
    URL.createObjectURL = (blob) => (saved.push(blob.text()), real.call(URL, blob));
  }`);

describePages("accounts and data on the pages", (club) => {
  test("a person makes an account, signs in by SRP, registers, and sees the place; signing out leaves nothing", async () => {
    const eventID = await club.givenEvent({ guests: "nobody" });
    const [visitor, email] = [await club.visitor(), newEmail()];
    await visitor.open(pageOf(eventID));
    await visitor.sees("Please sign in to register. An account takes a minute.");
    await visitor.follow("Sign in to register");
    await visitor.press("I have no account");
    await visitor.fill({ "First name": "Ada", "Last name": "Lovelace", Email: email, Password: password });
    await visitor.press("Create an account");
    await visitor.sees("Enter the code", `We have sent a mail to ${email}.`);
    const code = () => /\b\d{6}\b/.exec(club.stage.mailsTo(email).at(-1)?.body.text ?? "")?.[0] ?? "";
    await visitor.fill({ "Code of the mail": code() === "000000" ? "000001" : "000000" });
    await visitor.press("Confirm");
    await visitor.sees("This code is wrong.");
    await visitor.fill({ "Code of the mail": code() });
    await visitor.press("Confirm", 2);
    // The person comes back to the event.
    await visitor.sees(`You register as ${email}.`);
    expect(await visitor.address()).toBe(pageOf(eventID));
    expect(await club.stage.storedUser(email)).toMatchObject({ fname: "Ada", lname: "Lovelace" });

    await visitor.fill({ "First name": "Ada", "Last name": "Lovelace" });
    await visitor.press("Register", 2);
    await visitor.sees("You're registered", "Your ticket");
    const writes = (await visitor.sent()).filter((one) => one.startsWith("POST /api/registrations"));
    expect(writes).toEqual(["POST /api/registrations"]);
    expect(await club.stage.statusOf(eventID, email)).toBe("registered");

    await visitor.press("Sign out");
    await visitor.sees("Please sign in again");
    // The user pool ends the session first.
    await visitor.comes(`!/idToken|${email}/.test(Object.entries(localStorage).join())`);
    await visitor.open("/sign-in/?next=https://evil.example/");
    await visitor.tab.evaluate(`{
      const real = fetch;
      globalThis.bodies = [];
      globalThis.fetch = (request, init) => (bodies.push(String(init?.body)), real(request, init));
    }`);
    await visitor.fill({ Email: email, Password: "Wrong-1-password!" });
    await visitor.press("Sign in");
    await visitor.sees("Email or password is wrong.");
    await visitor.fill({ Password: password });
    await visitor.press("Sign in", 2);
    await visitor.sees("Upcoming", "Sign out");
    expect(await visitor.address()).toBe("/club/");
    // The password never leaves the device.
    const bodies = (await visitor.tab.evaluate<string[]>("bodies")).join("\n");
    expect(bodies).toContain("SRP_A");
    expect(bodies).not.toContain(password);

    await visitor.follow("My places");
    await visitor.sees("Of your account", "Autumn gala", "You're registered");
    await visitor.follow("Autumn gala");
    await visitor.press("I can't come");
    await visitor.press("Yes, cancel", 2);
    await visitor.sees("Your registration is cancelled");
    await visitor.press("Register again");
    await visitor.press("Register again", 2);
    await visitor.sees("You're registered");
    expect(await club.stage.statusOf(eventID, email)).toBe("registered");
    expect(await visitor.wrong()).toEqual([]);
  });

  test("who has lost the mail gets the links again; the page does not say who is known", async () => {
    const { email } = await club.givenPlace({ ename: "Founders' lunch" });
    await club.stage.settled();
    const [visitor, stranger, before] = [await club.visitor(), newEmail(), club.stage.mailsTo(email).length];
    await visitor.open("/club/");
    await visitor.follow("I lost my mail");
    await visitor.sees("Enter the email address that you have registered with.");
    await visitor.fill({ Email: "not an email" });
    await visitor.press("Send me my links");
    await visitor.sees("Please enter a complete email address, without accents.");
    const said: string[] = [];
    for (const address of [stranger, email]) {
      await visitor.fill({ Email: address });
      await visitor.press("Send me my links", 2);
      await visitor.sees("Please look into your mailbox", `If we know ${address}`);
      said.push((await visitor.text()).replace(address, "…"));
      await visitor.press("Try another address");
    }
    expect(said[0]).toBe(said[1]);
    expect(await visitor.sent()).toEqual(["POST /api/links", "POST /api/links"]);
    await club.stage.settled();
    expect([club.stage.mailsTo(stranger).length, club.stage.mailsTo(email).length]).toEqual([0, before + 1]);
    await visitor.openMail(email);
    await visitor.sees("Founders' lunch", "You're registered");
    await visitor.openMail(email, "/export");
    await visitor.sees("What is stored about you");
    expect(await visitor.wrong()).toEqual([]);
  });

  test("a person's data is saved when a button is pressed, and deleted after a plan and a question", async () => {
    const { eventID, email, page } = await club.givenPlace();
    const visitor = await club.visitor();
    await visitor.open(page);
    expect((await club.stage.api("POST", `/users/${email}/export-link`, { as: exec })).status).toBe(202);
    await visitor.openMail(email, "/export");
    await visitor.sees("What is stored about you", "Delete my data");
    const actions = async () => {
      const { body } = await club.stage.api("GET", `/audit?email=${email}`, { as: exec });
      return body.data.map(({ action, actor }: { action: string; actor: string }) => `${action} ${actor}`);
    };
    expect(await actions()).not.toContain("export.downloaded link");
    await keepFiles(visitor);
    await visitor.press("Save as JSON", 2);
    await visitor.sees("Your data is saved.");
    await visitor.press("Save as a page");
    await visitor.comes("saved.length === 2");
    const [json = "", file] = await visitor.tab.evaluate<string[]>("Promise.all(saved)");
    expect(JSON.parse(json)).toMatchObject({ email, records: { registration: [{ eventID }] } });
    expect(file).toMatch(/^<!doctype html>/i);
    expect((await actions()).slice(0, 2)).toEqual(["export.downloaded link", "export.downloaded link"]);

    await visitor.press("Show what would happen");
    await visitor.sees("Loses at once what you have entered", "The table can be restored");
    await visitor.press("Delete my data");
    await visitor.sees("Delete everything now?");
    await visitor.press("Back");
    expect([await visitor.sent(), await club.stage.statusOf(eventID, email)]).toEqual([[], "registered"]);
    await visitor.press("Delete my data");
    await visitor.press("Yes, delete my data", 2);
    await visitor.sees("Your data is deleted");
    expect(await visitor.sent()).toEqual(["POST /api/links/erasure"]);
    expect(await visitor.tab.evaluate("Object.keys(localStorage).filter((key) => key.includes('place'))")).toEqual([]);
    await club.stage.settled();
    const emptied = { status: "cancelled", fname: "", ofDeletedAccount: true };
    expect(await club.stage.storedRegistration(eventID, email)).toMatchObject(emptied);
    await visitor.open(page);
    await visitor.sees("This link does not work, or not any more.");
    expect(await visitor.wrong()).toEqual([]);
  });
});
