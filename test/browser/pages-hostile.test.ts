/** What others, bad networks and impatient people do to the pages. */
import { expect, test } from "@jest/globals";
import { newEmail, year } from "../service/given.ts";
import { exportLinkOf, guestLinkOf } from "../service/link-of.ts";
import { until } from "./chromium.ts";
import { describePages, pageOf, question, type Visitor } from "./visitor.ts";

/** Runs if a page takes a text for markup. */
const hostile = `<img src="https://evil.example/x" onerror="alert(1)"><script>alert(2)</script>"onfocus='alert(3)'{{alert(4)}}`;

/** Answers the next calls of the API in the service's stead: `{ status, body, headers }`. */
const answerNext = (visitor: Visitor, answer: { status: number; body?: object; headers?: object }) =>
  visitor.tab.evaluate(`{
    const real = fetch;
    globalThis.fetch = async () => {
      globalThis.fetch = real;
      return new Response(${JSON.stringify(JSON.stringify(answer.body ?? {}))}, ${JSON.stringify(answer)});
    };
  }`);

describePages("the pages under attack, and on a bad day", (club) => {
  test("no text of an event or of a person runs, on any page", async () => {
    const questions = [
      question("why", "TEXT", { label: `Why? ${hostile}` }),
      question("topics", "CHECKBOX", { label: `Topics? ${hostile}`, choices: [`Food ${hostile}`, "other"] }),
    ];
    const { eventID, email, page } = await club.givenPlace(
      {
        ename: `Gala ${hostile}`,
        elocation: `Hall ${hostile}`,
        description: `Come in.\n${hostile}\n</script><script>alert(5)</script>`,
        registrationQuestions: questions,
        attendeeFeedbackEnabled: true,
        attendeeFeedbackQuestions: [question("said", "SHORT_TEXT", { label: `Said? ${hostile}` })],
      },
      { fname: `Ada ${hostile}`, dynamicResponses: { why: hostile, topics: [`Food ${hostile}`, hostile] } },
    );
    const visitor = await club.visitor();
    const data = `/registration/#${await exportLinkOf(club.stage, email)}/export`;
    const guest = newEmail();
    const asked = {
      email: guest,
      eventID,
      year,
      fname: `Bob ${hostile}`,
      dynamicResponses: { why: hostile, topics: [] },
    };
    const asking = `/registration/#${await guestLinkOf(club.stage, asked)}/guest`;
    const feedback = await club.linkTo(eventID, email, "feedback");
    for (const path of ["/club/", pageOf(eventID), page, `${page}/cancel`, asking, feedback, data, "/registration/"]) {
      await visitor.open(path);
      if (path !== data) await visitor.sees("Gala <img");
      expect([path, await visitor.wrong()]).toEqual([path, []]);
      expect(await visitor.tab.evaluate("document.querySelectorAll('main :is(img, script, [onfocus])').length")).toBe(
        0,
      );
    }
    await visitor.open(page);
    await visitor.sees("Hi Ada <img", "Come in.", `Topics? <img`);
    expect(await visitor.tab.evaluate("document.getElementById('q-why').value")).toBe(hostile);
    const asks = `performance.getEntriesByType("resource").map(({ name }) => name)`;
    const requests = await visitor.tab.evaluate<string[]>(asks);
    expect(requests.filter((address) => !address.startsWith(club.stage.outputs.pagesUrl))).toEqual([]);
    expect(requests.join()).not.toContain(page.split("#")[1]);

    // Control: markup that gets into a page is refused by its policy, and noted here.
    await visitor.tab.evaluate(`{
      const frame = document.createElement("div");
      frame.innerHTML = ${JSON.stringify(hostile)};
      document.body.append(frame);
    }`);
    await visitor.comes("wrong.length >= 2");
    expect((await visitor.wrong()).join()).toMatch(/img-src.*script-src|script-src.*img-src/);
  });

  test("a link opens what it is for, and nothing else", async () => {
    const { eventID, email, page } = await club.givenPlace({ ename: "Secret supper" });
    const visitor = await club.visitor();
    const feedback = await club.linkTo(eventID, email, "feedback");
    const data = `/registration/#${await exportLinkOf(club.stage, email)}`;
    const sentence = "This link does not work, or not any more. Please open the link of our latest mail";
    for (const [link, wishes] of [
      [page, ["/feedback", "/guest"]],
      [feedback.replace("/feedback", ""), ["", "/cancel", "/guest"]],
      [data, ["", "/feedback", "/guest"]],
      ["/registration/#L1.OTHER", ["", "/feedback", "/guest"]],
      ["/registration/#L1.%E0%A4%A", ["", "/feedback", "/guest"]],
    ] as const) {
      for (const wish of wishes) {
        await visitor.open(link + wish);
        await visitor.sees(sentence);
        expect([link, wish, await visitor.text()]).not.toEqual([
          link,
          wish,
          expect.stringMatching(/Secret supper|Ada/),
        ]);
      }
    }
    // Of what is stored about the person, the link to a place shows nothing either.
    await visitor.open(`${page}/export`);
    for (const button of ["Save as JSON", "Show what would happen"]) {
      await visitor.press(button);
      await visitor.sees(sentence);
    }
    expect(await club.stage.statusOf(eventID, email)).toBe("registered");
    // The right link in the same tab.
    await visitor.open("/registration/#L1.OTHER");
    await visitor.tab.evaluate(`void (location.hash = ${JSON.stringify(page.split("#")[1])})`);
    await visitor.sees("Secret supper", "You're registered");
    expect(await visitor.wrong()).toEqual([]);
  });

  test("no page is shown in a frame", async () => {
    const visitor = await club.visitor();
    // The laptop's API beside the pages says nothing about frames.
    await visitor.tab.open(`${club.stage.outputs.pagesUrl}/events`);
    const framed = (path: string) =>
      visitor.tab.evaluate<string | null>(`new Promise((done) => {
        const frame = document.createElement("iframe");
        frame.onload = () => done(frame.contentDocument?.body.innerText ?? null);
        frame.src = ${JSON.stringify(path)};
        document.body.append(frame);
      })`);
    const eventID = await club.givenEvent();
    // Control: it is shown in one.
    expect(await framed("/events")).toContain("Great Hall");
    for (const path of [pageOf(eventID), "/club/", "/registration/", "/lost/", "/my-data/", "/sign-in/", "/door/"]) {
      expect([path, await framed(path)]).toEqual([path, null]);
    }
  });

  test("what has changed under a button is shown before anything is given up", async () => {
    const visitor = await club.visitor();
    const applied = await club.givenPlace({ isApplicationBased: true });
    await visitor.open(applied.page);
    await visitor.press("Withdraw my application");
    await club.stage.changeRegistration(applied.eventID, applied.email, { applicationStatus: "accepted" });
    await visitor.press("Yes, cancel");
    await visitor.sees("so nothing was done", "You're accepted. Please confirm");
    expect(await club.stage.statusOf(applied.eventID, applied.email)).toBe("accepted");

    await visitor.press("Confirm my place");
    await club.stage.moveTo(applied.eventID, applied.email, "cancelled");
    await visitor.press("Confirm my place");
    await visitor.sees("Your registration is cancelled");
    expect(await club.stage.statusOf(applied.eventID, applied.email)).toBe("cancelled");

    const seat = await club.givenPlace({ registrationQuestions: [question("why", "TEXT", { required: false })] });
    await visitor.open(seat.page);
    await visitor.press("I'm coming");
    await club.stage.moveTo(seat.eventID, seat.email, "cancelled");
    await visitor.press("I'm coming");
    await visitor.sees("so nothing was done", "Your registration is cancelled");
    await visitor.press("Register again");
    expect((await club.stage.register(seat.eventID, seat.email)).status).toBe(201);
    await visitor.press("Register again");
    // Registering elsewhere has ended this link.
    await visitor.sees("This link does not work, or not any more.");
    expect(await visitor.wrong()).toEqual([]);
  });

  test("answers outlive a changed state, a dead network and a page that is loaded again", async () => {
    const registrationQuestions = [question("why", "TEXT"), question("topics", "CHECKBOX", { choices: ["A", "B"] })];
    const { eventID, email, page } = await club.givenPlace(
      { registrationQuestions },
      { dynamicResponses: { why: "Curious", topics: ["A"] } },
    );
    const visitor = await club.visitor();
    const shown = () =>
      visitor.tab.evaluate(`[document.getElementById("q-why").value, document.querySelectorAll(":checked").length]`);
    await visitor.open(page);
    await visitor.fill({ "why?": "Friends", "topics?": ["A", "B"] });
    await visitor.tab.goOffline(true);
    await visitor.press("Save my answers");
    await visitor.sees("There is no answer. Please check your connection, and try again.");
    expect(await shown()).toEqual(["Friends", 2]);
    await visitor.tab.goOffline(false);
    await visitor.reload();
    expect(await shown()).toEqual(["Friends", 2]);
    // Another button leaves the form alone.
    await visitor.press("I'm coming");
    await visitor.press("I'm coming");
    await visitor.sees("The organizers know");
    expect(await shown()).toEqual(["Friends", 2]);
    await visitor.press("Save my answers");
    await visitor.sees("Your answers are saved.");
    expect((await club.stage.registrationOf(eventID, email)).dynamicResponses).toEqual({
      why: "Friends",
      topics: ["A", "B"],
    });

    await visitor.open(pageOf(eventID));
    const guest = newEmail();
    await visitor.fill({
      "First name": "Grace",
      "Last name": "Hopper",
      Email: guest,
      "why?": "Work",
      "topics?": ["B"],
    });
    await visitor.tab.goOffline(true);
    await visitor.press("Send me the link");
    await visitor.sees("There is no answer.");
    await visitor.tab.goOffline(false);
    await visitor.reload();
    await until(visitor.tab, "document.getElementById('q-why')");
    expect(await shown()).toEqual(["Work", 1]);
    await visitor.press("Send me the link");
    await visitor.sees("Please look into your mailbox", guest);
    await visitor.openMail(guest, "/guest");
    expect(await shown()).toEqual(["Work", 1]);
    // The answer gets lost after the service has registered the person.
    await visitor.tab.evaluate(`{
      const real = fetch;
      globalThis.fetch = async (...given) => {
        globalThis.fetch = real;
        await real(...given);
        throw new TypeError("Failed to fetch");
      };
    }`);
    await visitor.press("Register");
    await visitor.sees("There is no answer.");
    await visitor.press("Register");
    await visitor.sees("You have registered before, so nothing was changed.", "You're registered");
    expect(await visitor.wrong()).toEqual([]);
  });

  test("a refusal is a sentence, and the button stays", async () => {
    const { page } = await club.givenPlace();
    const visitor = await club.visitor();
    await visitor.open(page);
    await visitor.press("I'm coming");
    for (const [answer, sentence] of [
      [{ status: 403, body: { code: "EVENT_CLOSED" } }, "Registration for this event has ended."],
      [{ status: 413 }, "These answers are too long. Please shorten them."],
      [{ status: 500 }, "Our service has a problem. Please try again in a few minutes."],
      [{ status: 429, headers: { "retry-after": "120" } }, "Please wait 2 minutes, and try again."],
    ] as const) {
      await answerNext(visitor, answer);
      await visitor.press("I'm coming");
      await visitor.sees(sentence);
    }
    await visitor.press("I'm coming");
    await visitor.sees("The organizers know that you are coming.");
    expect(await visitor.wrong()).toEqual([]);
  });
});
