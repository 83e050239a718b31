/** Who the desk is for: callers without rights, and sessions that end. */
import { expect, test } from "@jest/globals";
import { newEmail, year } from "../service/given.ts";
import { until } from "./chromium.ts";
import { describeDesk, expectNothingWrong } from "./executive.ts";

/** Notes the status of every answer of the API. */
const notesAnswers = `{
  globalThis.answers = [];
  const real = fetch;
  globalThis.fetch = async (request, init) => {
    const response = await real(request, init);
    const { pathname } = new URL(request.url ?? String(request), location);
    if (pathname.startsWith("/api/")) answers.push(response.status + " " + pathname);
    return response;
  };
}`;

const eventPages = ["", "/people", "/people/ada%40student.example", "/applications", "/evening", "/report"];
const addresses = (eventID: string): string[] => [
  "/desk/",
  "/desk/new",
  ...eventPages.map((page) => `/desk/event/${eventID}/${year}${page}`),
  ...["", "/template/welcome", "/campaign/one"].map((page) => `/desk/mails${page}`),
  ...["", "/journal"].map((page) => `/desk/money${page}`),
  ...["", "/audit", "/ada%40student.example"].map((page) => `/desk/people${page}`),
  "/desk/prizes",
  "/desk/game",
];

describeDesk("the desk's door", (desk) => {
  test("a caller without rights sees nothing at any address, and nothing that is asked answers", async () => {
    const eventID = await desk.stage.givenEvent({ ename: "Secret plans", isPublished: false });
    const email = newEmail();
    const caller = await desk.person(email);
    await caller.tab.runFirst(notesAnswers);
    await caller.enter("/desk/", email);
    for (const address of addresses(eventID)) {
      await caller.tab.open(desk.stage.outputs.pagesUrl + address);
      await caller.sees("This desk is for executives", email, "not an address of the club");
      expect(await caller.text()).not.toContain("Secret plans");
      const answers = await caller.tab.evaluate<string[]>("answers");
      // Its own account is what each person may read.
      const ofOthers = answers.filter((one) => !/ \/api\/users(\/self)?$/.test(one));
      expect(ofOthers).not.toEqual([]);
      for (const answer of ofOthers) expect(answer).toMatch(/^403 /);
    }
    await expectNothingWrong(caller);
  });

  test("without a session nothing is asked at all", async () => {
    const visitor = await desk.person(newEmail());
    await visitor.tab.runFirst(notesAnswers);
    for (const address of addresses("gala")) {
      await visitor.tab.open(desk.stage.outputs.pagesUrl + address);
      await until(visitor.tab, `document.getElementById("password")`);
      expect(await visitor.tab.evaluate("answers")).toEqual([]);
    }
  });

  test("tokens are in the tab alone, and in no address", async () => {
    const executive = await desk.executive();
    const [kept, shared, address] = await executive.tab.evaluate<[string[], string[], string]>(
      "[Object.keys(sessionStorage), Object.keys(localStorage), location.href]",
    );
    expect(kept).toContainEqual(expect.stringMatching(/^CognitoIdentityServiceProvider.*idToken$/));
    expect(shared.filter((key) => /Cognito|account|token/i.test(key))).toEqual([]);
    expect(address).not.toMatch(/[?#]/);
    await executive.tab.click("Sign out");
    await until(executive.tab, `document.getElementById("password")`);
    expect(await executive.tab.evaluate("Object.keys(sessionStorage).filter((key) => /Token/.test(key))")).toEqual([]);
  });
});
