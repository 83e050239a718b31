/** The club's web application in a browser: sign-in, list, registration and check-in, across origins. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { build } from "esbuild";
import { exec, user } from "../service/given.ts";
import { givenStage, type ServiceStage } from "../service/stage.ts";
import { type Chromium, findChromium, startChromium } from "./chromium.ts";
import type { WebAppSettings } from "./web-app.ts";

const executable = findChromium();
if (!executable) console.warn("SKIPPED: the web application in a browser. Install Chromium to run these tests.");

(executable ? describe : describe.skip)("the web application in a browser", () => {
  const year = new Date().getUTCFullYear() + 1;
  const servers: Server[] = [];
  let stage: ServiceStage;
  let chromium: Chromium;
  let allowed: string;
  let other: string;

  /** Serves the page with its script. @returns its origin */
  async function givenOrigin(script: string): Promise<string> {
    const server = createServer(({ url }, response) => {
      if (url === "/app.js") response.setHeader("content-type", "text/javascript").end(script);
      else response.setHeader("content-type", "text/html").end('<script type="module" src="/app.js"></script>');
    });
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL("./web-app.ts", import.meta.url))],
      bundle: true,
      format: "esm",
      platform: "browser",
      write: false,
      logLevel: "error",
    });
    const script = outputFiles[0]?.text ?? "";
    [allowed, other] = [await givenOrigin(script), await givenOrigin(script)];
    stage = await givenStage({ seed: true, allowedOrigins: [allowed] });
    chromium = await startChromium(executable as string);
  }, 60_000);
  afterAll(async () => {
    await chromium?.close();
    await stage?.close();
    for (const server of servers) server.close();
  });

  /** Opens the application. @param origin of its page */
  async function open(origin: string): Promise<void> {
    const { apiUrl, userPoolId, userPoolClientId, identityUrl } = stage.outputs;
    const settings: WebAppSettings = { apiUrl, userPoolId, userPoolClientId, identityUrl };
    await chromium.open(origin);
    await chromium.evaluate(`void (globalThis.club = startWebApp(${JSON.stringify(settings)}))`);
  }
  /** The JSON value of an expression of the page. */
  const said = <T>(expression: string) => chromium.evaluate<T>(`(async () => ${expression})()`);
  const signIn = (email: string) => said(`club.signIn("${email}", "${stage.outputs.accounts[0]?.password}")`);
  const data = <T>(call: string) => said<T>(`club.unwrap(club.api.${call})`);
  const refusal = (call: string) => said(`club.refusal(club.api.${call})`);

  test("a person signs in, reads the list, registers, and is checked in by an admin", async () => {
    await open(allowed);
    expect(await refusal('GET("/users/self")')).toEqual([null, 401]);
    await signIn(user);
    expect(await data('GET("/users/self")')).toMatchObject({ email: user, isMember: false });
    // The cursor of the next page is in a header, which the page may read only because CORS says so.
    expect(await said("club.eventIds()")).toEqual([
      ["gala", "accelerator"],
      ["roundtable", "kickoff"],
    ]);

    const body = JSON.stringify({ eventID: "roundtable", year, email: user });
    expect(await data(`POST("/registrations", { body: ${body} })`)).toMatchObject({ registrationStatus: "registered" });
    expect(await refusal(`POST("/registrations", { body: ${body} })`)).toEqual(["DUPLICATE", 409]);
    expect(await refusal(`POST("/registrations/check-in", { body: ${body} })`)).toEqual(["FORBIDDEN", 403]);
    await said("club.signOut()");

    await signIn(exec);
    const checkedIn = await data(`POST("/registrations/check-in", { body: ${body} })`);
    expect(checkedIn).toMatchObject({ alreadyCheckedIn: false, registration: { registrationStatus: "checkedIn" } });
    await said("club.signOut()");
    expect(await refusal('GET("/users/self")')).toEqual([null, 401]);
  }, 60_000);

  test("a page of an origin that the stage does not allow reads nothing", async () => {
    await open(other);
    expect(await refusal('GET("/events/getActiveEvent")')).toEqual(["NETWORK_ERROR", 0]);
    // Control: the same page of the allowed origin.
    await open(allowed);
    expect(await data('GET("/events/getActiveEvent")')).toMatchObject({ id: "kickoff", year });
  }, 60_000);
});
