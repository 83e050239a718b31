/** A person with a phone on the hosted pages: a tab with data of its own, which notes what must never happen. */
import { afterAll, beforeAll, describe, expect } from "@jest/globals";
import axe from "axe-core";
import type { LinkPurpose } from "#domain/registrations/links/link.ts";
import { patience } from "../patience.ts";
import { newEmail, year } from "../service/given.ts";
import { linkOf } from "../service/link-of.ts";
import { givenStage, type ServiceStage } from "../service/stage.ts";
import { type Chromium, findChromium, press, startChromium, type Tab, until } from "./chromium.ts";

/**
 * Notes the changes that a page asks for, the first bytes of a dialog, refusals of the content policy and errors of scripts,
 * and how far things move on the page. The clock is the device's, which may be wrong.
 */
export const notes = (clockOffset = 0): string => `(() => {
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...parts) { if (parts.length > 0) super(...parts); else super(Real.now() + ${clockOffset}); }
    static now() { return Real.now() + ${clockOffset}; }
  };
  globalThis.sent = [];
  globalThis.wrong = [];
  globalThis.moved = 0;
  for (const name of ["alert", "confirm", "prompt"]) globalThis[name] = () => void wrong.push(name);
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => wrong.push(violatedDirective + " " + blockedURI));
  addEventListener("error", ({ message }) => message && wrong.push(message));
  addEventListener("unhandledrejection", ({ reason }) => wrong.push(String(reason)));
  new PerformanceObserver((list) => {
    // Also shortly after the window got its size, which counts as input.
    for (const { value } of list.getEntries()) moved += value;
  }).observe({ type: "layout-shift", buffered: true });
  const real = fetch;
  globalThis.fetch = (request, init) => {
    const { method = "GET", url = String(request) } = { ...init, ...(request instanceof Request && { method: request.method, url: request.url }) };
    if (method !== "GET") sent.push(method + " " + new URL(url, location).pathname);
    return real(request, init);
  };
})();`;

const quoted = (value: unknown): string => JSON.stringify(value);

/** The application has drawn a page, and waits for nothing. */
const isDrawn = `document.querySelector("footer") && document.querySelector("main#content h1") && !document.querySelector(".loading")`;

/** What is filled into a field: a text, the chosen ones of a group, or whether a box is ticked. */
type Filled = string | boolean | readonly string[];

export class Visitor {
  readonly tab: Tab;
  readonly stage: ServiceStage;

  constructor(stage: ServiceStage, tab: Tab) {
    this.stage = stage;
    this.tab = tab;
  }

  /** Opens a page below the address of the pages, as a link in another program does. */
  async open(path: string): Promise<void> {
    // Another fragment alone would load nothing.
    await this.tab.open("about:blank");
    await this.tab.open(this.stage.outputs.pagesUrl + path);
    await until(this.tab, isDrawn);
  }
  /** Opens the link of the last mail to an address. @param end what its address ends with, such as `/guest` */
  async openMail(email: string, end = ""): Promise<void> {
    await this.stage.settled();
    const secret = this.stage.secretTo(email, end);
    expect({ email, end, secret }).not.toMatchObject({ secret: "" });
    await this.open(`/registration/#${secret}${end}`);
  }
  async reload(): Promise<void> {
    await this.tab.reload();
    await until(this.tab, isDrawn);
  }

  text = (): Promise<string> => this.tab.evaluate<string>("document.body.innerText");
  /** Waits until the page says all of this. */
  async sees(...parts: readonly string[]): Promise<void> {
    for (const part of parts) await until(this.tab, `document.body.innerText.includes(${quoted(part)})`);
  }
  press = (text: string, times = 1): Promise<void> => press(this.tab, text, times);
  /** Follows a link of this application. */
  follow = (text: string): Promise<void> =>
    this.tab.evaluate(`(() => {
      const link = [...document.links].find((one) => one.textContent.trim().startsWith(${quoted(text)}));
      if (!link) throw new Error("no link: " + document.body.innerText);
      link.click();
    })()`);

  /** Fills in the fields whose labels begin so, as a person does: one after the other. */
  fill = (values: Readonly<Record<string, Filled>>): Promise<void> =>
    this.tab.evaluate(`(async () => {
      const drawn = () => new Promise((done) => setTimeout(done, 0));
      for (const [label, value] of Object.entries(${quoted(values)})) {
        const titles = [...document.querySelectorAll("label, legend")];
        const named = [...document.querySelectorAll("[aria-label]")].find((one) => one.ariaLabel === label);
        const title = titles.find((one) => one.textContent.trim().startsWith(label)) ?? (named && { control: named });
        if (!title) throw new Error("no field " + label + ": " + document.body.innerText);
        const boxes = title.control ? [title.control] : [...title.parentElement.querySelectorAll("[type=radio], [type=checkbox]")];
        for (const box of boxes) {
          if (box.type === "radio" || box.type === "checkbox") {
            const isChosen = value === true || (Array.isArray(value) && value.includes(box.value));
            if (box.checked !== isChosen && (isChosen || box.type === "checkbox")) box.click();
          } else {
            const shown = [...(box.options ?? [])].find(({ textContent }) => textContent.startsWith(value));
            box.value = shown?.value ?? value;
            box.dispatchEvent(new Event(box.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
          }
          await drawn();
        }
      }
    })()`);

  /** Waits until an expression of the page is true that may change while nothing on the page does. */
  comes = (expression: string): Promise<void> =>
    this.tab.evaluate(`new Promise((done, failed) => {
      const ends = Date.now() + ${patience};
      const timer = setInterval(() => {
        const isThere = ${expression};
        if (!isThere && Date.now() < ends) return;
        clearInterval(timer);
        if (isThere) done();
        else failed(new Error("never: " + ${quoted(expression)} + "; the focus is on " + document.activeElement.outerHTML.slice(0, 200)));
      }, 20);
    })`);
  /** Waits until the focus is on what has this text, or this id. */
  focuses = (text: string): Promise<void> =>
    this.comes(`[document.activeElement.id, document.activeElement.textContent].includes(${quoted(text)})`);
  /** The changes that this document has asked the service for. */
  sent = (): Promise<string[]> => this.tab.evaluate("sent");
  /** What must never happen, and has. */
  wrong = (): Promise<string[]> => this.tab.evaluate("wrong");
  address = (): Promise<string> => this.tab.evaluate("location.pathname + location.search + location.hash");
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds, and whether something is wider than the window. */
export async function findings(visitor: Visitor): Promise<unknown[]> {
  const violations = await visitor.tab.evaluate<readonly Violation[]>(
    "axe.run({ rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations)",
  );
  const isWide = await visitor.tab.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth");
  return [
    ...violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]),
    ...(isWide ? ["wider than the window"] : []),
  ];
}

interface VisitorOptions {
  /** Milliseconds that the device's clock is ahead. */
  readonly clockOffset?: number;
}

/** What a test of the pages has. Stage and browser start before the first one, and end after the last. */
export class Visited {
  stage!: ServiceStage;
  chromium!: Chromium;

  /** Another person, with a phone of their own. */
  async visitor({ clockOffset = 0 }: VisitorOptions = {}): Promise<Visitor> {
    const tab = await this.chromium.tab(await this.chromium.newContext());
    await tab.resize(360, 740);
    await tab.runFirst(notes(clockOffset) + axe.source);
    return new Visitor(this.stage, tab);
  }
  /** The page of a link to a registration that an executive has made. */
  async givenPlace(event: object = {}, form: object = {}, purpose: LinkPurpose = "registration") {
    const [eventID, email] = [await this.givenEvent(event), newEmail()];
    expect((await this.stage.register(eventID, email, { fname: "Ada", ...form })).status).toBe(201);
    return { eventID, email, page: await this.linkTo(eventID, email, purpose) };
  }
  async linkTo(eventID: string, email: string, purpose: LinkPurpose = "registration"): Promise<string> {
    const secret = await linkOf(this.stage, purpose, { eventID, email, year });
    return `/registration/#${secret}${purpose === "registration" ? "" : `/${purpose}`}`;
  }
  /** An event that everyone may register for, without an account. */
  givenEvent = (fields: object = {}): Promise<string> => this.stage.givenEvent({ ...gala, ...fields });
}

const gala = {
  ename: "Autumn gala",
  startDate: `${year}-01-15T18:00:00.000Z`,
  endDate: `${year}-01-15T20:00:00.000Z`,
  elocation: "Great Hall",
  description: "An evening with founders.\nDoors open at six.",
  guests: "everyone",
};
export const pageOf = (eventID: string): string => `/event/${eventID}/${year}`;

export const question = (questionId: string, type: string, more: object = {}) => ({
  ...{ questionId, label: `${questionId}?`, type, required: true, ...more },
});

/** What the tests of an application in a browser have: started before the first one, and ended after the last. */
interface Started {
  stage: ServiceStage;
  chromium: Chromium;
}

/** Tests in a browser, against a stage with public events. Without a Chromium they are skipped, and say so. */
export function describeInBrowser<T extends Started>(name: string, started: T, tests: (started: T) => void): void {
  const executable = findChromium();
  if (!executable) console.warn(`SKIPPED: ${name}, in a browser. Install Chromium to run these tests.`);
  (executable ? describe : describe.skip)(name, () => {
    beforeAll(async () => {
      started.stage = await givenStage({ publicEvents: true });
      started.chromium = await startChromium(executable as string);
    });
    afterAll(async () => {
      await started.chromium?.close();
      await started.stage?.close();
    });
    tests(started);
  });
}

/** Tests of the pages. */
export const describePages = (name: string, tests: (visited: Visited) => void): void =>
  describeInBrowser(name, new Visited(), tests);
