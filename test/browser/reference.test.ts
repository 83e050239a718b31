/** A stranger's first registration: through the reference page, in a browser. The start page shows its mail. */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { patience } from "../patience.ts";
import { user } from "../service/given.ts";
import { givenStage, type ServiceStage } from "../service/stage.ts";
import { type Chromium, findChromium, startChromium } from "./chromium.ts";

const executable = findChromium();
if (!executable)
  console.warn("SKIPPED: the reference and the start page in a browser. Install Chromium to run these tests.");

/** In CSS pixels: a small phone and a laptop. */
const sizes = [
  [360, 760],
  [1280, 900],
] as const;

(executable ? describe : describe.skip)("the laptop's own pages in a browser", () => {
  let stage: ServiceStage;
  let chromium: Chromium;
  beforeAll(async () => {
    stage = await givenStage({ seed: true });
    chromium = await startChromium(executable as string);
  });
  afterAll(async () => {
    await chromium?.close();
    await stage?.close();
  });

  /** Waits for a value. An element is found by its selector, and by the text that it begins with. */
  async function until<T>(expression: string): Promise<T> {
    for (const deadline = Date.now() + patience; ; await pause(100)) {
      const value = await chromium.evaluate<T>(expression);
      if (value) return value;
      if (Date.now() > deadline) throw new Error(`never: ${expression}\n${await text()}`);
    }
  }
  const text = () => chromium.evaluate<string>("document.body.innerText");
  const press = (selector: string) =>
    until(
      `(() => { const found = document.querySelector(${JSON.stringify(selector)}); found?.click(); return !!found; })()`,
    );
  /** What the policy of the page refused. */
  const countViolations = () =>
    chromium.evaluate(
      `void (globalThis.refused = [], addEventListener("securitypolicyviolation",
        ({ violatedDirective }) => refused.push(violatedDirective)))`,
    );

  test("a registration is made through the reference, and the start page shows its mail", async () => {
    const { apiUrl } = stage.outputs;
    const route = "#operations-Registrations-register";
    await chromium.resize(1280, 900);
    await chromium.open(`${apiUrl}/docs`);
    await countViolations();
    await until(`!!document.querySelector("${route}")`);
    await press(`[data-sign-in="${user}"]`);
    await until(`document.querySelector("#signed-in").textContent === "Requests are sent as ${user}."`);

    await press(`${route} .opblock-summary-control`);
    await press(`${route} .try-out__btn`);
    const form = { eventID: "roundtable", year: new Date().getUTCFullYear() + 1, email: user, fname: "Uli" };
    // As typing does, so that Swagger UI notices.
    await until(`(() => {
      const field = document.querySelector("${route} textarea");
      if (!field) return false;
      const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value");
      set.call(field, ${JSON.stringify(JSON.stringify(form))});
      field.dispatchEvent(new Event("input", { bubbles: true }));
      return true;
    })()`);
    await press(`${route} .execute`);
    const status = `${route} .live-responses-table .response-col_status`;
    expect(await until(`document.querySelectorAll("${status}")[1]?.textContent.trim()`)).toMatch(/^201/);
    expect(await chromium.evaluate("refused")).toEqual([]);
    // Control: the policy would have refused something.
    await chromium.evaluate("void (document.querySelector('.bar').innerHTML = '<p style=\"color: red\">Red</p>')");
    expect(await until("globalThis.refused.length > 0 && refused")).toEqual(["style-src-attr"]);

    await stage.settled();
    await chromium.open(`${apiUrl}/`);
    const mail = await until<string>(`[...document.querySelectorAll("#mails li")]
      .find(({ textContent }) => textContent.includes("${user}"))?.querySelector("a").href`);
    expect(await text()).toContain("You're registered: Founders' Roundtable");
    await chromium.open(mail);
    const frame = "document.querySelector('iframe')";
    expect(await chromium.evaluate(`${frame}.getAttribute("sandbox")`)).toBe("");
    expect(await chromium.evaluate(`${frame}.srcdoc`)).toContain("Hi Uli");
  });

  test("the reference follows day and night, and shows code in summaries", async () => {
    const { apiUrl } = stage.outputs;
    await chromium.open(`${apiUrl}/docs`);
    const summaries = '[...document.querySelectorAll(".opblock-summary-description")]';
    expect(await until(`${summaries}.flatMap((one) => [...one.querySelectorAll("code")]).length`)).toBeGreaterThan(2);
    expect(await chromium.evaluate(`${summaries}.filter(({ textContent }) => textContent.includes("\`")).length`)).toBe(
      0,
    );
    const background = "getComputedStyle(document.documentElement).backgroundColor";
    const day = await chromium.evaluate<string>(background);
    await chromium.prefer("dark");
    expect(await until(`${background} !== ${JSON.stringify(day)} && ${background}`)).toBe("rgb(28, 32, 34)");
    await chromium.prefer("light");
    expect(await until(`${background} === ${JSON.stringify(day)}`)).toBe(true);
  });

  test("no page scrolls sideways", async () => {
    const { apiUrl } = stage.outputs;
    const fitting = async () => {
      const widths: number[] = [];
      for (const [width, height] of sizes) {
        await chromium.resize(width, height);
        if (await chromium.evaluate(`document.documentElement.scrollWidth <= ${width}`)) widths.push(width);
      }
      return widths;
    };
    for (const path of ["/", "/local/mails", "/local/requests", "/docs"]) {
      await chromium.open(apiUrl + path);
      if (path === "/docs") await until("!!document.querySelector('.opblock')");
      expect([path, await fitting()]).toEqual([path, sizes.map(([width]) => width)]);
    }
    const wide = 'Object.assign(document.createElement("p"), { style: "width: 400px", textContent: "wide" })';
    await chromium.evaluate(`document.body.append(${wide})`);
    expect(await fitting()).toEqual([1280]);
  });
});
