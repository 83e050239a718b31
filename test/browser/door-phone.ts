/**
 * A phone at the door: the check-in page in a tab with data of its own. Its camera films a canvas on which the test draws
 * QR codes, so that they are really decoded.
 */
import { create } from "qrcode";
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
  /** A name of `newContext`; absent: the browser's own data. */
  readonly context?: string;
}

/** Shifts `Date`, and the monotonic clock by what `skip` adds. */
const clocks = (offset: number): string => `(() => {
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...parts) { if (parts.length > 0) super(...parts); else super(Real.now() + ${offset}); }
    static now() { return Real.now() + ${offset}; }
  };
  const real = performance.now.bind(performance);
  let skipped = 0;
  performance.now = () => real() + skipped;
  globalThis.skip = (milliseconds) => { skipped += milliseconds; };
})();`;

const camera = `(() => {
  const context = document.createElement("canvas").getContext("2d");
  const { canvas } = context;
  canvas.width = canvas.height = 480;
  let code;
  const draw = () => {
    context.fillStyle = "#fff";
    context.fillRect(0, 0, 480, 480);
    if (!code) return;
    context.fillStyle = "#000";
    const size = Math.floor(440 / code.length);
    code.forEach((row, y) => [...row].forEach((dark, x) => dark === "1" && context.fillRect(20 + x * size, 20 + y * size, size, size)));
  };
  globalThis.hold = (rows) => { code = rows; draw(); return Date.now(); };
  navigator.mediaDevices.getUserMedia = async () => {
    const stream = canvas.captureStream();
    draw();
    // A still canvas films nothing.
    setInterval(draw, 100);
    return stream;
  };
})();`;

/** Loses the answers to requests with scans, as many as asked for. */
const lostAnswers = `(() => {
  const real = fetch;
  let left = 0;
  globalThis.loseAnswers = (count) => { left = count; };
  globalThis.fetch = async (address, init) => {
    const answer = await real(address, init);
    if (left === 0 || !String(address).endsWith("/scans")) return answer;
    left -= 1;
    throw new TypeError("Failed to fetch");
  };
})();`;

/** The rows of a QR code: 1 is dark. */
function rowsOf(code: string): string[] {
  const { size, data } = create(code, { errorCorrectionLevel: "M" }).modules;
  return Array.from({ length: size }, (_, y) => Array.from(data.slice(y * size, (y + 1) * size), Number).join(""));
}

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

  static async #tabOf(browser: Chromium, { clockOffset = 0, context }: PhoneOptions): Promise<Tab> {
    const tab = await browser.tab(context);
    await tab.resize(360, 740);
    await tab.runFirst(clocks(clockOffset) + camera + lostAnswers);
    return tab;
  }

  get tab(): Tab {
    return this.#tab;
  }

  /** Waits until an expression of the page is true. @returns its value; looks at each change of the document */
  until<T>(expression: string, within?: number): Promise<T> {
    return until<T>(this.#tab, expression, within);
  }

  /** Opens the page. @param fragment of a link: `#kickoff/2030/secret` */
  async open(fragment = ""): Promise<void> {
    // Another fragment alone would load nothing.
    await this.#tab.open("about:blank");
    await this.#tab.open(this.#options.page + fragment);
    await this.until("document.documentElement.dataset.screen");
  }

  /** Opens a link, presses Join, and waits for the camera and the list. */
  async join(fragment: string, name: string): Promise<void> {
    await this.open(fragment);
    await this.fill("device", name);
    await this.press("Join");
    await this.until("document.documentElement.dataset.camera && document.documentElement.dataset.tickets");
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
  async choose(text: "Let in" | "Let in anyway" | "Turn away" | "Undo"): Promise<void> {
    await this.#tab.evaluate("document.getElementById('said').textContent = ''");
    await this.press(text);
    await this.until("document.getElementById('said').textContent");
  }

  /** Holds a code in front of the camera until the phone shows a verdict. A code that was held before is a new scan. */
  async show(code: string): Promise<ShownVerdict> {
    await this.#scanned(`(skip(4_000), hold(${quoted(rowsOf(code))}))`);
    // Read while the code is held there: afterwards the verdict fades.
    const verdict = await this.verdict();
    await this.#tab.evaluate("hold(undefined)");
    return verdict;
  }

  /** Holds a code in front of the camera, or takes it away, and does not wait. */
  hold(code: string | undefined): Promise<unknown> {
    return this.#tab.evaluate(`hold(${quoted(code === undefined ? undefined : rowsOf(code))})`);
  }

  /** Milliseconds from the moment that a code is in front of the camera until its colour is shown. */
  async measure(code: string): Promise<number> {
    const took = await this.#scanned(`(skip(4_000), hold(${quoted(rowsOf(code))}))`);
    await this.#tab.evaluate("hold(undefined)");
    return took;
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
      const timer = setTimeout(() => failed(new Error("no verdict\\n" + document.body.innerText)), 20_000);
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
