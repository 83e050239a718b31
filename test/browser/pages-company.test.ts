/** People who come along, on the pages: what they cost, fewer of them, and another time with others. */
import { expect, test } from "@jest/globals";
import { newEmail, year } from "../service/given.ts";
import { describeDesk, expectNothingWrong } from "./executive.ts";
import { describePages, findings, pageOf } from "./visitor.ts";

describePages("the pages of people who bring others", (club) => {
  test("what each costs is said, the whole sum is paid, and who leaves one out sees the rule before", async () => {
    const pricing = { member: 10, nonMember: 10 };
    const eventID = await club.givenEvent({
      capac: 3,
      plusOnes: 2,
      pricing,
      refundUntil: `${year}-01-10T18:00:00.000Z`,
    });
    const [visitor, email] = [await club.visitor(), newEmail()];
    await visitor.open(pageOf(eventID));
    await visitor.sees("It costs $10.00", "Each of them costs $10.00.");
    await visitor.fill({ "First name": "Ada", "Last name": "L", Email: email });
    const others = { "First name of person 1 who": "Grace", "First name of person 2 who": "Mary" };
    await visitor.fill(others);
    await visitor.press("Send me the link");
    await visitor.sees("Please look into your mailbox");
    await visitor.openMail(email, "/guest");
    await visitor.sees("With you: Grace, Mary. Each of them costs $10.00.");
    await visitor.press("Register");
    await visitor.sees("Pay $30.00 now", "Who comes along", "Grace, Mary");

    await visitor.press("Change who comes along");
    await visitor.sees("goes back by the same rule as when you cancel", "you get the money back if you cancel by");
    expect(await findings(visitor)).toEqual([]);
    await visitor.fill({ Grace: false });
    await visitor.press("Save who comes along");
    await visitor.sees("Pay $20.00 now");
    expect(await club.stage.countsOf(eventID)).toMatchObject({ seatsTaken: 2 });

    await visitor.openMail(email);
    await visitor.press("I can't come");
    await visitor.press("Yes, cancel");
    await visitor.sees("Register again");
    await visitor.press("Register again");
    await visitor.sees("Each of them costs $10.00.");
    await visitor.fill({ "First name of person 1 who": "Joan" });
    await visitor.press("Register again");
    await visitor.sees("Pay $20.00 now", "Joan");
    expect(await visitor.wrong()).toEqual([]);
  });
});

/** Presses a small button, whose name for those who only hear it says whom it is about. */
const button = (name: string) => `document.querySelector('[aria-label="${name}"]').click()`;

describeDesk("the desk, of people who bring others", (desk) => {
  test("one is checked in by name and out again, and another one does not come", async () => {
    const eventID = await desk.stage.givenEvent({ capac: 3, plusOnes: 2 });
    const email = newEmail();
    await desk.stage.register(eventID, email, { fname: "Ada", plusOnes: [{ fname: "Grace" }, { fname: "Mary" }] });
    await desk.stage.indexed();
    const page = `/desk/event/${eventID}/${year}/people/${encodeURIComponent(email)}`;
    const exec = await desk.executive("ada@club.example", page);
    await exec.sees("Comes along", "Grace with Ada", "Mary does not come");
    await exec.tab.evaluate(button("Check in: Grace"));
    await exec.sees("Grace is checked in.", "Came");
    await exec.tab.evaluate(button("Undo: Grace"));
    await exec.sees("The check-in of Grace is undone.");
    await exec.press("Mary does not come");
    await exec.sees("What was paid for it is owed to the person.");
    await exec.press("Give up the seat");
    await exec.comes(`!document.body.innerText.includes("Mary does not come")`);
    expect(await desk.stage.countsOf(eventID)).toMatchObject({ seatsTaken: 2, checkedInCount: 0 });
    await expectNothingWrong(exec);
  });
});
