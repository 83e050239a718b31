/** The page of one registration in a browser. With `SHOTS=<folder>` it leaves pictures there. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import axe from "axe-core";
import { patience } from "../patience.ts";
import { exec, newEmail, year } from "../service/given.ts";
import { exportLinkOf, linkOf } from "../service/link-of.ts";
import { givenStage, type ServiceStage } from "../service/stage.ts";
import { type Chromium, findChromium, press, shoot, startChromium, type Tab, until } from "./chromium.ts";

const executable = findChromium();
if (!executable)
  console.warn("SKIPPED: the page of one registration in a browser. Install Chromium to run these tests.");

const hostile = `<img src="https://evil.example/x" onerror="document.title='hacked'">`;
const question = (questionId: string, type: string, more: object = {}) => ({
  questionId,
  label: `${questionId}?`,
  type,
  required: true,
  ...more,
});
const gala = {
  ename: `Gala ${hostile}`,
  startDate: `${year}-01-15T18:00:00.000Z`,
  endDate: `${year}-01-15T20:00:00.000Z`,
  elocation: "Great Hall",
  description: `Come in.\n${hostile}`,
};
const registrationQuestions = [
  question("why", "TEXT"),
  question("diet", "SELECT", { choices: ["Vegan", "Other"] }),
  question("topics", "CHECKBOX", { choices: ["Food", "Rust", "other"] }),
  question("workshop", "WORKSHOP_SELECTION", { choices: ["Talks", "Games"] }),
  question("skills", "SKILLS", { required: false }),
  question("cv", "UPLOAD", { required: false }),
];
const dynamicResponses = { why: "Curious", diet: "Halal", topics: ["Food"], workshop: "Talks" };
const feedback = {
  attendeeFeedbackEnabled: true,
  attendeeFeedbackQuestions: [
    question("short", "SHORT_TEXT"),
    question("long", "LONG_TEXT", { required: false }),
    question("one", "MULTIPLE_CHOICE", { choices: ["Yes", "No"] }),
    question("several", "CHECKBOXES", { choices: ["Food", "Talks"] }),
    question("again", "LINEAR_SCALE", { required: false, scaleMin: 0, scaleMax: 1 }),
  ],
};

/** Notes the page's calls of the API, and answers the next ones in its stead: `{ status, body, headers }`, or not at all. */
const wrappedFetch = `(() => {
  const real = fetch;
  globalThis.sent = [];
  globalThis.answers = [];
  globalThis.refused = [];
  addEventListener("securitypolicyviolation", ({ violatedDirective }) => refused.push(violatedDirective));
  globalThis.fetch = async (address, init = {}) => {
    if (!String(address).includes("/links/")) return real(address, init);
    sent.push(init.method);
    const given = answers.shift();
    return given ? new Response(JSON.stringify(given.body ?? {}), given) : real(address, init);
  };
})();`;

(executable ? describe : describe.skip)("the page of one registration", () => {
  let stage: ServiceStage;
  let chromium: Chromium;
  let tab: Tab;
  beforeAll(async () => {
    stage = await givenStage();
    chromium = await startChromium(executable as string);
    tab = await chromium.tab();
    await tab.resize(360, 740);
    await tab.runFirst(wrappedFetch + axe.source);
  });
  afterAll(async () => {
    await chromium?.close();
    await stage?.close();
  });

  /** A person registers. @returns the secret of the link */
  async function givenLink(
    event: object = {},
    form: object = {},
    purpose: "registration" | "feedback" = "registration",
  ) {
    const [eventID, email] = [await stage.givenEvent({ ...gala, ...event }), newEmail()];
    expect((await stage.register(eventID, email, { fname: `Ada ${hostile}`, ...form })).status).toBe(201);
    return { eventID, email, secret: await linkOf(stage, purpose, { eventID, email, year }) };
  }
  async function open(fragment: string): Promise<void> {
    await tab.open("about:blank");
    await tab.open(`${stage.outputs.apiUrl}/registration/#${fragment}`);
    await until(
      tab,
      "document.getElementById('said')?.textContent !== 'Loading …' && !document.documentElement.ariaBusy",
    );
  }
  const text = () => tab.evaluate<string>("document.body.innerText");
  const said = (part: string) => until(tab, `document.body.innerText.includes(${JSON.stringify(part)})`);
  const changes = async () => (await tab.evaluate<string[]>("sent")).filter((method) => method !== "GET").length;
  const answerNext = (answer: object) => tab.evaluate(`void answers.push(${JSON.stringify(answer)})`);
  const focused = () => tab.evaluate("document.activeElement.textContent");
  /** Fills in the fields with these labels: a text, or the choices of a group. */
  const fill = (values: Readonly<Record<string, string | readonly string[]>>) =>
    tab.evaluate(`for (const [label, value] of Object.entries(${JSON.stringify(values)})) {
      const title = [...document.querySelectorAll("#fields label, legend")].find((one) => one.textContent.startsWith(label));
      if (title.control) title.control.value = value;
      else for (const one of title.parentElement.querySelectorAll("input")) one.checked = value.includes(one.value);
    }`);

  test("shows event and standing as text, and asks nobody but the API", async () => {
    const { secret } = await givenLink();
    await open(secret);
    expect(await text()).toMatch(
      /Gala <img src=.*When\s+Tuesday, January 15, 2030.*Where\s+Great Hall.*You're registered\s+Hi Ada <img.*Your seat is confirmed\..*I can't come.*About the event\s+Come in\.\s+<img/s,
    );
    expect(await text()).not.toContain("Your answers");
    expect(await tab.evaluate("[document.images.length, document.title]")).toEqual([0, "Your registration"]);
    const asked = await tab.evaluate<string[]>("performance.getEntriesByType('resource').map(({ name }) => name)");
    expect(asked.filter((address) => !address.startsWith(stage.outputs.apiUrl))).toEqual([]);
    expect(asked.join()).not.toContain(secret);
    expect(await tab.evaluate("[sent, refused]")).toEqual([["GET"], []]);
    // Control: the policy refuses what a text would do as markup.
    const markup = "try { document.body.innerHTML = '<p>' } catch (problem) { problem.name }";
    expect(await tab.evaluate(markup)).toBe("TypeError");
    await tab.evaluate("void (new Image().src = 'https://evil.example/x')");
    await tab.evaluate("new Promise((done) => setTimeout(done))");
    expect(await tab.evaluate("refused")).toEqual(["require-trusted-types-for", "img-src"]);
  });

  test("a mail's buttons ask first, a double press sends once, and the seat goes to the next in line", async () => {
    const { eventID, email } = await givenLink({ capac: 1 });
    const next = newEmail();
    await stage.register(eventID, next);
    await stage.settled();
    const [, secret] = /#(L1\.[A-Z2-7]+)/.exec(stage.mailsTo(email)[0]?.body.text ?? "") ?? [];
    await open(`${secret}/come`);
    expect(await focused()).toBe("Are you coming?");
    expect(await changes()).toBe(0);
    await press(tab, "Back");
    await press(tab, "I'm coming", 2);
    await said("Thank you. The organizers know that you are coming.");
    expect(await text()).toContain("You told us that you are coming.");
    expect(await changes()).toBe(1);

    await open(`${secret}/cancel`);
    expect(await text()).toMatch(/Cancel your registration\?\s+Your seat goes to the next person in line\./);
    expect(await changes()).toBe(0);
    await press(tab, "Yes, cancel", 2);
    await said("Done. Thank you for telling us.");
    expect(await focused()).toBe("Your registration is cancelled");
    expect(await tab.evaluate("[location.hash]")).toEqual([`#${secret}`]);
    expect(await changes()).toBe(1);
    await stage.settled();
    expect(await Promise.all([email, next].map((one) => stage.statusOf(eventID, one)))).toEqual([
      "cancelled",
      "registered",
    ]);
  });

  test("a seat is accepted, and a person in line sees the place and can leave", async () => {
    const accepted = await givenLink({ isApplicationBased: true });
    await open(accepted.secret);
    expect(await text()).toMatch(/We have your application.*Withdraw my application/s);
    await stage.changeRegistration(accepted.eventID, accepted.email, { applicationStatus: "accepted" });
    await open(accepted.secret);
    expect(await text()).not.toContain("I'm coming");
    await press(tab, "Confirm my seat");
    await said("Thank you. Your seat is confirmed.");
    expect(await stage.statusOf(accepted.eventID, accepted.email)).toBe("acceptedComplete");

    const { eventID } = await givenLink({ capac: 1 });
    const email = newEmail();
    await stage.register(eventID, email);
    await open(await linkOf(stage, "registration", { eventID, email, year }));
    expect(await text()).toMatch(/You're on the waitlist.*You are number 1 in line\./s);
    await press(tab, "Leave the waitlist");
    expect(await text()).toContain("You lose your place in line.");
    await press(tab, "Yes, cancel");
    await said("Your registration is cancelled");
    expect(await stage.statusOf(eventID, email)).toBe("cancelled");
  });

  test("answers of each kind are changed, and what was typed outlives every failure", async () => {
    const { eventID, email, secret } = await givenLink({ registrationQuestions }, { dynamicResponses });
    const stored = async () => (await stage.registrationOf(eventID, email)).dynamicResponses;
    await open(secret);
    await press(tab, "Save my answers", 2);
    await said("Your answers are saved.");
    expect(await changes()).toBe(1);
    expect(await stored()).toEqual(dynamicResponses);

    await fill({
      "why?": "Friends",
      "diet?": "Vegan",
      "topics?": ["Rust", "other"],
      "workshop?": "Games",
      "skills?": "SQL\nGo",
      "cv?": "my disk",
    });
    await tab.evaluate("void (document.querySelector('[aria-label=\"topics?: other\"]').value = 'Art, craft')");
    await tab.goOffline(true);
    await press(tab, "Save my answers");
    await said("There is no answer. Please check your connection, and try again.");
    await tab.goOffline(false);
    await press(tab, "Save my answers");
    await said("Please look at the answers with a “!”.");
    expect(await tab.evaluate("document.activeElement.type")).toBe("url");
    expect(await text()).toMatch(/This must be .*https/);
    await fill({ "cv?": "https://files.example/cv.pdf" });
    // The other buttons leave the form alone.
    await press(tab, "I'm coming");
    await said("The organizers know");
    await press(tab, "Save my answers");
    await said("Your answers are saved.");
    expect(await text()).not.toContain("This must be");
    expect(await stored()).toEqual({
      why: "Friends",
      diet: "Vegan",
      topics: ["Rust", "Art, craft"],
      workshop: "Games",
      skills: ["SQL", "Go"],
      cv: "https://files.example/cv.pdf",
    });

    // What is not saved is said, although the form is gone.
    await fill({ "why?": "Food" });
    await stage.moveTo(eventID, email, "cancelled");
    await press(tab, "Save my answers");
    await said("Your registration has changed meanwhile, so nothing was done.");
    expect(await text()).toContain("Your registration is cancelled");
  });

  test("feedback is given with each kind of question", async () => {
    const { eventID, secret } = await givenLink(feedback, {}, "feedback");
    const [startDate, endDate] = [new Date().toISOString(), null];
    await stage.changeEvent(eventID, { startDate, endDate });
    await open(`${secret}/feedback`);
    expect(await text()).toMatch(/How would you rate.*1 \(Poor\).*10 \(Excellent\).*short\?/s);
    await press(tab, "Send my feedback");
    await said("This is required.");
    await fill({ "How would": ["9"], "short?": "Fine", "one?": "Yes", "several?": ["Talks"] });
    await press(tab, "Send my feedback", 2);
    await said("Thank you for your feedback.");
    const { body } = await stage.api("GET", `/events/${eventID}/${year}/feedback/attendee/submissions`, { as: exec });
    const responses = { "overall-rating": 9, short: "Fine", one: "Yes", several: ["Talks"] };
    expect(body.submissions).toMatchObject([{ responses }]);
    // What the person said before stands in the form.
    await open(`${secret}/feedback`);
    expect(await tab.evaluate("document.querySelector('input[type=radio]:checked')?.value")).toBe("9");
    await stage.changeEvent(eventID, { attendeeFeedbackEnabled: false });
    await open(`${secret}/feedback`);
    expect(await text()).toContain("This form does not take answers any more.");
  });

  test("a guest is registered when the button is pressed, and not before", async () => {
    const [eventID, email] = [await stage.givenEvent({ ...gala, guests: "everyone" }), newEmail()];
    await stage.api("POST", `/events/${eventID}/${year}/guests`, { body: { email, fname: "Grace" } });
    await stage.settled();
    const [, fragment = ""] = /#(L1\.[A-Z2-7]+\/\w+)/.exec(stage.mailsTo(email)[0]?.body.text ?? "") ?? [];
    await open(fragment);
    expect(await text()).toMatch(/One step is left\s+Hi Grace\. You have no seat before you press the button\./);
    expect(await stage.statusOf(eventID, email)).toBeUndefined();
    await press(tab, "Register", 2);
    await said("Thank you. Our next mail has the link to your registration.");
    expect(await focused()).toBe("You're registered");
    expect([await changes(), await stage.statusOf(eventID, email)]).toEqual([1, "registered"]);
    await open(fragment);
    await press(tab, "Register");
    await said("You have asked before, so nothing was changed.");
    expect(await focused()).toBe("You're registered");
  });

  test("a person's data is saved when a button is pressed, and not before", async () => {
    const { eventID, email } = await givenLink();
    await stage.leave(eventID, email);
    expect((await stage.api("POST", `/users/${email}/export-link`, { as: exec })).status).toBe(202);
    await stage.settled();
    const [, fragment = ""] = /#(E1\.[A-Z2-7]+\/export)/.exec(stage.mailsTo(email).at(-1)?.body.text ?? "") ?? [];
    await open(fragment);
    expect(await text()).toMatch(/Your data\s+What is stored about you/);
    expect(await tab.evaluate("sent")).toEqual([]);
    await tab.evaluate(`{
      const real = URL.createObjectURL;
      globalThis.saved = [];
      URL.createObjectURL = (blob) => (saved.push(blob.text()), real.call(URL, blob));
    }`);
    await press(tab, "Save as JSON", 2);
    await said("Your data is saved.");
    await press(tab, "Save as a page");
    await until(tab, "saved.length === 2");
    const [json = "", page] = await tab.evaluate<string[]>("Promise.all(saved)");
    expect(JSON.parse(json)).toMatchObject({ email, records: { registration: [{ eventID }] } });
    expect(page).toMatch(/^<!doctype html>/i);
    const { body } = await stage.api("GET", `/audit?email=${email}`, { as: exec });
    const actions = body.data.map(({ action, actor }: { action: string; actor: string }) => [action, actor]);
    expect(actions.slice(0, 3)).toEqual([
      ["export.downloaded", "link"],
      ["export.downloaded", "link"],
      ["export.requested", exec],
    ]);
  });

  test("a refusal is a sentence, and the button stays", async () => {
    const { eventID, email, secret } = await givenLink();
    await open(secret);
    for (const [answer, sentence] of [
      [{ status: 409, body: { code: "EVENT_CLOSED" } }, "Registration for this event has ended"],
      [{ status: 429, headers: { "retry-after": "120" } }, "Please wait 2 minutes, and try again."],
      [{ status: 503 }, "Our service has a problem. Please try again in a few minutes."],
    ] as const) {
      await answerNext(answer);
      await press(tab, "I'm coming");
      await said(sentence);
    }
    await stage.moveTo(eventID, email, "cancelled");
    await press(tab, "I'm coming");
    await said("Your registration has changed meanwhile, so nothing was done. Above you see where it stands now.");
    expect(await text()).toContain("Your registration is cancelled");
  });

  test("a wrong link says so until another one is opened", async () => {
    const { secret } = await givenLink();
    for (const [wrong, calls] of [
      ["", 0],
      ["L1.%E0%A4%A", 0],
      ["L1.OTHER", 2],
    ] as const) {
      await open(wrong);
      const sentence =
        "This link does not work, or not any more. Please open the link of our latest mail, if it has one.";
      expect(await text()).toContain(sentence);
      await press(tab, "Try again");
      await until(tab, "!document.documentElement.ariaBusy");
      expect([await text(), await tab.evaluate("sent.length")]).toEqual([expect.stringContaining(sentence), calls]);
    }
    await tab.evaluate(`void (location.hash = "${secret}")`);
    const isOpen = async () =>
      (await text()).includes("You're registered") && tab.evaluate("document.readyState === 'complete'");
    for (const deadline = Date.now() + patience; !(await isOpen().catch(() => false)); ) {
      expect(Date.now()).toBeLessThan(deadline);
    }
  });

  test("it is accessible by day and night, and fits a phone and a desk", async () => {
    const registration = await givenLink({ registrationQuestions }, { dynamicResponses });
    const { secret } = await givenLink(feedback, {}, "feedback");
    const found: unknown[] = [];
    const exported = `${await exportLinkOf(stage, registration.email)}/export`;
    for (const fragment of [registration.secret, `${registration.secret}/cancel`, `${secret}/feedback`, exported]) {
      await open(fragment);
      const name = fragment.split("/")[1] ?? "registration";
      for (const scheme of ["light", "dark"] as const) {
        await tab.prefer(scheme);
        const violations = await tab.evaluate<readonly { id: string; nodes: readonly { html: string }[] }[]>(
          "axe.run({ rules: { 'color-contrast-enhanced': { enabled: true } } }).then(({ violations }) => violations)",
        );
        found.push(...violations.map(({ id, nodes }) => [name, scheme, id, nodes.map(({ html }) => html)]));
        for (const width of [1280, 360]) {
          await tab.resize(width, 740);
          await shoot(tab, `link-${name}-${scheme}-${width}`);
          expect(await tab.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
        }
      }
    }
    expect(found).toEqual([]);
  });
});
