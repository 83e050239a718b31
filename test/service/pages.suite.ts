/** The hosted pages over HTTP: an event's document, the API below the pages' address, and what neither shows. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { year } from "./given.ts";
import { type ServiceStage, sharedClosedStage, sharedOpenStage } from "./stage.ts";

let stage: ServiceStage;
let visible: string;
let hidden: string;
const markup = "<script>alert(1)</script>";
beforeAll(async () => {
  stage = await sharedOpenStage();
  visible = `/event/${await stage.givenEvent({ ename: `Gala ${markup}`, description: "An evening." })}/${year}`;
  hidden = `/event/${await stage.givenEvent({ isPublished: false, ename: "Secret gala" })}/${year}`;
});

async function page(path: string, of = stage, method = "GET") {
  const answer = await of.fetch(path, { method });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

test("a visible event's page has its title for previews, its facts, and no markup of its texts", async () => {
  const { status, headers, text } = await page(visible);
  expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
    200,
    "text/html; charset=utf-8",
    "public, max-age=60",
  ]);
  expect(text).toContain('<meta property="og:title" content="Gala &lt;script&gt;alert(1)&lt;/script&gt;">');
  expect(text).toContain("<p>An evening.</p>");
  expect(text).not.toContain(markup);
  expect(await page(visible, stage, "HEAD")).toMatchObject({ status: 200, text: "" });
});

test("a hidden event's page is that of an event that does not exist", async () => {
  const [one, other] = await Promise.all([page(hidden), page("/event/no-such-event/2030")]);
  expect([one.status, one.headers.get("cache-control")]).toEqual([404, "no-cache"]);
  expect(one.text).toBe(other.text);
  expect(one.text).not.toContain("Secret");
});

test("a stage without public events shows none, and asks to sign in", async () => {
  const closed = await sharedClosedStage();
  const { status, text } = await page(`/event/${await closed.givenEvent({ ename: "Members' gala" })}/${year}`, closed);
  expect(status).toBe(200);
  expect(text).not.toContain("Members");
});

(process.env.DEPLOYED_STAGE ? describe.skip : describe)("below the address of the pages", () => {
  test("the API answers without the prefix, with the headers of pages", async () => {
    const answer = await stage.fetch("/api/events");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self';/);
    expect((await stage.fetch("/api/club/")).status).not.toBe(200);
  });

  test.each(["/club/", "/lost/", "/my-data/", "/sign-in/"])("%s is the frame of the application", async (path) => {
    const { status, headers, text } = await page(path);
    expect([status, headers.get("cache-control"), headers.get("x-frame-options")]).toEqual([200, "no-cache", "DENY"]);
    const [asset = ""] = /\/assets\/main-\w+\.js/.exec(text) ?? [];
    expect((await page(asset)).headers.get("cache-control")).toContain("immutable");
  });

  test("only the door may compile WebAssembly, and no path leaves the folders", async () => {
    const policy = async (path: string) => (await page(path)).headers.get("content-security-policy");
    expect(await policy("/door/")).toContain("'wasm-unsafe-eval'");
    expect(await policy("/club/")).not.toContain("unsafe");
    for (const path of ["/assets/..%2fmanifest.json", "/door/..%2f..%2fpackage.json"]) {
      expect((await page(path)).status).not.toBe(200);
    }
  });
});
