/** An evening at the desk: two executives take an event from a draft to its report. */
import { expect, test } from "@jest/globals";
import { newEmail, year } from "../service/given.ts";
import { describeDesk, type Executive, expectNothingWrong } from "./executive.ts";

const zone = "America/Vancouver";
/** A moment as the fields of a form have it. */
const localOf = (at: number): readonly [date: string, time: string] => {
  const [date = "", time = ""] = new Date(at).toLocaleString("sv-SE", { timeZone: zone }).split(" ");
  return [date, time.slice(0, 5)];
};
const hour = 3_600_000;

/** Fills in a date and a time, whose label says so. */
const at = (label: string, time: number) => {
  const [date, clock] = localOf(time);
  return { [label]: date, [`${label}: time`]: clock };
};

/** Waits for numbers at the top of a page, by their labels. */
const sawFigures = (executive: Executive, wanted: Record<string, string>) =>
  executive.comes(
    `Object.entries(${JSON.stringify(wanted)}).every(([label, value]) => [...document.querySelectorAll(".figures > div")].some((one) => one.children[0].textContent === label && one.children[1].textContent === value))`,
  );

/** Seats and people. The deep run has as many as a large evening. */
const [seats, all] = process.env.ALL_CASES ? [250, 300] : [50, 60];
const inLine = all - seats;

describeDesk("an evening", (desk) => {
  test("from the draft to the report: published, full, in line, at the door, told, asked, and paid back", async () => {
    const { stage } = desk;
    const [ada, bo] = [await desk.executive("ada@club.example"), await desk.executive("bo@club.example")];
    const begins = Date.now() + 2 * hour;

    // A draft, and what a visitor would see of it.
    await ada.follow("New event");
    await ada.sees("It begins as a draft");
    await ada.fill({ Name: "Founders' Night", ...at("Starts", begins), "Seats (optional)": String(seats) });
    await ada.fill({ "The feedback form for attendees takes answers": true });
    expect(await ada.tab.evaluate(`document.getElementById("/id").value`)).toBe("founders-night");
    await ada.press("Create the draft");
    await ada.sees("Only executives see it.");
    const page = await ada.address();
    const [, eventID = "", itsYear = ""] = /^\/desk\/event\/([^/]+)\/(\d+)$/.exec(page) ?? [];
    expect((await stage.fetch(`/events/${eventID}/${itsYear}`)).status).toBe(404);
    await ada.press("Publish now");
    await ada.sees("Everyone will see it");
    await ada.confirm("Publish it");
    await ada.sees("Everyone can see it: in the list");
    expect((await stage.fetch(`/events/${eventID}/${itsYear}`)).status).toBe(200);

    // More people register than there are seats. The last ones wait in line.
    const people = Array.from({ length: all }, (_, index) => `p${String(index).padStart(3, "0")}@student.example`);
    const register = (email: string) =>
      stage.register(eventID, email, { fname: email.slice(0, 4), year: Number(itsYear) });
    for (let first = 0; first < people.length; first += 20) {
      const answers = await Promise.all(people.slice(first, first + 20).map(register));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    }
    await stage.settled();
    await bo.goTo(`${page}/people`);
    await bo.sees(`${all} of ${all} people`);
    await sawFigures(bo, { Registered: String(seats), "In line": String(inLine) });

    // One person cancels by mail to the desk: the next in line has the seat.
    await bo.fill({ "Name or email": "p007" });
    await bo.sees(`1 of ${all} people`);
    await bo.follow("p007");
    await bo.sees("Registered");
    await bo.press("Cancel");
    await bo.sees("A seat goes to the next person in line.");
    await bo.confirm("Cancel");
    await bo.sees("Cancelled");
    await stage.settled();
    await bo.goTo(`${page}/people`);
    await sawFigures(bo, { Registered: String(seats), "In line": String(inLine - 1), Cancelled: "1" });

    // The door: a link for phones, a check-in without a ticket, and an undo.
    await ada.goTo(`${page}/evening`);
    await sawFigures(ada, { Inside: "0", Expected: String(seats), "Wait in line": String(inLine - 1) });
    await ada.press("Make a link for the door");
    await ada.confirm("Make it");
    await ada.sees("Scan it with the camera of each phone");
    await ada.fill({ "Name or email": "p001" });
    await ada.sees("p001@student.example");
    await ada.press("Check in");
    await ada.sees("p001 is checked in.");
    await sawFigures(ada, { Inside: "1" });
    await ada.press("Undo");
    await ada.sees("The check-in of p001 is undone.");
    await sawFigures(ada, { Inside: "0" });
    await ada.press("Check in");
    await sawFigures(ada, { Inside: "1", "Still to come": String(seats - 1) });

    // A mail to those in line, counted before it goes.
    await bo.goTo("/desk/mails/template");
    await bo.sees("Plain text");
    await bo.fill({
      Name: "doors-open",
      Subject: "Doors are open",
      "Text with layout": "<p>Hello {{fname}}</p>",
      "Plain text": "Hello {{fname}}",
    });
    await bo.press("Save the template");
    await bo.sees("doors-open");
    await bo.goTo("/desk/mails");
    await bo.sees("Send a mail");
    await bo.fill({ Template: "doors-open" });
    await bo.sees("Founders' Night 20");
    await bo.fill({ Event: "Founders' Night" });
    await bo.sees(`It goes to ${seats} people`);
    await bo.tab.evaluate(`document.querySelector("[name=status][value=waitlist]").click()`);
    await bo.sees(`It goes to ${inLine - 1} people`);
    await bo.press("Send the mail");
    await bo.confirm("Send it to");
    await bo.sees(`Done: ${inLine - 1} of ${inLine - 1} sent`);
    const mails = stage.mailbox.list().filter(({ subject }) => subject === "Doors are open");
    expect(mails).toHaveLength(inLine - 1);

    // The event has begun: feedback, and the report.
    await ada.goTo(page);
    await ada.fill(at("Starts", Date.now() - hour));
    await ada.press("Save");
    await ada.sees("Saved.");
    const given = { responses: { "overall-rating": 9 } };
    const path = `/events/${eventID}/${itsYear}/feedback/attendee`;
    const answered = await stage.api("POST", path, { as: "p001@student.example", body: given });
    expect(answered.status).toBe(201);
    await ada.goTo(`${page}/report`);
    await ada.sees("1 answer by people who", "on average 9.0");
    await expectNothingWrong(ada, bo);
  }, 600_000);

  test("a code is created, changed and ended, with its link and uses", async () => {
    const { stage } = desk;
    const [ada, id] = [await desk.executive("ada@club.example"), await stage.givenEvent()];
    await ada.goTo(`/desk/event/${id}/${year}/codes`);
    await ada.sees("No codes yet.");
    await ada.press("New code");
    await ada.fill({ "Code (optional)": "SPONSOR", Kind: "discount", Uses: "2", "Price (optional)": "0" });
    await ada.confirm("Create it");
    await ada.sees("Code created.", "discount, free", `/event/${id}/${year}?code=SPONSOR`);
    await stage.register(id, newEmail(), { code: "sponsor" });
    await ada.press("Change");
    await ada.fill({ "Uses (optional)": "3" });
    await ada.confirm("Save");
    await ada.sees("Code updated.");
    await ada.press("End");
    await ada.sees("Who has used it keeps what it promised.");
    await ada.confirm("End it");
    await ada.sees("Code ended.", "ended");
    expect((await stage.api("GET", `/events/${id}/${year}/codes`, { as: "exec@club.example" })).body).toMatchObject([
      { uses: 3, used: 1, endedAt: expect.any(Number) },
    ]);
  });

  test("applications are noted by keys, and sent together", async () => {
    const { stage } = desk;
    const eventID = await stage.givenEvent({ isApplicationBased: true, capac: 5 });
    const people = [newEmail(), newEmail(), newEmail()] as const;
    for (const email of people) await stage.register(eventID, email, { fname: "Eve" });
    await stage.settled();
    const ada = await desk.executive("ada@club.example", `/desk/event/${eventID}/${year}/applications`);
    await ada.sees("1 of 3");
    for (const key of ["a", "r"]) {
      await ada.tab.evaluate(
        `document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "${key}", bubbles: true }))`,
      );
      await ada.sees("noted.");
    }
    const statuses = async (): Promise<string[]> => {
      const { body } = await stage.api("GET", `/registrations?eventID=${eventID}&year=${year}`, {
        as: "ada@club.example",
      });
      return body.data.map((one: { registrationStatus: string }) => one.registrationStatus).sort();
    };
    // Nothing is sent before the executive says so.
    expect(await statuses()).toEqual(["registered", "registered", "registered"]);
    await ada.press("Send decisions (");
    await ada.confirm("Send 2 decisions");
    await ada.sees("2 sent");
    await stage.settled();
    await stage.indexed();
    expect(await statuses()).toEqual(["accepted", "registered", "rejected"]);
    await expectNothingWrong(ada);
  });

  test("cash that was taken at the desk, given back after a cancellation, stands in the journal", async () => {
    const { stage } = desk;
    const eventID = await stage.givenEvent({ ename: "Ball", pricing: { member: 10, nonMember: 10 } });
    const email = newEmail();
    await stage.register(eventID, email, { fname: "Eve" });
    const ada = await desk.executive("ada@club.example", "/desk/money");
    await ada.press("Record cash or a transfer");
    await ada.comes(`document.querySelector("dialog[open]")?.innerText.includes("Ball")`);
    await ada.fill({ For: "Ball", Email: email, Amount: "10.00", How: "In cash" });
    await ada.confirm("Record it");
    await ada.sees("1 payment");
    const as = "ada@club.example";
    const seat = { eventID, year, registrationStatus: "cancelled" };
    expect((await stage.api("PUT", `/registrations/${email}/x`, { as, body: seat })).status).toBe(200);
    await stage.settled();
    await ada.goTo("/desk/people");
    await ada.goTo("/desk/money");
    await ada.sees(email, "Given back by hand");
    await ada.press("Given back by hand");
    await ada.fill({ How: "In cash", Reason: "Cancelled" });
    await ada.confirm("Record");
    await ada.sees("Nothing waits.");
    await ada.goTo("/desk/money/journal");
    await ada.sees("2 movements", email);
    await expectNothingWrong(ada);
  });
});
