/** What the desk costs, and for whom it works: bytes, rows, colours, keyboard, a phone. */
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { newEmail, year } from "../service/given.ts";
import { describeDesk } from "./executive.ts";
import { findings } from "./visitor.ts";

/** Bytes of the scripts that the first page loads, compressed. */
const mostScript = 170 * 1_024;
/** The names of the scripts that the page has loaded. */
const loaded = `performance.getEntriesByType("resource").flatMap(({ name }) => /\\/assets\\/(.+\\.js)$/.exec(name)?.[1] ?? [])`;

describeDesk("the figures of the desk", (desk) => {
  test("the first page loads at most 170 KB of script, with the sign-in", async () => {
    const ada = await desk.executive();
    const scripts = await ada.tab.evaluate<string[]>(loaded);
    expect(scripts).toContainEqual(expect.stringMatching(/^desk-/));
    const texts = await Promise.all(scripts.map((name) => readFile(`dist/pages/assets/${name}`)));
    expect(texts.reduce((bytes, text) => bytes + gzipSync(text, { level: 6 }).length, 0)).toBeLessThan(mostScript);
  });

  test("of two thousand people those in sight are drawn, and all are found, sorted and reached", async () => {
    const eventID = await desk.stage.givenEvent();
    const ada = await desk.executive();
    const people = Array.from({ length: 2_000 }, (_, index) => ({
      ...{ id: `p${index}@student.example`, email: `p${index}@student.example`, eventID, year, fname: `P${index}` },
      ...{
        "eventID;year": `${eventID};${year}`,
        registrationStatus: "registered",
        applicationStatus: "",
        points: index,
      },
      ...{
        basicInformation: { fname: `P${index}` },
        dynamicResponses: {},
        isPartner: false,
        createdAt: index,
        updatedAt: index,
      },
    }));
    // The service's part is measured elsewhere.
    await ada.tab.evaluate(`{
      const real = fetch;
      const body = ${JSON.stringify(JSON.stringify({ data: people }))};
      globalThis.fetch = (request, init) => /\\/registrations\\?/.test(request.url ?? request) ? Promise.resolve(new Response(body)) : real(request, init);
    }`);
    await ada.goTo(`/desk/event/${eventID}/${year}/people`);
    await ada.sees("2,000 of 2,000 people");
    const rows = () => ada.tab.evaluate<number>(`document.querySelectorAll(".table tbody tr:not(.gap)").length`);
    expect(await rows()).toBeGreaterThan(10);
    expect(await rows()).toBeLessThan(80);
    expect(
      await ada.tab.evaluate(
        `document.querySelector(".table table").ariaRowCount ?? document.querySelector(".table table").getAttribute("aria-rowcount")`,
      ),
    ).toBe("2001");
    await ada.tab.evaluate(`void document.querySelector(".table").scrollTo(0, 1e9)`);
    await ada.comes(`document.querySelector(".table").innerText.includes("P1999")`);
    expect(await rows()).toBeLessThan(80);
    await ada.press("Points");
    await ada.press("Points");
    await ada.tab.evaluate(`void document.querySelector(".table").scrollTo(0, 0)`);
    await ada.comes(`document.querySelector(".table tbody tr:not(.gap) a").textContent.includes("P1999")`);
    await ada.fill({ "Name or email": "p1234" });
    await ada.sees("1 of 2,000 people");
  });

  test("every page is accessible in light, dark and forced colours, and fits a phone", async () => {
    const eventID = await desk.stage.givenEvent({ isApplicationBased: true, pricing: { member: 5, nonMember: 10 } });
    const email = newEmail();
    await desk.stage.register(eventID, email, { fname: "Eve" });
    const page = `/desk/event/${eventID}/${year}`;
    const ada = await desk.executive();
    const person = encodeURIComponent(email);
    const pages = [
      ...["", "/people", `/people/${person}`, "/applications", "/evening", "/report"].map((part) => page + part),
      ...["/desk/", "/desk/new", "/desk/mails", "/desk/mails/template", "/desk/money", "/desk/money/journal"],
      ...["/desk/people", `/desk/people/${person}`, "/desk/people/audit", "/desk/prizes", "/desk/game"],
    ];
    const found: unknown[] = [];
    for (const address of pages) {
      await ada.tab.resize(360, 740);
      await ada.goTo(address);
      for (const scheme of ["light", "dark", "forced"] as const) {
        await ada.tab.prefer(scheme);
        const wrong = await findings(ada);
        if (wrong.length > 0) found.push([address.replace(eventID, "id"), scheme, ...wrong]);
      }
      await ada.tab.prefer("light");
    }
    expect(found).toEqual([]);
  });

  test("an executive without a mouse publishes a draft", async () => {
    const eventID = await desk.stage.givenEvent({ isPublished: false });
    const ada = await desk.executive("ada@club.example", `/desk/event/${eventID}/${year}`);
    const reached = await ada.tab.tabs(25);
    const order = [
      "Skip to the content",
      "Events",
      "Mails",
      "Money",
      "People",
      "Prizes",
      "Game",
      "Sign out",
      "Event",
      "Evening",
      "Report",
      "Publish now",
      "/ename",
    ];
    expect(reached.filter((one) => order.includes(one))).toEqual(expect.arrayContaining(order));
    expect(await ada.tab.evaluate("getComputedStyle(document.activeElement).outlineStyle")).not.toBe("none");
  });
});
