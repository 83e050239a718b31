/**
 * What the club's web application does, in a browser and across origins. With `SHOTS=<folder>` it leaves pictures of its
 * steps there, as wide as a phone and a desk.
 */
import type { Server } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { exec, user, year } from "../service/given.ts";
import { givenStage, type ServiceStage } from "../service/stage.ts";
import { type Chromium, findChromium, shoot, startChromium } from "./chromium.ts";
import { serveWebApp, webAppScript } from "./web-app-server.ts";

const executable = findChromium();
if (!executable) console.warn("SKIPPED: the web application in a browser. Install Chromium to run these tests.");

/** In CSS pixels. */
const widths = { phone: 360, desk: 1280 } as const;

(executable ? describe : describe.skip)("the web application in a browser", () => {
  const seededYear = new Date().getUTCFullYear() + 1;
  const servers: Server[] = [];
  let stage: ServiceStage;
  let chromium: Chromium;
  let allowed: string;
  let other: string;

  beforeAll(async () => {
    const script = await webAppScript();
    const serve = async (): Promise<string> => {
      const { origin, server } = await serveWebApp(script, () => stage.outputs);
      servers.push(server);
      return origin;
    };
    [allowed, other] = [await serve(), await serve()];
    stage = await givenStage({ seed: true, allowedOrigins: [allowed], publicEvents: true, publicProfiles: true });
    chromium = await startChromium(executable as string);
    await chromium.resize(widths.phone, 800);
  });
  afterAll(async () => {
    await chromium?.close();
    await stage?.close();
    for (const server of servers) server.close();
  });

  /** The JSON value of an expression of the page. */
  const said = <T>(expression: string) => chromium.evaluate<T>(`(async () => ${expression})()`);
  const data = <T>(call: string) => said<T>(`club.unwrap(club.api.${call})`);
  const refusal = (call: string) => said(`club.refusal(club.api.${call})`);

  let shots = 0;
  /** What the person reads when the page has its answers. With a name the page is pictured. */
  async function seen(name?: string): Promise<string> {
    await chromium.evaluate("globalThis.club?.done");
    const { text, fits } = await chromium.evaluate<{ text: string; fits: boolean }>(
      "({ text: document.body.innerText, fits: document.documentElement.scrollWidth <= innerWidth })",
    );
    expect({ text, fits }).toEqual({ text, fits: true });
    shots += 1;
    if (name !== undefined && process.env.SHOTS !== undefined) {
      for (const [device, width] of Object.entries(widths)) {
        await chromium.resize(width, 800);
        await shoot(chromium, `${String(shots).padStart(2, "0")}-${name}-${device}`);
      }
      await chromium.resize(widths.phone, 800);
    }
    return text;
  }
  const address = () => chromium.evaluate<string>("location.href");
  /** Opens a page. @returns what the person reads there */
  async function open(path: string, name?: string, origin = allowed): Promise<string> {
    await chromium.open(origin + path);
    return seen(name);
  }

  /** Types texts into the fields with these labels. */
  const fill = (values: Readonly<Record<string, string>>) =>
    chromium.evaluate(`(() => {
      for (const [label, value] of Object.entries(${JSON.stringify(values)})) {
        const found = [...document.querySelectorAll("label")].find(({ firstChild }) => firstChild.textContent === label);
        if (!found) throw new Error("no field " + label + ": " + document.body.innerText);
        found.control.value = value;
      }
    })()`);
  /** Presses a button that leads to no other site. @returns what the person reads then */
  async function press(button: string, name?: string): Promise<string> {
    await chromium.evaluate(
      `[...document.querySelectorAll("button")].find(({ textContent }) => textContent === ${JSON.stringify(button)}).click()`,
    );
    return seen(name);
  }
  /** Presses a button that leads to another site. @returns what the person reads there */
  async function follow(button: string, name?: string): Promise<string> {
    await chromium.click(button);
    return seen(name);
  }
  async function signIn(email: string, password = stage.outputs.accounts[0]?.password ?? ""): Promise<void> {
    await open("/login");
    await said("club.signOut()");
    await fill({ Email: email, Password: password });
    expect(await press("Sign in")).toMatch(`${email}: `);
  }

  test("the typed client signs in, reads the list, registers, and an admin checks in", async () => {
    await open("/");
    expect(await refusal('GET("/users/self")')).toEqual([null, 401]);
    await signIn(user);
    expect(await data('GET("/users/self")')).toMatchObject({ email: user, isMember: false });
    // The cursor of the next page is in a header, which the page may read only because CORS says so.
    expect(await said(`club.eventIds(${seededYear})`)).toEqual([
      ["gala", "accelerator"],
      ["roundtable", "kickoff"],
    ]);

    const body = JSON.stringify({ eventID: "roundtable", year: seededYear, email: user });
    expect(await data(`POST("/registrations", { body: ${body} })`)).toMatchObject({ registrationStatus: "registered" });
    expect(await refusal(`POST("/registrations", { body: ${body} })`)).toEqual(["DUPLICATE", 409]);
    expect(await refusal(`POST("/registrations/check-in", { body: ${body} })`)).toEqual(["FORBIDDEN", 403]);

    await signIn(exec);
    const checkedIn = await data(`POST("/registrations/check-in", { body: ${body} })`);
    expect(checkedIn).toMatchObject({ alreadyCheckedIn: false, registration: { registrationStatus: "checkedIn" } });
    await said("club.signOut()");
    expect(await refusal('GET("/users/self")')).toEqual([null, 401]);
  });

  test("a visitor reads the events, signs up with a code, pays, and comes back as a member", async () => {
    const email = "lovelace@student.example";
    await said("club.signOut()");
    const list = await open("/", "events of a visitor");
    expect(list).toContain("You are not signed in.");
    expect(list).toContain("Kickoff Night");
    expect(list).not.toContain("draft");
    // A header that holds no token makes no visitor.
    const statusWith = (headers: object) =>
      said(`(await fetch("${stage.outputs.apiUrl}/events", { headers: ${JSON.stringify(headers)} })).status`);
    expect([await statusWith({}), await statusWith({ authorization: "Bearer undefined" })]).toEqual([200, 401]);

    await open("/signup", "sign up");
    await fill({ Email: email, Password: "Analytical-1" });
    expect(await press("Sign up", "code")).toContain("Enter the code");
    const code = /\d{6}/.exec(stage.mailsTo(email)[0]?.body.text ?? "")?.[0] ?? "";
    await fill({ Code: code === "000000" ? "000001" : "000000" });
    expect(await press("Confirm", "wrong code")).toContain("CodeMismatchException");
    await fill({ Code: code });
    expect(await press("Confirm", "membership form")).toContain(`${email}: no member yet`);

    const names = { "First name": "Ada", "Last name": "Lovelace" };
    const form = { ...names, Faculty: "Science", Year: "2", "Student number": "12345678" };
    await fill(form);
    expect(await follow("Proceed to payment", "payment of a membership")).toContain("15.00");
    const payment = await address();
    expect(payment).toContain(stage.outputs.paymentsUrl);
    // Control: the way back without money makes no member.
    expect(await follow("Cancel and go back", "membership not paid")).toContain(`${email}: no member yet`);
    expect(await address()).toBe(`${allowed}/membership`);
    expect(await stage.storedUser(email)).toBeUndefined();

    await fill(form);
    await follow("Proceed to payment");
    expect(await address()).toBe(payment);
    // The first thing that the page asks for on the way back is the person's record.
    expect(await follow("Pay", "member")).toContain(`${email}: Ada Lovelace, a member`);
    expect(await address()).toBe(`${allowed}/`);
    expect(await stage.storedUser(email)).toMatchObject({ fname: "Ada", lname: "Lovelace", isMember: true });
    const { body: member } = await stage.api("GET", `/members/${email}`, { as: exec });
    expect(member).toMatchObject({ firstName: "Ada", lastName: "Lovelace", topics: ["engines", "numbers"] });
    await chromium.open(payment);
    expect(await seen("membership is paid")).toContain("It cannot be paid again.");

    // Where a stage mails links instead of codes, a broken link ends here. Without its style the page is in serifs.
    await chromium.open(`${stage.outputs.identityUrl}/confirmUser`);
    expect(await seen("page of a link")).toContain("Not confirmed");
    expect(await said("getComputedStyle(document.body).fontFamily")).toContain("sans-serif");

    await open("/");
    await said("club.signOut()");
    const profile = await open(`/profile/${member.profileID}`, "profile of a visitor");
    expect(profile).toMatch(/You are not signed in\.\s+Ada Lovelace/);
    expect(profile).not.toContain("@");
  });

  /** Makes a member with an account. @returns the email */
  async function givenMember(firstName: string, lastName: string): Promise<string> {
    const email = `${lastName.toLowerCase()}@student.example`;
    await stage.identity.ensureUser({ email, password: stage.outputs.accounts[0]?.password ?? "" });
    const { status } = await stage.api("POST", "/members/grant", { as: exec, body: { email, firstName, lastName } });
    expect(status).toBe(200);
    return email;
  }

  test("a page of an origin that the stage does not allow reads nothing and writes nothing", async () => {
    const email = await givenMember("Emmy", "Noether");
    const event = await stage.givenEvent();
    const register = `club.call("POST", "/registrations", ${JSON.stringify({ eventID: event, year, email })})
      .then(({ registrationStatus }) => registrationStatus, (problem) => problem.name)`;
    await open("/");
    await said("club.signOut()");
    const signInHere = `club.signIn("${email}", "${stage.outputs.accounts[0]?.password}")`;

    expect(await open("/", "page of another origin", other)).toContain("TypeError: Failed to fetch");
    expect(await refusal('GET("/events/getActiveEvent")')).toEqual(["NETWORK_ERROR", 0]);
    // The user pool answers every origin.
    expect(await said(signInHere)).toMatchObject({ isSignedIn: true });
    // With a token a browser asks before it sends a GET.
    const sentence = await said('club.api.GET("/users/self").then(({ error }) => error.message)');
    expect(sentence).toContain(`takes no calls from pages of ${other}`);
    const shown = await (await fetch(stage.outputs.apiUrl)).text();
    // The first try and one more.
    const refused = shown
      .split("<li>")
      .filter((item) => item.includes("OPTIONS") && item.includes("/users/self</div>"));
    expect(refused.map((item) => item.includes(`${other} is not in ALLOWED_ORIGINS`))).toEqual([true, true]);
    expect([await said(register), await stage.statusOf(event, email)]).toEqual(["TypeError", undefined]);

    // Control: the same page of the allowed origin.
    await open("/");
    await said("club.signOut()");
    expect(await said(signInHere)).toMatchObject({ isSignedIn: true });
    expect(await data('GET("/events/getActiveEvent")')).toMatchObject({ id: "kickoff", year: seededYear });
    // A payment leads back to the stage's own origins only.
    const pay = (origin: string) =>
      said(`club.call("POST", "/payments", { paymentType: "Event", eventID: "${event}", year: ${year}, success_url: "${origin}/" })
        .catch(({ status }) => status)`);
    expect([await pay(other), await pay(allowed)]).toEqual([400, 404]);
    expect([await said(register), await stage.statusOf(event, email)]).toEqual(["registered", "registered"]);
  });
});
