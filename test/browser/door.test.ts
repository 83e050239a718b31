/** The check-in page in a browser, with a server that stands for the API. With `SHOTS=<folder>` it leaves pictures there. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import axe from "axe-core";
import { patience } from "../patience.ts";
import { type Chromium, findChromium, shoot, startChromium } from "./chromium.ts";
import { Phone } from "./door-phone.ts";
import { startDoorServer } from "./door-server.ts";

const executable = findChromium();
if (!executable) console.warn("SKIPPED: the check-in page in a browser. Install Chromium to run these tests.");

const noCamera =
  'navigator.mediaDevices.getUserMedia = async () => { throw new DOMException("", "NotAllowedError"); };';

/** The scans that say something of their own; a phone also takes back the questions to which it has said "Stop". */
const scansIn = (rows: readonly { readonly undoes?: string }[]) => rows.filter(({ undoes }) => undoes === undefined);

const link = "#kickoff/2030/abc.def/Spring%20Kickoff";

(executable ? describe : describe.skip)("the check-in page", () => {
  let chromium: Chromium;
  const open: (() => unknown)[] = [];
  beforeAll(async () => {
    chromium = await startChromium(executable as string);
  });
  afterAll(async () => {
    for (const close of open) await close();
    await chromium?.close();
  });

  /** An event with its own server, and a phone that has joined. */
  async function givenDoor(clockOffset = 0, serverFirst = patience) {
    const server = await startDoorServer();
    open.push(server.close);
    server.guest("V2.ADA", "Ada L.");
    server.guest("V2.GRACE", "Grace H.", "accepted");
    server.guest("V2.MARY", "Mary S.", "cancelled");
    server.guest("V2.HIDDEN", "Emmy N.", "registered", true);
    const context = await chromium.newContext();
    const phone = await Phone.of(chromium, { page: server.page, context, clockOffset, serverFirst });
    return { server, phone, context };
  }
  async function givenJoined(serverFirst?: number) {
    const door = await givenDoor(0, serverFirst);
    await door.phone.join(link, "door 1");
    return door;
  }

  test("a link joins only when Join is pressed, and leaves the address bar", async () => {
    const { phone } = await givenDoor();
    await phone.open(link);
    expect(await phone.text()).toContain("Spring Kickoff");
    expect(await phone.tab.evaluate("location.hash")).toBe(link);
    await phone.fill("device", "door 1");
    await phone.press("Join");
    await phone.until('document.documentElement.dataset.tickets === "3"');
    expect(await phone.tab.evaluate("location.href")).not.toContain("abc.def");
  });

  test("a link that is broken says so, and the page is there without a network all the same", async () => {
    const { phone } = await givenDoor();
    await phone.open("#kick%E0%A4%A/2030/abc.def");
    await phone.until('document.documentElement.dataset.offline === "ready"');
    expect(await phone.text()).toContain("This link is broken");
  });

  test("no colour stays above an empty camera, and a code that comes back is a new scan", async () => {
    const { server, phone } = await givenJoined();
    expect((await phone.show("V2.ADA")).colour).toBe("green");
    await phone.until('document.documentElement.dataset.colour === ""');
    expect(await phone.text()).toContain("Before: Come in, Ada L.");
    expect((await phone.show("V2.ADA")).colour).toBe("red");
    await phone.allSent();
    expect(scansIn(server.rows)).toHaveLength(2);
  });

  test("green, then red for the same ticket; red for a cancelled one; a question is answered", async () => {
    const { server, phone } = await givenJoined();
    const green = await phone.show("V2.ADA");
    expect(green).toMatchObject({ colour: "green", text: expect.stringMatching(/Come in\s+Ada L\..*Intro to Rust/s) });
    await phone.allSent();
    expect(server.rows).toMatchObject([{ code: "V2.ADA", device: "door 1" }]);

    expect(await phone.show("V2.ADA")).toMatchObject({
      colour: "red",
      text: expect.stringMatching(/Stop.*In since \d\d:\d\d at “door 1”/s),
    });
    expect(await phone.show("V2.MARY")).toMatchObject({ colour: "red", text: expect.stringContaining("Cancelled") });
    await phone.show("V2.HIDDEN");
    expect(await phone.answer()).toMatchObject({ colour: "green", text: expect.stringContaining("Emmy N.") });
    await phone.show("nobody's");
    expect(await phone.answer()).toMatchObject({ colour: "red", text: expect.stringContaining("Not a ticket") });
    await phone.allSent();
    expect(server.rows.map(({ code, admitted, undoes }) => [code, admitted, undoes])).toEqual([
      ["V2.ADA", undefined, undefined],
      ["V2.ADA", undefined, undefined],
      // The second scan is taken back: an undo of the first one must check the person out.
      ["V2.ADA", undefined, server.rows[1]?.nonce],
      ["V2.MARY", undefined, undefined],
      ["V2.HIDDEN", undefined, undefined],
      // This is no ticket's code, so only its mark is sent.
      [undefined, undefined, undefined],
    ]);
  });

  test("a code that stays in view is one scan, and an undone scan is green again", async () => {
    const { server, phone } = await givenJoined();
    await phone.slowDown(600);
    await phone.present("V2.ADA");
    await phone.choose("Undo");
    await phone.looks(5);
    expect((await phone.show("V2.ADA")).colour).toBe("green");
    await phone.allSent();
    const [first, undone] = server.rows;
    expect(undone).toMatchObject({ mark: expect.any(String), undoes: first?.nonce });
    expect(scansIn(server.rows)).toMatchObject([{ code: "V2.ADA" }, { code: "V2.ADA" }]);
  });

  test("on a phone that looks every four seconds a code that stays in view is one scan, and its colour stays", async () => {
    const { server, phone } = await givenJoined();
    await phone.slowDown(4_000);
    await phone.present("V2.ADA");
    await phone.looks(20);
    expect((await phone.verdict()).colour).toBe("green");
    await phone.allSent();
    expect(server.rows).toHaveLength(1);
  });

  test("a locked screen ends a colour, and a code that is in view when it is unlocked is a new scan", async () => {
    const { server, phone } = await givenJoined();
    await phone.present("V2.ADA");
    await phone.lock(true);
    await phone.until('document.documentElement.dataset.colour === ""');
    await phone.lock(false);
    await phone.until('document.documentElement.dataset.scans === "2"');
    expect((await phone.verdict()).colour).toBe("red");
    await phone.allSent();
    expect(scansIn(server.rows)).toHaveLength(2);
  });

  test("offline, scans survive a reload and the end of the browser, and reach the server once", async () => {
    const profile = await mkdtemp(join(tmpdir(), "club-phone-"));
    open.push(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }));
    const server = await startDoorServer();
    open.push(server.close);
    server.guest("V2.ADA", "Ada L.");
    server.guest("V2.GRACE", "Grace H.");
    const options = { page: server.page, serverFirst: patience };

    let browser = await startChromium(executable as string, profile);
    let phone = await Phone.of(browser, options);
    await phone.join(link, "door 1");
    await phone.goOffline();
    expect((await phone.show("V2.ADA")).colour).toBe("green");
    await phone.show("V2.UNKNOWN");
    expect((await phone.answer()).text).toContain("Not on this list");
    await phone.choose("Let in");
    await phone.reload();
    await phone.until('document.documentElement.dataset.waiting === "2"');
    expect((await phone.show("V2.ADA")).colour).toBe("red");
    await browser.close();

    browser = await startChromium(executable as string, profile);
    open.push(browser.close);
    phone = await Phone.of(browser, options);
    await phone.tab.goOffline(true);
    await phone.open();
    await phone.until('document.documentElement.dataset.waiting === "3"');
    expect((await phone.show("V2.GRACE")).colour).toBe("green");
    expect(await phone.unsent()).toBe(4);
    expect(server.rows).toEqual([]);
    await phone.goOnline();
    await phone.allSent();
    expect(server.rows.map(({ code, admitted }) => [code, admitted])).toEqual([
      ["V2.ADA", true],
      ["V2.UNKNOWN", true],
      ["V2.ADA", false],
      ["V2.GRACE", true],
    ]);
    expect(await phone.until("!document.getElementById('look-button').hidden")).toBe(true);
    await phone.press("! 1 to look at");
    expect(await phone.text()).toMatch(/Let in \d\d:\d\d at “door 1”\. The server says: Not a ticket of this event/);
  });

  test("a ticket that another phone let in meanwhile stays to look at until it is dismissed", async () => {
    const { server, phone } = await givenJoined();
    await phone.goOffline();
    server.letIn("V2.ADA", "door 2");
    expect((await phone.show("V2.ADA")).colour).toBe("green");
    await phone.goOnline();
    await phone.until('document.documentElement.dataset.colour === "red"');
    await phone.press("! 1 to look at");
    expect(await phone.text()).toMatch(/Ada L\.\s+Let in twice: \d\d:\d\d at “door 2”, and \d\d:\d\d at “door 1”/);
    await phone.kill();
    await phone.restart(true);
    await phone.press("! 1 to look at");
    await phone.press("Dismiss");
    await phone.until("document.getElementById('look-button').hidden");
  });

  test("Undo after Let in takes back the question, too, whose answer came late", async () => {
    const { server, phone } = await givenJoined();
    await phone.loseAnswers(2);
    await phone.show("V2.HIDDEN");
    await phone.choose("Let in");
    await phone.allSent();
    await phone.choose("Undo");
    await phone.allSent();
    const made = server.rows.filter(({ undoes }) => undoes === undefined).map(({ nonce }) => nonce);
    expect(new Set(made).size).toBe(2);
    expect(new Set(server.rows.flatMap(({ undoes }) => undoes ?? []))).toEqual(new Set(made));
    await phone.show("V2.HIDDEN");
    expect(await phone.answer()).toMatchObject({ colour: "green", text: expect.stringContaining("Emmy N.") });
  });

  test("two tabs of a phone let a ticket in once", async () => {
    const { server, phone, context } = await givenJoined();
    const other = await Phone.of(chromium, { page: server.page, context });
    await other.open();
    await phone.goOffline();
    await other.goOffline();
    const colours = await Promise.all([phone.show("V2.ADA"), other.show("V2.ADA")]);
    expect(colours.map(({ colour }) => colour).sort()).toEqual(["green", "red"]);
    expect(await phone.until('document.documentElement.dataset.waiting === "2"')).toBe(true);
  });

  test("a person is found by name and let in", async () => {
    const { server, phone } = await givenJoined();
    await phone.press("Search");
    await phone.fill("name", "gráce");
    await phone.press("Let in");
    await phone.until('document.documentElement.dataset.colour === "green"');
    await phone.allSent();
    expect(server.rows).toMatchObject([{ mark: expect.stringMatching(/^[\w-]{16}$/) }]);
    expect(server.rows[0]?.code).toBeUndefined();
    await phone.press("Inside");
    expect(await phone.text()).toMatch(/Inside 1 of 2\s+Grace H\./);
  });

  test("a person who says the last name is found by the service; without it the phone says what it does not have", async () => {
    const { server, phone } = await givenJoined();
    server.lastNames.set("V2.ADA", "Lovelace");
    await phone.press("Search");
    const says = (sentence: string) =>
      phone.until(`document.getElementById("found-count").textContent.includes(${JSON.stringify(sentence)})`);
    await phone.fill("name", "love");
    await says("1 found.");
    expect(await phone.text()).toMatch(/Ada L\.\s+a…@student\.example · /);
    await phone.fill("name", "turing");
    await says("Not found: no first name, last name or email");
    server.refusals.set("GET search", { status: 429, code: "TOO_OFTEN" });
    await phone.fill("name", "hopper");
    await says("Refused by the test. 1 found by first name or initial. Last names are not on this phone.");
    await phone.goOffline();
    await phone.fill("name", "turing");
    await says("None found by first name or initial. Last names are not on this phone.");
    await phone.fill("name", "lovelace");
    await phone.press("Let in");
    await phone.until('document.documentElement.dataset.colour === "green"');
  });

  test("two phones that are online let a ticket in once, although the second has not heard of it", async () => {
    const { server, phone } = await givenJoined();
    const other = await Phone.of(chromium, {
      page: server.page,
      context: await chromium.newContext(),
      serverFirst: patience,
    });
    await other.join(link, "door 2");
    const colours = await Promise.all([phone.show("V2.ADA"), other.show("V2.ADA")]);
    expect(colours.map(({ colour }) => colour).sort()).toEqual(["green", "red"]);
  });

  test("without an answer a phone decides in time, and a green that is refuted turns into Stop on every screen", async () => {
    const { server, phone } = await givenJoined(700);
    const answer = server.hold();
    server.letIn("V2.ADA", "door 2");
    expect((await phone.present("V2.ADA")).colour).toBe("green");
    await phone.press("Inside");
    await phone.tab.evaluate("document.documentElement.dataset.vibrated = ''");
    answer();
    await phone.until('document.documentElement.dataset.colour === "red"');
    expect(await phone.text()).toMatch(/Stop\s+Ada L\.\s+In since \d\d:\d\d at “door 2”/);
    expect(await phone.tab.evaluate("document.documentElement.dataset.vibrated")).toBe("300,100,300");
    await phone.allSent();
  });

  test("an executive's undo is on the phone after its next look, and turns its green into Stop", async () => {
    const { server, phone } = await givenJoined();
    await phone.show("V2.ADA");
    await phone.press("Inside");
    const inside = (count: number) =>
      phone.until(`document.getElementById("inside-short").textContent === "${count} of 2"`);
    await inside(1);
    // The list has shown the check-in.
    const shown = server.reads();
    await phone.sync();
    expect(server.reads()).toBeGreaterThan(shown);
    server.undo("V2.ADA");
    const before = server.reads();
    await inside(0);
    // The page looks every 1.5 seconds.
    expect(server.reads() - before).toBeLessThanOrEqual(2);
    await phone.until('document.documentElement.dataset.colour === "red"');
    expect(await phone.text()).toContain("The check-in was undone");
  });

  test("a revoked phone keeps its scans, and a new link sends them", async () => {
    const { server, phone } = await givenJoined();
    server.refusals.set("POST scans", { status: 401 });
    await phone.show("V2.ADA");
    await phone.until('document.documentElement.dataset.screen === "message"');
    expect(await phone.text()).toMatch(/This phone was revoked\s+Still to send: 1 scan/);
    expect(await phone.tab.evaluate("dispatchEvent(new Event('beforeunload', { cancelable: true }))")).toBe(false);
    server.refusals.clear();
    await phone.join(link, "door 3");
    await phone.allSent();
    expect(server.rows).toMatchObject([{ code: "V2.ADA", device: "door 1" }]);
  });

  test("after the event the list goes at once, and all else when every scan is sent", async () => {
    const { server, phone } = await givenJoined();
    server.refusals.set("GET door", { status: 403, code: "DOOR_CLOSED" });
    server.refusals.set("POST scans", { status: 503 });
    await phone.show("V2.ADA");
    await phone.sync();
    await phone.until('document.documentElement.dataset.screen === "message"');
    expect(await phone.text()).toMatch(
      /This event is over\s+The list is deleted from this phone\. Still to send: 2 scans/,
    );
    server.refusals.delete("POST scans");
    await phone.sync();
    await phone.until('document.body.innerText.includes("keeps nothing")');
    // The question, and what the phone has decided when the server did not answer it.
    expect(server.rows).toMatchObject([{ code: "V2.ADA" }, { code: "V2.ADA", admitted: true }]);
    await phone.reload();
    expect(await phone.text()).toContain("No event");
  });

  test("without a camera the page says how to allow it; a typed code has the time of the phone's clock", async () => {
    const { server, phone } = await givenDoor(-3_600_000);
    await phone.tab.runFirst(noCamera);
    await phone.join(link, "door 1");
    expect(await phone.text()).toContain("The camera is not allowed. Allow it");
    const from = Date.now() - 3_600_000;
    expect((await phone.type("V2.ADA")).colour).toBe("green");
    const until = Date.now() - 3_600_000;
    await phone.allSent();
    const { scannedAt } = server.rows[0] ?? {};
    expect(scannedAt).toBeGreaterThanOrEqual(from);
    expect(scannedAt).toBeLessThanOrEqual(until);
  });

  test("a camera that another app takes is started again, by itself or by hand", async () => {
    const { phone } = await givenJoined();
    const lose = () =>
      phone.tab.evaluate(`{
        const [track] = document.querySelector("video").srcObject.getTracks();
        track.stop();
        track.dispatchEvent(new Event("ended"));
      }`);
    await lose();
    expect((await phone.show("V2.ADA")).colour).toBe("green");
    await phone.tab.evaluate(`{
      const real = navigator.mediaDevices.getUserMedia;
      navigator.mediaDevices.getUserMedia = async () => {
        navigator.mediaDevices.getUserMedia = real;
        throw new DOMException("", "NotReadableError");
      };
    }`);
    await lose();
    await phone.until('document.body.innerText.includes("This phone gives no camera")');
    await shoot(phone.tab, "camera-lost");
    await phone.press("Try again");
    expect((await phone.show("V2.MARY")).colour).toBe("red");
    expect(await phone.text()).not.toContain("This phone gives no camera");
  });

  test("every screen is accessible in the light and in the dark, and 360 pixels are wide enough", async () => {
    const { server, phone } = await givenDoor();
    const found: unknown[] = [];
    const look = async (name: string) => {
      for (const scheme of ["light", "dark"] as const) {
        await phone.tab.prefer(scheme);
        await shoot(phone.tab, `${name}-${scheme}`);
        const violations = await phone.tab.evaluate<readonly { id: string; nodes: readonly { html: string }[] }[]>(
          "axe.run({ rules: { 'color-contrast-enhanced': { enabled: true } } }).then(({ violations }) => violations)",
        );
        found.push(...violations.map(({ id, nodes }) => [name, scheme, id, nodes.map(({ html }) => html)]));
      }
      expect(await phone.tab.evaluate("document.documentElement.scrollWidth")).toBe(360);
    };
    await phone.tab.runFirst(axe.source);
    await phone.open(link);
    await look("join");
    await phone.join(link, "door 1");
    await look("ready");
    await phone.present("V2.ADA");
    await look("green");
    server.letIn("V2.GRACE", "door 2");
    await phone.sync();
    await phone.present("V2.GRACE");
    await look("red");
    await phone.goOffline();
    await phone.show("V2.UNKNOWN");
    await look("amber");
    await phone.press("Let in");
    await look("let-in");
    await phone.goOnline();
    await phone.press("! 1 to look at");
    await look("look");
    await phone.press("Search");
    await phone.fill("name", "a");
    await look("search");
    await phone.press("Inside");
    await look("inside");
    await phone.press("More");
    await look("more");
    await phone.tab.runFirst(noCamera);
    await phone.reload();
    await look("no-camera");
    expect(found).toEqual([]);
  });

  test("a new version is taken over by the next load, and by no other", async () => {
    const { server, phone } = await givenJoined();
    const title = () => phone.tab.evaluate<string>("document.title");
    const [html, worker] = await Promise.all(
      ["index.html", "service-worker.js"].map((name) => readFile(join("dist/door", name), "utf8")),
    );
    server.files.set("index.html", (html as string).replace("<title>Door", "<title>Next door"));
    server.files.set("service-worker.js", (worker as string).replace(/door-\$\{"\w+"\}|"door-\w+"/, '"door-next"'));
    await phone.reload();
    await phone.tab.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update())");
    await phone.tab.evaluate(`new Promise((done) => {
      const look = () => navigator.serviceWorker.getRegistration().then(({ waiting }) => (waiting ? done() : setTimeout(look, 50)));
      look();
    })`);
    expect(await title()).toBe("Door");
    await phone.tab.reload();
    for (const deadline = Date.now() + patience; (await title().catch(() => "")) !== "Next door"; ) {
      expect(Date.now()).toBeLessThan(deadline);
    }
    await phone.until('document.documentElement.dataset.tickets === "3"');
  });
});
