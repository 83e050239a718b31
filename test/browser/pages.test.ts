/** A person and an event, from the announcement to the feedback, without an account. */
import { expect, test } from "@jest/globals";
import { exec, newEmail, year } from "../service/given.ts";
import { describePages, pageOf, question } from "./visitor.ts";

const registrationQuestions = [
  question("why", "TEXT", { charLimit: 100 }),
  question("diet", "SELECT", { choices: ["Vegan", "Other"] }),
  question("topics", "CHECKBOX", { choices: ["Food", "Rust", "other"] }),
  question("workshop", "WORKSHOP_SELECTION", { choices: ["Talks", "Games"], participantCap: 1 }),
  question("skills", "SKILLS", { required: false }),
  question("cv", "UPLOAD", { required: false }),
];

describePages("the pages of people", (club) => {
  const grace = (email: string) => ({ "First name": "Grace", "Last name": "Hopper", Email: email });

  test("a link that is shared in a chat has a title and facts, also without JavaScript", async () => {
    const page = pageOf(await club.givenEvent({ ename: "Gala <b>& friends</b>" }));
    const visitor = await club.visitor();
    await visitor.tab.withoutScripts();
    await visitor.tab.open(club.stage.outputs.pagesUrl + page);
    const content = (name: string) =>
      visitor.tab.evaluate(`document.querySelector('meta[property="og:${name}"]').content`);
    expect(await content("title")).toBe("Gala <b>& friends</b>");
    expect(await content("description")).toMatch(/^Tuesday, January 15, 2030.* · Great Hall · An evening/);
    expect(await content("url")).toMatch(new RegExp(`${page}$`));
    expect(await visitor.text()).toMatch(/Gala <b>.*Great Hall.*An evening.*This page needs JavaScript.*events@club/s);
    for (const other of ["/club/", "/registration/", "/lost/", "/my-data/", "/sign-in/"]) {
      await visitor.tab.open(club.stage.outputs.pagesUrl + other);
      expect(await visitor.text()).toContain("This page needs JavaScript.");
    }
  });

  test("a code of the link stands in the form with its price; another one is used there, or refused with its reason", async () => {
    const eventID = await club.givenEvent({ pricing: { member: 20, nonMember: 20 }, guests: "everyone" });
    const codes = `/events/${eventID}/${year}/codes`;
    const body = { code: "SPONSOR", kind: "discount", uses: 1, price: 12.5 };
    expect(await club.stage.api("POST", codes, { as: exec, body })).toMatchObject({ status: 201 });
    const [visitor, email] = [await club.visitor(), newEmail()];
    await visitor.open(`${pageOf(eventID)}?code=wrong`);
    await visitor.sees("This code is not valid for this event.", "It costs $20.00");
    await visitor.fill({ ...grace(email), "Code (optional)": "sponsor" });
    await visitor.press("Use the code");
    await visitor.sees("The code is valid.", "It costs $12.50");
    await visitor.press("Send me the link");
    await visitor.sees("Please look into your mailbox");
  });

  test("a free place is taken by the mail's link, and not before", async () => {
    const eventID = await club.givenEvent({ capac: 5, registrationQuestions });
    const [visitor, email] = [await club.visitor(), newEmail()];
    await visitor.open("/club/");
    await visitor.follow("Autumn gala");
    await visitor.sees("5 places left", "Free", "You have no place before you open it");
    expect(await visitor.address()).toBe(pageOf(eventID));
    await visitor.focuses("Autumn gala");

    await visitor.press("Send me the link");
    await visitor.sees("Please look at the answers that are marked.");
    expect(await visitor.sent()).toEqual([]);
    await visitor.focuses("/fname");
    await visitor.fill({ ...grace(email), "why?": "Curious", "diet?": ["Other"], "topics?": ["Food", "other"] });
    await visitor.fill({ "workshop?": ["Talks"], "skills?": "SQL\nGo", "cv?": "my disk" });
    await visitor.tab.evaluate(`for (const [index, other] of document.querySelectorAll(".other").entries()) {
      other.value = ["Halal", "Art, craft"][index];
      other.dispatchEvent(new Event("input", { bubbles: true }));
    }`);
    await visitor.press("Send me the link");
    // What only the service knows about an answer stands beside it.
    await visitor.sees("This must be");
    await visitor.focuses("q-cv");
    await visitor.fill({ "cv?": "https://files.example/cv.pdf" });
    await visitor.press("Send me the link", 2);
    await visitor.sees("Please look into your mailbox");
    await visitor.focuses("Please look into your mailbox");
    const asking = `POST /api/events/${eventID}/${year}/guests`;
    expect(await visitor.sent()).toEqual([asking, asking]);
    expect(await club.stage.statusOf(eventID, email)).toBeUndefined();

    await visitor.openMail(email, "/guest");
    await visitor.sees("One step is left", "Hi Grace. You have no place before you press the button.");
    expect([await visitor.sent(), await club.stage.statusOf(eventID, email)]).toEqual([[], undefined]);
    const asked = await visitor.address();
    await visitor.press("Register", 2);
    // The answer has the link to the place, which the next mail has, too.
    await visitor.sees("You're registered", "Your ticket");
    expect(await visitor.sent()).toEqual(["POST /api/links/guest"]);
    expect((await club.stage.registrationOf(eventID, email)).dynamicResponses).toEqual({
      ...{ why: "Curious", diet: "Halal", topics: ["Food", "Art, craft"], workshop: "Talks" },
      ...{ skills: ["SQL", "Go"], cv: "https://files.example/cv.pdf" },
    });
    await visitor.openMail(email);
    await visitor.sees("You're registered", "Your ticket");
    // A person who opens the first mail again is told so.
    await visitor.open(asked);
    await visitor.press("Register");
    await visitor.sees("You have registered before, so nothing was changed.");

    const other = await club.visitor();
    await other.open(pageOf(eventID));
    await other.sees("4 places left", "Talks (full)", "Games (1 left)");
    expect([await visitor.wrong(), await other.wrong()]).toEqual([[], []]);
  });

  test("a full event has a line, and the page that was open shows the promotion", async () => {
    const first = newEmail();
    const eventID = await club.stage.givenEventWith([first], { guests: "everyone", capac: 1, ename: "Small dinner" });
    const [visitor, email] = [await club.visitor(), newEmail()];
    await visitor.open(pageOf(eventID));
    await visitor.sees("All places are taken", "Join the waitlist");
    await visitor.fill(grace(email));
    await visitor.press("Send me the link");
    await visitor.sees("Please look into your mailbox");
    await visitor.openMail(email, "/guest");
    await visitor.press("Register");
    await visitor.sees("You're on the waitlist", "You are number 1 in line.");
    await visitor.openMail(email);
    await visitor.sees("You are number 1 in line.", "Leave the waitlist");
    expect(await visitor.text()).not.toContain("Your ticket");

    await club.stage.leave(eventID, first);
    await club.stage.settled();
    // The person in line gives up what the page shows, which is no longer what they have.
    await visitor.press("Leave the waitlist");
    await visitor.sees("You lose your place in line.");
    await visitor.press("Yes, cancel");
    await visitor.sees("so nothing was done", "You're registered", "Your ticket");
    expect(await club.stage.statusOf(eventID, email)).toBe("registered");
    expect(await visitor.wrong()).toEqual([]);
  });

  test("who waits for the opening sees the form in that second, whatever the device's clock says", async () => {
    const opensAt = new Date(Date.now() + 4_000).toISOString();
    const eventID = await club.givenEvent({ opensAt });
    const visitor = await club.visitor({ clockOffset: 3_600_000 });
    await visitor.open(pageOf(eventID));
    await visitor.sees("Registration opens soon", "Opens in");
    expect(await visitor.text()).toMatch(/Opens in\s+[1-5] seconds?/);
    expect(await visitor.text()).not.toContain("Send me the link");
    await visitor.sees("Registration is open.", "Send me the link");
    // The service's clock is read to the second.
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(opensAt) - 1_000);
    const email = newEmail();
    await visitor.fill(grace(email));
    await visitor.press("Send me the link");
    await visitor.sees("Please look into your mailbox");
    expect(await visitor.wrong()).toEqual([]);
  });

  test("what is sent a moment before the opening is sent again when it comes", async () => {
    const eventID = await club.givenEvent();
    const visitor = await club.visitor();
    await visitor.open(pageOf(eventID));
    await visitor.fill(grace(newEmail()));
    const opensAt = Date.now() + 3_000;
    await club.stage.changeEvent(eventID, { opensAt: new Date(opensAt).toISOString() });
    await visitor.press("Send me the link");
    await visitor.sees("Please look into your mailbox");
    expect(Date.now()).toBeGreaterThanOrEqual(opensAt);
    expect(await visitor.wrong()).toEqual([]);
  });

  test("a guest is told the price before the button, and pays by the link while the place is held", async () => {
    const eventID = await club.givenEvent({ capac: 1, pricing: { member: 10, nonMember: 12.5 } });
    const [visitor, email] = [await club.visitor(), newEmail()];
    await visitor.open(pageOf(eventID));
    await visitor.sees("It costs $12.50, members $10.00. You pay by card");
    await visitor.fill(grace(email));
    await visitor.press("Send me the link");
    await visitor.sees("Please look into your mailbox");
    await visitor.openMail(email, "/guest");
    await visitor.sees("It costs $12.50, members $10.00. You pay by card");
    await visitor.press("Register");
    await visitor.sees("Please pay for your place", "We are holding a place for you until ");
    await visitor.openMail(email);
    const place = await visitor.address();
    expect(await visitor.text()).toMatch(/(?:2\d|30) minutes.* left to pay\./);
    expect(await visitor.text()).not.toContain("Your ticket");
    await visitor.tab.click("Pay $12.50 now");
    const session = club.stage.payments.sessions().find((one) => one.customer_email === email);
    expect([await visitor.tab.evaluate("location.href"), session?.amount_total]).toEqual([session?.url, 1_250]);
    // The provider leads back without the secret, which is on the device.
    expect(session?.cancel_url).toMatch(/\/registration\/\?not-paid$/);
    await visitor.open("/registration/?not-paid");
    await visitor.sees("You have not paid. You can do it here while your place is held.");
    await visitor.tab.click("Pay $12.50 now");
    expect(await visitor.tab.evaluate("location.href")).toBe(session?.url);
    club.stage.payments.pay(session?.id ?? "");
    await club.stage.settled();
    await visitor.open("/registration/?paid");
    await visitor.sees("You're registered", "Your ticket");
    expect((await visitor.address()).replace("?paid", "")).toBe(place);
    expect(await visitor.text()).not.toMatch(/\$|left to pay/);
    expect(await visitor.wrong()).toEqual([]);
  });

  test("an application is accepted, and the person confirms the place", async () => {
    const eventID = await club.givenEvent({ isApplicationBased: true });
    const [visitor, email] = [await club.visitor(), newEmail()];
    await visitor.open(pageOf(eventID));
    await visitor.sees("You apply with this form.");
    await visitor.fill(grace(email));
    await visitor.press("Send me the link");
    await visitor.sees("Please look into your mailbox");
    await visitor.openMail(email, "/guest");
    await visitor.press("Register");
    await visitor.sees("We have your application");
    await visitor.openMail(email);
    await visitor.sees("We have your application", "Withdraw my application");
    expect(await visitor.text()).not.toContain("Your ticket");
    await club.stage.changeRegistration(eventID, email, { applicationStatus: "accepted" });
    await visitor.openMail(email);
    await visitor.sees("You're accepted. Please confirm", "Please confirm it.");
    expect(await visitor.text()).not.toContain("I'm coming");
    await visitor.press("Confirm my place");
    await visitor.press("Confirm my place", 2);
    await visitor.sees("Thank you. Your place is confirmed.", "Your ticket");
    expect(await visitor.sent()).toEqual(["PUT /api/links/registration"]);
    expect(await club.stage.statusOf(eventID, email)).toBe("acceptedComplete");
    expect(await visitor.wrong()).toEqual([]);
  });

  test("a mail's button asks first, and a double press sends once", async () => {
    const { eventID, email, page } = await club.givenPlace();
    const visitor = await club.visitor();
    await visitor.open(`${page}/come`);
    await visitor.sees("Are you coming?");
    await visitor.focuses("Are you coming?");
    expect(await visitor.sent()).toEqual([]);
    expect((await club.stage.registrationOf(eventID, email)).coming).toBeUndefined();
    await visitor.press("Back");
    await visitor.press("I'm coming");
    await visitor.press("I'm coming", 2);
    await visitor.sees("Thank you. The organizers know that you are coming.", "You told us that you are coming.");
    expect(await visitor.sent()).toEqual(["PUT /api/links/registration"]);

    await visitor.open(`${page}/cancel`);
    await visitor.sees("Cancel your registration?", "Your place goes to the next person in line.");
    expect([await visitor.sent(), await club.stage.statusOf(eventID, email)]).toEqual([[], "registered"]);
    await visitor.press("Yes, cancel", 2);
    await visitor.sees("Done. Thank you for telling us.", "Your registration is cancelled");
    await visitor.focuses("Your registration is cancelled");
    expect([await visitor.sent(), await visitor.address()]).toEqual([["PUT /api/links/registration"], page]);
    expect(await visitor.wrong()).toEqual([]);
  });

  test("cancelling says what it means for money, early and late; then the person registers again by a button", async () => {
    const visitor = await club.visitor();
    const pricing = { member: 10, nonMember: 10 };
    const early = await club.givenPlace({ pricing, refundUntil: `${year}-01-10T18:00:00.000Z` });
    const late = await club.givenPlace({ pricing, refundUntil: "2020-01-10T18:00:00.000Z" });
    await visitor.open(`${late.page}/cancel`);
    await visitor.sees("the time to cancel with a refund ended", "Our treasurer decides");
    await visitor.open(`${early.page}/cancel`);
    await visitor.sees("you get the money back if you cancel by Thursday, January 10, 2030");
    await visitor.press("Yes, cancel");
    await visitor.sees("Your registration is cancelled");

    await visitor.press("Register again");
    await visitor.sees("Register again?");
    await visitor.press("Register again", 2);
    await visitor.sees("Please pay for your place");
    expect(await visitor.sent()).toEqual(["PUT /api/links/registration", "POST /api/links/registration"]);
    // The former link has ended; the page has the new one, which works after loading it again.
    expect(await visitor.address()).not.toBe(early.page);
    await visitor.reload();
    await visitor.sees("Please pay for your place");
    const stranger = await club.visitor();
    await stranger.open(early.page);
    await stranger.sees("This link does not work, or not any more.");
    expect([await visitor.wrong(), await stranger.wrong()]).toEqual([[], []]);
  });

  test("answers are changed, and questions that came later are answered", async () => {
    const asked = [
      question("why", "TEXT", { required: false }),
      question("topics", "CHECKBOX", { choices: ["A", "B"] }),
    ];
    const { eventID, email, page } = await club.givenPlace(
      { registrationQuestions: asked },
      { dynamicResponses: { why: "Curious", topics: ["A"] } },
    );
    const later = question("diet", "SELECT", { choices: ["Vegan", "None"] });
    expect((await club.stage.changeEvent(eventID, { registrationQuestions: [...asked, later] })).status).toBe(200);
    const visitor = await club.visitor();
    await visitor.open(page);
    await visitor.sees("A question was added since you registered. Please answer it.");
    await visitor.fill({ "diet?": ["Vegan"], "topics?": ["A", "B"], "why?": "" });
    await visitor.tab.evaluate("document.getElementById('q-why').focus()");
    await visitor.press("Save my answers", 2);
    await visitor.sees("Your answers are saved.");
    await visitor.focuses("q-why");
    expect(await visitor.text()).not.toContain("A question was added");
    expect(await visitor.sent()).toEqual(["PUT /api/links/registration"]);
    const { dynamicResponses } = await club.stage.registrationOf(eventID, email);
    expect(dynamicResponses).toEqual({ topics: ["A", "B"], diet: "Vegan" });
    expect(await visitor.wrong()).toEqual([]);
  });

  test("feedback is given with each kind of question, and shows what the person has said", async () => {
    const { eventID, page } = await club.givenPlace(
      {
        attendeeFeedbackEnabled: true,
        attendeeFeedbackQuestions: [
          question("short", "SHORT_TEXT"),
          question("long", "LONG_TEXT", { required: false }),
          question("one", "MULTIPLE_CHOICE", { choices: ["Yes", "No"] }),
          question("several", "CHECKBOXES", { choices: ["Food", "Talks"] }),
          question("again", "LINEAR_SCALE", { required: false, scaleMin: 0, scaleMax: 1 }),
        ],
      },
      {},
      "feedback",
    );
    await club.stage.changeEvent(eventID, { startDate: new Date().toISOString(), endDate: null });
    const visitor = await club.visitor();
    await visitor.open(page);
    expect(await visitor.text()).toMatch(/How would you rate.*1: Poor.*10: Excellent.*short\?/s);
    await visitor.press("Send my feedback");
    await visitor.sees("Please answer this.");
    expect(await visitor.sent()).toEqual([]);
    await visitor.fill({ "How would": ["9"], "short?": "Fine", "one?": ["Yes"], "several?": ["Talks"] });
    await visitor.press("Send my feedback", 2);
    await visitor.sees("Thank you for your feedback.");
    expect(await visitor.sent()).toEqual(["POST /api/links/feedback"]);
    const path = `/events/${eventID}/${year}/feedback/attendee/submissions`;
    const { body } = await club.stage.api("GET", path, { as: exec });
    const responses = { "overall-rating": 9, short: "Fine", one: "Yes", several: ["Talks"] };
    expect(body.submissions).toMatchObject([{ responses }]);
    await visitor.open(page);
    await visitor.sees("This is what you said on ");
    const chosen = `[...document.querySelectorAll(":checked, #q-short")].map(({ value }) => value)`;
    expect(await visitor.tab.evaluate(chosen)).toEqual(["9", "Fine", "Yes", "Talks", ""]);
    await club.stage.changeEvent(eventID, { attendeeFeedbackEnabled: false });
    await visitor.open(page);
    await visitor.sees("This form does not take answers now.");
    expect(await visitor.wrong()).toEqual([]);
  });

  test("a ticket that was seen opens without a network, and no cache has what is secret", async () => {
    const { eventID, email, page } = await club.givenPlace();
    const visitor = await club.visitor();
    await visitor.open(page);
    await visitor.sees("Your ticket");
    const ticket = "document.querySelector('.ticket path').getAttribute('d')";
    const seen = await visitor.tab.evaluate<string>(ticket);
    await visitor.tab.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
    await visitor.tab.goOffline(true);
    await visitor.reload();
    await visitor.sees("No connection. This is what we saw last", "Your ticket");
    expect(await visitor.tab.evaluate(ticket)).toBe(seen);
    const kept = await visitor.tab.evaluate<string>(`(async () => {
      const texts = [];
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) texts.push(request.url, await (await cache.match(request)).text());
      }
      return texts.join("\\n");
    })()`);
    const { ticketCode } = await club.stage.registrationOf(eventID, email, email);
    expect(kept).toContain("/registration/");
    for (const secret of [page.split("#")[1] ?? "", ticketCode, email, eventID]) expect(kept).not.toContain(secret);

    await visitor.tab.goOffline(false);
    await club.stage.moveTo(eventID, email, "cancelled");
    await visitor.reload();
    await visitor.sees("Your registration is cancelled");
    expect(await visitor.text()).not.toContain("Your ticket");
    await visitor.press("Remove from this device");
    await visitor.sees("Removed from this device.");
    expect(await visitor.tab.evaluate("Object.keys(localStorage).filter((key) => key.includes('place/'))")).toEqual([]);
  });
});
