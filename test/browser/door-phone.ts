/**
 * A phone at the door: the check-in page in a tab with data of its own. Its camera films a canvas on which the test draws
 * QR codes, so that they are really decoded.
 */
import { create } from "qrcode";
import { patience } from "../patience.ts";
import { type Chromium, press, type Tab, until } from "./chromium.ts";

/** What the phone shows about the last scan. */
export interface ShownVerdict {
  readonly colour: "green" | "amber" | "red" | "";
  readonly text: string;
}

export interface PhoneOptions {
  /** The address of the page, with a slash at its end. */
  readonly page: string;
  /** Milliseconds that the phone's clock is ahead. */
  readonly clockOffset?: number;
  /** Milliseconds that the server has to judge a ticket, instead of the page's own. */
  readonly serverFirst?: number;
  /** A name of `newContext`; absent: the browser's own data. */
  readonly context?: string;
}

const clock = (offset: number): string => `(() => {
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...parts) { if (parts.length > 0) super(...parts); else super(Real.now() + ${offset}); }
    static now() { return Real.now() + ${offset}; }
  };
})();`;

/**
 * A camera that films a canvas. `data-looks` counts how often the page has read its picture. Each look takes as long as
 * the test says, by the clock that never jumps.
 */
const camera = `(() => {
  const context = document.createElement("canvas").getContext("2d");
  const { canvas } = context;
  canvas.width = canvas.height = 480;
  let code;
  let lookTakes = 0;
  let skipped = 0;
  const now = performance.now.bind(performance);
  performance.now = () => now() + skipped;
  const draw = () => {
    context.fillStyle = "#fff";
    context.fillRect(0, 0, 480, 480);
    if (!code) return;
    context.fillStyle = "#000";
    const size = Math.floor(440 / code.length);
    code.forEach((row, y) => [...row].forEach((dark, x) => dark === "1" && context.fillRect(20 + x * size, 20 + y * size, size, size)));
  };
  globalThis.hold = (rows) => { code = rows; draw(); };
  globalThis.slowDown = (milliseconds) => { lookTakes = milliseconds; };
  const { getImageData } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.getImageData = function (...parts) {
    const { dataset } = document.documentElement;
    dataset.looks = Number(dataset.looks ?? 0) + 1;
    // No test has to wait until an empty camera has been empty for long enough.
    skipped += code ? lookTakes : 2_000;
    return getImageData.apply(this, parts);
  };
  navigator.mediaDevices.getUserMedia = async () => {
    const stream = canvas.captureStream();
    draw();
    // A still canvas films nothing.
    setInterval(draw, 100);
    return stream;
  };
})();`;

/** Loses the answers to requests with scans, as many as asked for, and keeps how long the longest one took. */
const requests = `(() => {
  const real = fetch;
  let left = 0;
  globalThis.loseAnswers = (count) => { left = count; };
  const ended = () => {
    const begun = Number(localStorage.getItem("request begun"));
    localStorage.removeItem("request begun");
    const longest = Number(localStorage.getItem("longest request"));
    if (begun > 0) localStorage.setItem("longest request", Math.max(longest, Date.now() - begun));
  };
  globalThis.fetch = async (address, init) => {
    if (!String(address).endsWith("/scans")) return real(address, init);
    localStorage.setItem("request begun", Date.now());
    const answer = await real(address, init).finally(ended);
    if (left === 0) return answer;
    left -= 1;
    throw new TypeError("Failed to fetch");
  };
  // The page that has sent it was killed.
  if (location.protocol !== "about:") ended();
})();`;

/** Keeps how the phone has vibrated last, and lets the server take its time. */
const signals = (serverFirst: number): string => `(() => {
  const real = setTimeout;
  globalThis.setTimeout = (act, delay, ...more) => real(act, delay === 700 ? ${serverFirst} : delay, ...more);
  navigator.vibrate = (pattern) => {
    document.documentElement.dataset.vibrated = pattern.join();
    return true;
  };
})();`;

/** The rows of a QR code: 1 is dark. */
function rowsOf(code: string): string[] {
  const { size, data } = create(code, { errorCorrectionLevel: "M" }).modules;
  return Array.from({ length: size }, (_, y) => Array.from(data.slice(y * size, (y + 1) * size), Number).join(""));
}

/** What the phone says when it has kept what a button does. */
const decisions = {
  "Let in": "Let in",
  "Let in anyway": "Let in anyway",
  "Turn away": "Turned away",
  Undo: "Undone",
} as const;

const quoted = (value: unknown): string => JSON.stringify(value);

/** A phone in the hands of a test. Methods wait until the page shows what they ask for. */
export class Phone {
  readonly #browser: Chromium;
  readonly #options: PhoneOptions;
  #tab: Tab;

  private constructor(browser: Chromium, options: PhoneOptions, tab: Tab) {
    this.#browser = browser;
    this.#options = options;
    this.#tab = tab;
  }

  /** A phone that has not opened the page yet. */
  static async of(browser: Chromium, options: PhoneOptions): Promise<Phone> {
    return new Phone(browser, options, await Phone.#tabOf(browser, options));
  }

  static async #tabOf(browser: Chromium, { clockOffset = 0, context, serverFirst = 700 }: PhoneOptions): Promise<Tab> {
    const tab = await browser.tab(context);
    await tab.resize(360, 740);
    await tab.runFirst(clock(clockOffset) + camera + requests + signals(serverFirst));
    return tab;
  }

  get tab(): Tab {
    return this.#tab;
  }

  /** Waits until an expression of the page is true. @returns its value; looks at each change of the document */
  until<T>(expression: string): Promise<T> {
    return until<T>(this.#tab, expression);
  }

  /** Opens the page. @param fragment of a link: `#kickoff/2030/secret` */
  async open(fragment = ""): Promise<void> {
    // Another fragment alone would load nothing.
    await this.#tab.open("about:blank");
    await this.#tab.open(this.#options.page + fragment);
    await this.until("document.documentElement.dataset.screen");
  }

  /** Opens a link, presses Join, again where no answer comes in time, and waits for the camera and the list. */
  async join(fragment: string, name: string): Promise<void> {
    await this.open(fragment);
    await this.fill("device", name);
    await this.press("Join");
    await this.until(`(() => {
      const { camera, tickets } = document.documentElement.dataset;
      const isUnanswered = document.getElementById("join-problem").textContent.startsWith("There is no answer");
      if (isUnanswered) document.getElementById("join").requestSubmit();
      return camera && tickets;
    })()`);
    await this.readyForOffline();
  }

  /** Waits until the page can be loaded without a network. */
  readyForOffline = (): Promise<unknown> => this.until('document.documentElement.dataset.offline === "ready"');

  async fill(id: string, value: string): Promise<void> {
    await this.#tab.evaluate(`(() => {
      const field = document.getElementById(${quoted(id)});
      field.value = ${quoted(value)};
      field.dispatchEvent(new Event("input", { bubbles: true }));
    })()`);
  }

  /** Presses the visible button whose text begins like this. */
  press(text: string): Promise<void> {
    return press(this.#tab, text);
  }

  /** Presses a button of the verdict, and waits until the phone has kept what it does. */
  async choose(text: keyof typeof decisions): Promise<void> {
    await this.#tab.evaluate("document.getElementById('said').textContent = ''");
    await this.press(text);
    await this.until(`document.getElementById("said").textContent === ${quoted(decisions[text])}`);
  }

  /** Holds a code in front of the camera until the phone shows a verdict, and takes it away. */
  async show(code: string): Promise<ShownVerdict> {
    const verdict = await this.present(code);
    await this.takeAway();
    return verdict;
  }

  /** Holds a code in front of the camera until the phone shows a verdict, and leaves it there. The verdict stays, too. */
  async present(code: string): Promise<ShownVerdict> {
    await this.takeAway();
    await this.#scanned(`hold(${quoted(rowsOf(code))})`);
    return this.verdict();
  }

  /** Takes the code away, and waits until the page has seen that. The same code is a new scan then. */
  async takeAway(): Promise<void> {
    await this.hold(undefined);
    await this.until('document.documentElement.dataset.held !== "true"');
  }

  /** Holds a code in front of the camera, or takes it away, and does not wait. */
  async hold(code: string | undefined): Promise<void> {
    await this.#tab.evaluate(`hold(${quoted(code === undefined ? undefined : rowsOf(code))})`);
  }

  /** Waits until the page has looked at the camera's picture so many times more. */
  async looks(count: number): Promise<void> {
    const looks = "Number(document.documentElement.dataset.looks ?? 0)";
    const before = await this.#tab.evaluate<number>(looks);
    await this.until(`${looks} >= ${before + count}`);
  }

  /** From now on each look at a code takes so many milliseconds by the page's clock. */
  slowDown = (milliseconds: number): Promise<void> => this.#tab.evaluate(`slowDown(${milliseconds})`);

  /** Locks the screen, or unlocks it, as far as the page notices. */
  lock = (isLocked: boolean): Promise<void> =>
    this.#tab.evaluate(`{
      Object.defineProperty(document, "hidden", { configurable: true, value: ${isLocked} });
      document.dispatchEvent(new Event("visibilitychange"));
    }`);

  /** Milliseconds from the moment that a code is in front of the camera until its colour is shown. */
  async measure(code: string): Promise<number> {
    await this.takeAway();
    return this.#scanned(`hold(${quoted(rowsOf(code))})`);
  }

  /** Types a code. */
  async type(code: string): Promise<ShownVerdict> {
    await this.press("Search");
    await this.fill("code", code);
    await this.#scanned('document.getElementById("typed").requestSubmit()');
    return this.verdict();
  }

  /** Lets the page do something that leads to a verdict. @returns milliseconds that it took */
  async #scanned(act: string): Promise<number> {
    await this.press("Scan");
    await this.until('document.documentElement.dataset.camera && document.documentElement.dataset.screen === "scan"');
    return this.#tab.evaluate<number>(`new Promise((done, failed) => {
      const { dataset } = document.documentElement;
      const before = dataset.scans;
      const timer = setTimeout(() => failed(new Error("no verdict\\n" + document.body.innerText)), ${patience});
      const change = new MutationObserver(() => {
        if (dataset.scans === before) return;
        change.disconnect();
        clearTimeout(timer);
        done(Date.now() - start);
      });
      change.observe(document.documentElement, { attributes: true });
      const start = Date.now();
      ${act};
    })`);
  }

  /** What the phone shows now. */
  verdict(): Promise<ShownVerdict> {
    return this.#tab.evaluate(
      '({ colour: document.documentElement.dataset.colour, text: document.getElementById("verdict").innerText })',
    );
  }

  /** The verdict after a question: the server's answer, or buttons. */
  async answer(): Promise<ShownVerdict> {
    await this.until(
      'document.documentElement.dataset.colour !== "amber" || document.querySelector("#verdict button") !== null',
    );
    return this.verdict();
  }

  /** Answers a question by a button, unless the server answers first. @returns the verdict; amber when it was the button */
  async decide(text: "Let in" | "Turn away"): Promise<ShownVerdict> {
    const verdict = await this.until<ShownVerdict>(`(() => {
      const colour = document.documentElement.dataset.colour;
      const shown = { colour, text: document.getElementById("verdict").innerText };
      if (colour !== "amber") return shown;
      const button = [...document.querySelectorAll("#verdict button")].find(({ textContent }) => textContent === ${quoted(text)});
      if (!button) return undefined;
      document.getElementById("said").textContent = "";
      button.click();
      return shown;
    })()`);
    if (verdict.colour === "amber") {
      await this.until(`document.getElementById("said").textContent === ${quoted(decisions[text])}`);
    }
    return verdict;
  }

  /** Milliseconds that a request with scans was under way at most. */
  longestRequest = (): Promise<number> => this.#tab.evaluate("Number(localStorage.getItem('longest request'))");

  /** Scans without a final answer of the server. */
  async unsent(): Promise<number> {
    return Number(await this.#tab.evaluate("document.documentElement.dataset.waiting"));
  }

  /** Waits until the server has everything. */
  allSent = (): Promise<unknown> => this.until('document.documentElement.dataset.waiting === "0"');

  /** Reads the list now, and waits for it. */
  async sync(): Promise<void> {
    await this.#tab.evaluate("document.documentElement.dataset.rounds = '', document.getElementById('status').click()");
    await this.until("document.documentElement.dataset.rounds");
  }

  text(): Promise<string> {
    return this.#tab.evaluate("document.body.innerText");
  }

  goOffline = async (): Promise<void> => {
    await this.#tab.goOffline(true);
    await this.until('document.documentElement.dataset.online === "false"');
  };
  goOnline = (): Promise<void> => this.#tab.goOffline(false);
  /** The server gets the next requests with scans, but the phone does not get the answers. */
  loseAnswers = (count: number): Promise<void> => this.#tab.evaluate(`loseAnswers(${count})`);

  /** Loads the page again, and waits for the camera. */
  async reload(): Promise<void> {
    await this.#tab.reload();
    await this.until("document.documentElement.dataset.screen");
  }

  /** The page ends without notice. */
  kill(): Promise<void> {
    return this.#tab.end();
  }

  /** Opens the page again after `kill`. @param isOffline without a network */
  async restart(isOffline = false): Promise<void> {
    this.#tab = await Phone.#tabOf(this.#browser, this.#options);
    if (isOffline) await this.#tab.goOffline(true);
    await this.open();
  }
}
