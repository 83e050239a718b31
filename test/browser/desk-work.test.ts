/** What goes wrong at a desk: two who edit at once, a session that ends, presses that come twice, hostile texts. */
import { expect, test } from "@jest/globals";
import { newEmail, year } from "../service/given.ts";
import { until } from "./chromium.ts";
import { describeDesk, expectNothingWrong } from "./executive.ts";
import { question } from "./visitor.ts";

/** Runs if a page takes a text for markup. */
const hostile = `<img src="https://evil.example/x" onerror="alert(1)"><script>alert(2)</script>"onfocus='alert(3)'{{alert(4)}}`;

describeDesk("work at the desk", (desk) => {
  test("two executives edit one event: what does not clash is kept of both, and what does is shown", async () => {
    const eventID = await desk.stage.givenEvent({ ename: "Gala", elocation: "Hall" });
    const page = `/desk/event/${eventID}/${year}`;
    const [ada, bo] = [await desk.executive("ada@club.example", page), await desk.executive("bo@club.example", page)];
    await ada.fill({ Name: "Ada's gala", Place: "Harbour" });
    await bo.fill({ Name: "Bo's gala", "What it is about": "Founders speak." });
    await bo.press("Save");
    await bo.sees("Saved.");
    await ada.press("Save");
    await ada.sees(
      "Another executive has changed this event meanwhile",
      "Theirs, as it is saved: Bo's gala",
      "Yours: Ada's gala",
    );
    const stored = async () =>
      (await desk.stage.api("GET", `/events/${eventID}/${year}`, { as: "ada@club.example" })).body;
    expect(await stored()).toMatchObject({ ename: "Bo's gala", elocation: "Hall" });
    await ada.press("Keep mine");
    await ada.press("Save");
    await ada.sees("Saved.");
    expect(await stored()).toMatchObject({ ename: "Ada's gala", elocation: "Harbour", description: "Founders speak." });
    await expectNothingWrong(ada, bo);
  });

  test("a session that ends in the middle of a form loses nothing", async () => {
    const eventID = await desk.stage.givenEvent({ ename: "Gala" });
    const ada = await desk.executive("ada@club.example", `/desk/event/${eventID}/${year}`);
    await ada.fill({ "What it is about": "Half a page of text." });
    // As when the refresh token has expired, or the account was signed out everywhere.
    await ada.tab.evaluate(
      `Object.keys(sessionStorage).filter((key) => /Token$/.test(key)).forEach((key) => sessionStorage.removeItem(key))`,
    );
    await ada.press("Save");
    await ada.sees("Your session has ended. What you have entered is still there");
    expect(await ada.text()).not.toContain("Half a page");
    await ada.signIn("ada@club.example");
    expect(await ada.tab.evaluate(`document.getElementById("/description").value`)).toBe("Half a page of text.");
    await ada.press("Save");
    await ada.sees("Saved.");
    await expectNothingWrong(ada);
  });

  test("what is pressed twice is done once", async () => {
    const eventID = await desk.stage.givenEvent({ capac: 5 });
    const ada = await desk.executive("ada@club.example", `/desk/event/${eventID}/${year}/people`);
    const email = newEmail();
    await ada.tab.evaluate(`document.querySelector("summary").click()`);
    await ada.fill({ Email: email, "First name": "Eve" });
    await ada.press("Register this person", 3);
    await ada.sees("Eve: Registered");
    const sent = (await ada.sent()).filter((one) => one.startsWith("POST /api/registrations"));
    expect(sent).toHaveLength(1);
    expect(await desk.stage.countsOf(eventID)).toMatchObject({ registeredCount: 1 });
    await expectNothingWrong(ada);
  });

  test("no text of a person, an event or a template runs, on any page of the desk", async () => {
    const eventID = await desk.stage.givenEvent({
      ename: `Gala ${hostile}`,
      elocation: `Hall ${hostile}`,
      description: hostile,
      isApplicationBased: true,
      registrationQuestions: [question("why", "TEXT", { label: `Why? ${hostile}` })],
    });
    const email = newEmail();
    const more = { fname: `Eve ${hostile}`, dynamicResponses: { why: hostile } };
    expect((await desk.stage.register(eventID, email, more)).status).toBe(201);
    const as = "ada@club.example";
    const plain = hostile.replace("{{alert(4)}}", "");
    const template = { templateName: "hostile", subject: plain, html: "<p>Hello {{fname}}</p>", text: plain };
    expect((await desk.stage.api("POST", "/emails/templates", { as, body: template })).status).toBe(201);
    await desk.stage.settled();
    const page = `/desk/event/${eventID}/${year}`;
    const ada = await desk.executive(as, page);
    const person = encodeURIComponent(email);
    const pages = [
      ...["", "/people", `/people/${person}`, "/applications", "/evening", "/report"].map((part) => page + part),
      ...[
        "/desk/",
        "/desk/mails",
        "/desk/mails/template/hostile",
        "/desk/money",
        "/desk/people",
        `/desk/people/${person}`,
      ],
      ...["/desk/people/audit", "/desk/prizes", "/desk/game"],
    ];
    for (const address of pages) {
      await ada.goTo(address);
      await until(ada.tab, `document.querySelector("main h1")`);
      expect([address, await ada.wrong()]).toEqual([address, []]);
      expect(await ada.tab.evaluate(`document.querySelectorAll("main script, main img[onerror]").length`)).toBe(0);
    }
  });
});
