/** A person pays for a membership on the local payment page, in a browser and by its buttons. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { clubClient, unwrap } from "../../client/index.ts";
import { type Chromium, findChromium, startChromium } from "../browser/chromium.ts";
import { signUpAndIn } from "../service/newcomer.ts";
import { givenStage, type ServiceStage } from "../service/stage.ts";

const executable = findChromium();
if (!executable) console.warn("SKIPPED: the payment page in a browser. Install Chromium to run these tests.");

(executable ? describe : describe.skip)("the payment page in a browser", () => {
  let stage: ServiceStage;
  let chromium: Chromium;
  // Stands for the web application.
  const webApp = createServer((_, response) => response.setHeader("content-type", "text/html").end("<h1>Back</h1>"));
  let webAppUrl = "";
  beforeAll(async () => {
    await new Promise<void>((done) => webApp.listen(0, "127.0.0.1", done));
    webAppUrl = `http://127.0.0.1:${(webApp.address() as AddressInfo).port}`;
    stage = await givenStage({ allowedOrigins: [webAppUrl] });
    chromium = await startChromium(executable as string);
  });
  afterAll(async () => {
    await chromium?.close();
    await stage?.close();
    webApp.close();
  });

  async function openPage(token: string): Promise<string> {
    const urls = { success_url: `${webAppUrl}/welcome`, cancel_url: `${webAppUrl}/join` };
    const body = { paymentType: "Member", firstName: "Ada", lastName: "Lovelace", ...urls } as const;
    const api = clubClient({ baseUrl: stage.outputs.apiUrl, token: () => token });
    const page = await unwrap(api.POST("/payments", { body }));
    await chromium.open(page);
    return page;
  }
  const text = () => chromium.evaluate<string>("document.body.innerText");
  const address = () => chromium.evaluate<string>("location.href");

  test("a person who cancels, comes back and pays is a member", async () => {
    const token = await signUpAndIn(stage, "ada@browser.example");
    const page = await openPage(token);
    expect(await text()).toContain("15.00");
    // The page fits a phone: it does not scroll sideways.
    expect(await chromium.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await chromium.click("Cancel");
    expect(await address()).toBe(`${webAppUrl}/join`);
    expect((await stage.api("GET", "/users/self", { token })).status).toBe(404);

    expect(await openPage(token)).toBe(page);
    await chromium.click("Pay");
    expect(await address()).toBe(`${webAppUrl}/welcome`);
    expect((await stage.api("GET", "/users/self", { token })).body).toMatchObject({ fname: "Ada", isMember: true });
    // The person opens the paid page again, and cannot pay twice.
    await chromium.open(page);
    expect(await chromium.evaluate("[...document.querySelectorAll('button')].map((b) => b.textContent)")).not.toContain(
      "Pay",
    );
  });
});
