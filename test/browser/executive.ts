/** An executive at the desk, with a laptop: a tab with a session of its own. */

import { expect } from "@jest/globals";
import axe from "axe-core";
import type { ServiceStage } from "../service/stage.ts";
import { type Chromium, until } from "./chromium.ts";
import { describeInBrowser, notes, Visitor } from "./visitor.ts";

const password = "Club-local-1!";

/** The desk has drawn a page, and waits for nothing. */
const isDrawn = `document.querySelector("main#content h1") && !document.querySelector("main#content .loading")`;

export class Executive extends Visitor {
  /** Signs in on the page that a link leads to. */
  async enter(path: string, email: string): Promise<void> {
    await this.tab.open("about:blank");
    await this.tab.open(this.stage.outputs.pagesUrl + path);
    await this.signIn(email);
  }
  async signIn(email: string): Promise<void> {
    await until(this.tab, `document.getElementById("password")`);
    await this.fill({ Email: email, Password: password });
    await this.tab.evaluate(`document.querySelector("main#content form [type=submit]").click()`);
    await until(this.tab, `!document.getElementById("password") && ${isDrawn}`);
  }
  /** Follows an address within the application, so that the session stays. */
  async goTo(path: string): Promise<void> {
    await this.tab.evaluate(`{
      const link = document.createElement("a");
      link.href = ${JSON.stringify(path)};
      document.querySelector("header").append(link);
      link.click();
      link.remove();
    }`);
    // A page whose code is on its way has not begun to load yet.
    await this.comes(
      `(globalThis.still = location.pathname === ${JSON.stringify(path.replace(/[?#].*/, ""))} && ${isDrawn} ? (globalThis.still ?? 0) + 1 : 0) > 15`,
    );
    await this.tab.evaluate("void (globalThis.still = 0)");
  }
  /** Presses a button of the open question, which says what will happen. */
  async confirm(text: string): Promise<void> {
    await until(this.tab, `document.querySelector("dialog[open] .buttons")`);
    await this.tab.evaluate(`(() => {
      const button = [...document.querySelectorAll("dialog[open] button")].find((one) => one.textContent.trim().startsWith(${JSON.stringify(text)}));
      if (!button) throw new Error("no button in a question: " + document.body.innerText);
      button.click();
    })()`);
  }
}

/** What a test of the desk has. Stage and browser start before the first one, and end after the last. */
export class Desk {
  stage!: ServiceStage;
  chromium!: Chromium;

  /** A person with an account, who is not signed in yet. */
  async person(email: string): Promise<Executive> {
    await this.stage.identity.ensureUser({ email, password, attributes: {} });
    const tab = await this.chromium.tab(await this.chromium.newContext());
    await tab.resize(1_280, 800);
    await tab.runFirst(notes() + axe.source);
    return new Executive(this.stage, tab);
  }
  /** An executive who is signed in. */
  async executive(email = "ada@club.example", path = "/desk/"): Promise<Executive> {
    const executive = await this.person(email);
    await executive.enter(path, email);
    return executive;
  }
}

/** Tests of the desk. */
export const describeDesk = (name: string, tests: (desk: Desk) => void): void =>
  describeInBrowser(name, new Desk(), tests);

/** Nothing has happened that never must. */
export const expectNothingWrong = async (...executives: readonly Executive[]): Promise<void> => {
  for (const one of executives) expect(await one.wrong()).toEqual([]);
};
