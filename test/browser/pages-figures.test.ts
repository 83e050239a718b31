/** What the pages cost, and for whom they work: bytes, movement, colours, sizes of windows and letters. */
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { newEmail, year } from "../service/given.ts";
import { exportLinkOf } from "../service/link-of.ts";
import { shoot } from "./chromium.ts";
import { describePages, findings, pageOf, question, type Visitor } from "./visitor.ts";

/** Bytes of the scripts that a first visit may load, compressed. */
const mostScript = 45 * 1_024;

/** The names of the files in `/assets/` that the page has loaded. */
const loaded = `performance.getEntriesByType("resource").flatMap(({ name }) => /\\/assets\\/(.+)$/.exec(name)?.[1] ?? [])`;

/** A few frames later nothing moves any more. */
const moved = (visitor: Visitor): Promise<number> =>
  visitor.tab.evaluate(`new Promise((done) => setTimeout(() => requestAnimationFrame(() => done(moved)), 200))`);

const registrationQuestions = [
  question("why", "TEXT", { charLimit: 100 }),
  question("diet", "SELECT", { choices: ["Vegan", "Other"] }),
  question("topics", "CHECKBOX", { choices: ["Food", "Rust", "other"] }),
  question("workshop", "WORKSHOP_SELECTION", { choices: ["1", "2", "3", "4", "5", "6", "7"] }),
  question("skills", "SKILLS", { required: false }),
];
const dynamicResponses = { why: "Curious", diet: "Vegan", topics: ["Food"], workshop: "1" };
const feedback = {
  attendeeFeedbackEnabled: true,
  attendeeFeedbackQuestions: [
    question("short", "SHORT_TEXT"),
    question("again", "LINEAR_SCALE", { scaleMin: 0, scaleMax: 5, scaleMinLabel: "Never", scaleMaxLabel: "Gladly" }),
  ],
};

describePages("the figures of the pages", (club) => {
  test("the first page loads at most 45 KB of script, and no page moves while it loads", async () => {
    const eventID = await club.givenEvent({ registrationQuestions, capac: 3 });
    const { page } = await club.givenPlace({ registrationQuestions }, { dynamicResponses });
    for (const path of [pageOf(eventID), "/club/", page, "/lost/", "/sign-in/"]) {
      const visitor = await club.visitor();
      // Slow enough that what comes later is drawn later.
      await visitor.tab.slowDown(40, 8_000);
      await visitor.open(path);
      expect([path, await moved(visitor)]).toEqual([path, 0]);
      const scripts = (await visitor.tab.evaluate<string[]>(loaded)).filter((name) => name.endsWith(".js"));
      expect(scripts).toContainEqual(expect.stringMatching(/^main-/));
      if (path !== pageOf(eventID) && path !== "/club/") continue;
      const texts = await Promise.all(scripts.map((name) => readFile(`dist/pages/assets/${name}`)));
      expect(texts.reduce((bytes, text) => bytes + gzipSync(text, { level: 6 }).length, 0)).toBeLessThan(mostScript);
      if (path === "/club/") continue;
      // Control: what moves is measured.
      await visitor.tab.evaluate(`document.querySelector("header").after(document.createElement("p"))`);
      await visitor.tab.evaluate(`void (document.querySelector("header + p").style.height = "200px")`);
      expect(await moved(visitor)).toBeGreaterThan(0);
    }
  });

  test("every page is accessible in light, dark and forced colours, on a narrow phone and with large letters", async () => {
    const open = await club.givenEvent({ registrationQuestions, capac: 3, pricing: { member: 5, nonMember: 10 } });
    const soon = await club.givenEvent({ opensAt: "2029-12-01T18:00:00Z" });
    const over = await club.givenEvent({ startDate: "2020-01-15T18:00:00Z", endDate: "2020-01-15T20:00:00Z" });
    const full = await club.stage.givenEventWith([newEmail()], { guests: "everyone", capac: 1 });
    const waiting = newEmail();
    await club.stage.register(full, waiting, { fname: "Ada" });
    const place = await club.givenPlace({ registrationQuestions }, { dynamicResponses });
    const held = await club.givenPlace({ pricing: { member: 5, nonMember: 10 } });
    const said = await club.givenPlace(feedback, {}, "feedback");
    const priced = { pricing: { member: 5, nonMember: 10 } };
    const company = await club.givenEvent({ ...priced, plusOnes: 2 });
    const deposit = await club.givenEvent({ ...priced, refundAtCheckIn: true });
    const calledOff = await club.givenEvent();
    await club.stage.changeEvent(calledOff, { calledOff: "Too much snow." });
    const bringing = await club.givenPlace({ plusOnes: 2 }, { plusOnes: [{ fname: "Bo" }] });
    const handing = await club.givenPlace({ transfers: 1 });
    const [offering, named, renamed] = [
      await club.givenPlace({ transfers: 1 }),
      newEmail(),
      await club.stage.givenUser(),
    ];
    const offer = { eventID: offering.eventID, year, offer: { email: named, fname: "Bo" } };
    await club.stage.api("POST", `/registrations/${offering.email}/transfer`, { as: offering.email, body: offer });
    await club.stage.api("POST", `/users/${renamed}/new-email`, { as: renamed, body: { email: newEmail() } });
    await club.stage.settled();
    const data = `/registration/#${await exportLinkOf(club.stage, place.email)}/export`;
    const press =
      (text: string, ...sentences: string[]) =>
      async (visitor: Visitor) => {
        await visitor.press(text);
        await visitor.sees(...sentences);
      };
    const pages: readonly (readonly [name: string, path: string, act?: (visitor: Visitor) => Promise<void>])[] = [
      ["events", "/club/"],
      ["event", pageOf(open)],
      ["event-problems", pageOf(open), press("Send me the link", "Please answer this.")],
      ["event-soon", pageOf(soon)],
      ["event-over", pageOf(over)],
      ["event-full", pageOf(full)],
      ["place", place.page],
      ["place-cancel", `${place.page}/cancel`],
      ["place-unpaid", held.page],
      ["place-waiting", await club.linkTo(full, waiting)],
      ["event-company", pageOf(company)],
      ["event-deposit", pageOf(deposit)],
      ["event-called-off", pageOf(calledOff)],
      ["place-company", bringing.page],
      ["place-handing-on", handing.page, press("Name a person", "Their first name")],
      ["place-offered", offering.page],
      ["seat-offered", `/registration/#${club.stage.secretTo(named, "/guest")}/guest`],
      ["new-email", `/registration/#${club.stage.secretTo(renamed, "/new-email")}/new-email`],
      ["places", "/registration/"],
      ["wrong-link", "/registration/#L1.OTHER"],
      ["feedback", said.page],
      ["data", data, press("Show what would happen", "Loses at once")],
      ["lost", "/lost/"],
      ["sign-in", "/sign-in/"],
      ["sign-up", "/sign-in/", press("I have no account", "At least 8 characters")],
      ["my-data", "/my-data/"],
      ["missing", "/event/nowhere/2030"],
    ];
    const visitor = await club.visitor();
    const found: unknown[] = [];
    for (const [name, path, act] of pages) {
      await visitor.tab.resize(320, 700);
      await visitor.open(path);
      await act?.(visitor);
      for (const scheme of ["light", "dark", "forced"] as const) {
        await visitor.tab.prefer(scheme);
        const wrong = await findings(visitor);
        if (wrong.length > 0) found.push([name, scheme, ...wrong]);
        await shoot(visitor.tab, `pages-${name}-${scheme}`);
      }
      await visitor.tab.prefer("light");
      await visitor.tab.evaluate(`void (document.documentElement.style.fontSize = "200%")`);
      await visitor.tab.resize(360, 740);
      const large = await findings(visitor);
      if (large.length > 0) found.push([name, "large letters", ...large]);
      await shoot(visitor.tab, `pages-${name}-large`);
      const refused = await visitor.wrong();
      if (refused.length > 0) found.push([name, refused]);
    }
    expect(found).toEqual([]);
    // Control: axe finds what cannot be read.
    await visitor.tab.evaluate(`void (document.querySelector("h1").style.color = "#eee")`);
    expect(await findings(visitor)).toEqual([["color-contrast", [expect.stringContaining("<h1")]]]);
  });

  test("a person without a mouse registers", async () => {
    const visitor = await club.visitor();
    await visitor.open(pageOf(await club.givenEvent({ registrationQuestions })));
    const reached = [...new Set(await visitor.tab.tabs(40))];
    const order = ["Skip to the content", "/fname", "/basicInformation/lname", "/email", "q-why", "Send me the link"];
    expect(reached.filter((one) => order.includes(one))).toEqual(order);
    // What cannot be seen to have the focus cannot be used.
    expect(await visitor.tab.evaluate("getComputedStyle(document.activeElement).outlineStyle")).not.toBe("none");
  });
});
