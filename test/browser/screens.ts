/** Pictures of the five main pages and of the desk, on a phone and a laptop, into `docs/screens` (`npm run upkeep -- screens`). Needs a Chromium. */
import { mkdir } from "node:fs/promises";
import { startLocalStage } from "../../tools/laptop/stage/index.ts";
import { localAssembly } from "../../tools/laptop/template/made-before.ts";
import { findChromium, startChromium, until } from "./chromium.ts";

const folder = "docs/screens";
/** In CSS pixels. */
const sizes = [
  [360, 780],
  [1_280, 800],
] as const;

const chromium = findChromium();
if (!chromium) throw new Error("Install Chromium to make pictures of the pages.");
process.env.GUESTS = "everyone";
const stage = await startLocalStage({
  ...{ assembly: await localAssembly({ publicEvents: true }), port: 0, memory: true, quiet: true },
});
const browser = await startChromium(chromium);
try {
  const { apiUrl, pagesUrl } = stage.outputs;
  const [year, email] = [new Date().getUTCFullYear() + 1, "ada@student.example"];
  const post = async (path: string, body: object, token?: string): Promise<void> => {
    const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
    const { ok, status } = await fetch(apiUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!ok) throw new Error(`${path} answers ${status}.`);
    await stage.settled();
  };
  /** What the last mail's link ends with. */
  const linked = (end: RegExp): string => {
    const texts = stage.mailbox.list().map(({ body }) => body.text ?? "");
    return texts.map((text) => end.exec(text)?.[0]).findLast((found) => found !== undefined) ?? "";
  };
  const registration = { eventID: "kickoff", year, email, fname: "Ada", dynamicResponses: { workshop: "Pitching" } };
  await post("/registrations", registration, await stage.identity.idToken(email));
  const place = linked(/#L1\.[A-Z2-7]+/);
  await post("/links", { email });
  const pages = {
    events: "/club/",
    event: `/event/kickoff/${year}`,
    place: `/registration/${place}`,
    lost: "/lost/",
    "my-data": `/registration/${linked(/#E1\.[A-Z2-7]+\/export/)}`,
  };
  await mkdir(folder, { recursive: true });
  const shoot = async (name: string): Promise<void> => {
    for (const [width, height] of sizes) {
      await browser.resize(width, height);
      await browser.evaluate("Promise.all([...document.images].map((image) => image.decode()))");
      await browser.screenshot(`${folder}/${name}-${width}.png`, false);
    }
  };
  for (const [name, path] of Object.entries(pages)) {
    await browser.open("about:blank");
    await browser.open(pagesUrl + path);
    await until(
      browser,
      `document.querySelector("footer") && document.querySelector("#content h1 ~ *") && !document.querySelector(".loading")`,
    );
    await shoot(name);
  }
  await browser.open(`${pagesUrl}/desk/`);
  await until(browser, `document.getElementById("password")`);
  await browser.evaluate(`(async () => {
    for (const [id, value] of [["email", "exec@club.example"], ["password", "Club-local-1!"]]) {
      const field = document.getElementById(id);
      field.value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((drawn) => setTimeout(drawn));
    }
    document.querySelector("#content form [type=submit]").click();
  })()`);
  await until(browser, `document.querySelector("#content table")`);
  for (const name of ["people", "evening"]) {
    await browser.open(`${pagesUrl}/desk/event/roundtable/${year}/${name}`);
    await until(browser, `document.querySelector("#content .figures")`);
    await shoot(`desk-${name}`);
  }
} finally {
  await browser.close();
  await stage.close();
}
