/** A table of people at the desk: a file, its columns, what would happen, and what did. */
import { expect, test } from "@jest/globals";
import { newEmail, times, year } from "../service/given.ts";
import { until } from "./chromium.ts";
import { describeDesk, type Executive, expectNothingWrong } from "./executive.ts";
import { findings, question } from "./visitor.ts";

const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script>{{alert(3)}}`;

/** Chooses a file, as a person does. */
const choose = (executive: Executive, text: string, name = "people.csv") =>
  executive.tab.evaluate(`{
    const files = new DataTransfer();
    files.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
    const input = document.getElementById("table");
    input.files = files.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }`);

describeDesk("people from a table at the desk", (desk) => {
  test("rows become registrations: asked for columns, said by row, done once, and reported", async () => {
    const why = question("why", "TEXT", { label: `Why? ${hostile}` });
    const eventID = await desk.stage.givenEvent({ capac: 1, registrationQuestions: [why] });
    const [first, second] = [newEmail(), newEmail()];
    const ada = await desk.executive("ada@club.example", `/desk/event/${eventID}/${year}/table`);
    await choose(ada, "PK\u0003\u0004rest", "people.xlsx");
    await ada.sees("This is a workbook (XLSX");
    const rows = [`${first};=1+1 ${hostile};so`, `${second};Bo;so`, `${first};Twice;so`, `${hostile};No;so`];
    await choose(ada, `E-mail;Vorname;${hostile}\n${rows.join("\n")}\n`);
    await ada.sees("4 rows: what is in the columns", "What is in the column");
    await ada.fill({ [hostile]: "answer.why" });
    await ada.press("Look what would happen");
    await ada.sees("Get a seat", "Get a place in line", "Row 2 has the same email.", "is no email");
    expect(await findings(ada)).toEqual([]);
    expect((await ada.sent()).filter((one) => /registrations/.test(one))).toEqual([]);
    // Of the report, which a press saves.
    await ada.tab.evaluate(`{
      globalThis.saved = [];
      const real = URL.createObjectURL;
      URL.createObjectURL = (blob) => (blob.text().then((text) => saved.push(text)), real.call(URL, blob));
    }`);
    await ada.press("Do it for 2 people");
    await ada.confirm("Do it");
    await ada.sees("2 done, 0 left as they were, 2 left out.");
    expect(await desk.stage.statusOf(eventID, second)).toBe("waitlist");
    expect(await desk.stage.registrationOf(eventID, first)).toMatchObject({
      fname: `=1+1 ${hostile}`,
      dynamicResponses: { why: "so" },
    });
    await ada.press("Save each row's outcome (CSV)");
    await ada.comes("saved.length > 0");
    const [report = ""] = await ada.tab.evaluate<string[]>("saved");
    expect(report.split("\r\n").slice(1, 3)).toEqual([
      ...[`"2","${first}","done","Has a seat."`, `"3","${second}","done","Is in line."`],
    ]);
    await desk.stage.indexed();
    await ada.press("Look again");
    await ada.sees("Are left as they are");
    expect(await ada.text()).not.toContain("Do it for");
    await expectNothingWrong(ada);
  });

  test("rows become members until a day", async () => {
    const email = newEmail();
    const ada = await desk.executive("ada@club.example", "/desk/people/table");
    await choose(ada, `Mail,Name,Valid until,Shoes\n${email},Ada Lovelace,03/04/2031,37\n`);
    await ada.press("Use no other columns");
    await ada.sees("What comes first in dates?");
    await ada.fill({ "What comes first in dates?": "day" });
    await ada.press("Look what would happen");
    await ada.sees("Becomes a member until 2031-04-03.");
    await ada.press("Do it for 1 person");
    await ada.confirm("Do it");
    await ada.sees("1 done");
    const { body } = await desk.stage.api("GET", `/members/${email}`, { as: "ada@club.example" });
    expect(body).toMatchObject({ firstName: "Ada", lastName: "Lovelace" });
    expect(Date.parse(body.until)).toBeLessThan(Date.UTC(2031, 3, 5));
    await expectNothingWrong(ada);
  });

  test("five thousand rows are read, looked at and drawn in seconds, and more are not taken", async () => {
    const eventID = await desk.stage.givenEvent({ capac: 4_000 });
    const ada = await desk.executive("ada@club.example", `/desk/event/${eventID}/${year}/table`);
    const table = (many: number) => `Email,Name\n${times(many, (n) => `p${n}@student.example,Ada ${n}\n`).join("")}`;
    await choose(ada, table(5_001));
    await ada.sees("This table has 5,001 rows, and 5,000 are taken at once.");
    const begun = Date.now();
    await choose(ada, table(5_000));
    await ada.sees("5,000 rows: what is in the columns");
    await ada.press("Look what would happen");
    await ada.sees("4,000", "Do it for 5,000 people");
    expect(Date.now() - begun).toBeLessThan(10_000);
    expect(await ada.tab.evaluate(`document.querySelectorAll(".table tbody tr:not(.gap)").length`)).toBeLessThan(80);
    await until(ada.tab, `document.querySelector(".table table").getAttribute("aria-rowcount") === "5001"`);
    await expectNothingWrong(ada);
  });
});
