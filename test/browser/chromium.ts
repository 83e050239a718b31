/**
 * A headless Chromium that tests control over its debugging pipe. So no npm package has to bring a browser. Chromium is
 * a Debian package. Where it is missing, the tests are skipped with a warning.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { patience } from "../patience.ts";

const names = ["chromium", "chromium-browser", "google-chrome"];

/** @returns the path of Chromium; undefined when it is not installed */
export function findChromium(): string | undefined {
  for (const name of names) {
    try {
      return execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    } catch {
      // The shell does not find this name; try the next one.
    }
  }
  return undefined;
}

/** A tab of the browser. Every method waits until the browser has finished it. */
export interface Tab {
  /** Opens an address and waits until it is loaded. */
  open(url: string): Promise<void>;
  /** Evaluates an expression in the page and waits for promises. @throws Error when the expression throws */
  evaluate<T>(expression: string): Promise<T>;
  /** Clicks the first button or link whose text begins like this, and waits until the next page is loaded. */
  click(text: string): Promise<void>;
  /** Gives the page another size, in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  /** Whether the person prefers light or dark pages, or has colours of their own for all pages. */
  prefer(scheme: "light" | "dark" | "forced"): Promise<void>;
  /** Turns the scripts of pages off that are opened from now on. */
  withoutScripts(): Promise<void>;
  /** Slows the network of the page down. @param latency milliseconds @param rate kilobits per second */
  slowDown(latency: number, rate: number): Promise<void>;
  /** @param isWhole the page, and not only what is in the window */
  screenshot(file: string, isWhole?: boolean): Promise<void>;
  /** Runs a script in every page that is opened from now on, before the page's own scripts. */
  runFirst(script: string): Promise<void>;
  /** Takes the network away from the page and its workers, or gives it back. */
  goOffline(isOffline: boolean): Promise<void>;
  /** Presses the tabulator so often. @returns the id, or else the text, of what has the focus after each */
  tabs(times: number): Promise<string[]>;
  /** Loads the page again. */
  reload(): Promise<void>;
  /** Ends the page at once: it runs no more scripts. */
  end(): Promise<void>;
}

export interface Chromium extends Tab {
  /** Another tab, in a window of its own. @param context absent: it shares all data with the first tab */
  tab(context?: string): Promise<Tab>;
  /** A name for tabs that share data with each other only. */
  newContext(): Promise<string>;
  /** Kills the browser. A profile of its own is deleted; one that was given stays. */
  close(): Promise<void>;
}

type Fields = Record<string, unknown>;
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Fields;
  readonly sessionId?: string;
  readonly result?: Fields;
  readonly error?: { readonly message: string };
}

/** The DevTools protocol over a pipe: JSON messages, each with a null byte at its end. */
class Pipe {
  readonly #toBrowser: Writable;
  readonly #waiting = new Map<number, { done(result: Fields): void; failed(error: Error): void }>();
  readonly #listeners = new Set<(message: Message) => void>();
  #lastId = 0;
  #rest = "";

  constructor(browser: ChildProcess) {
    this.#toBrowser = browser.stdio[3] as Writable;
    const fromBrowser = browser.stdio[4] as Readable;
    fromBrowser.setEncoding("utf8").on("data", (text: string) => this.#take(text));
  }

  #take(text: string): void {
    const messages = (this.#rest + text).split("\0");
    this.#rest = messages.pop() ?? "";
    for (const message of messages) this.#answer(JSON.parse(message) as Message);
  }

  #answer(message: Message): void {
    const { id, method, result, error } = message;
    if (method !== undefined) for (const listener of this.#listeners) listener(message);
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id !== undefined) this.#waiting.delete(id);
    if (error) waiting?.failed(new Error(error.message));
    else waiting?.done(result ?? {});
  }

  send(method: string, params: Fields = {}, sessionId?: string): Promise<Fields> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#toBrowser.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((done, failed) => this.#waiting.set(id, { done, failed }));
  }

  /** Calls `act` for each message of this kind from a session. @returns ends that */
  on(method: string, sessionId: string, act: (params: Fields) => void): () => void {
    const listener = (message: Message) => {
      if (message.method === method && message.sessionId === sessionId) act(message.params ?? {});
    };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves at the next message of this kind from a session. */
  next(method: string, sessionId: string): Promise<void> {
    return new Promise((done) => {
      const stop = this.on(method, sessionId, () => {
        stop();
        done();
      });
    });
  }
}

/**
 * Starts a browser with the window of a phone. The caller must close it.
 * @param kept folder of a profile that outlives the browser
 */
export async function startChromium(executable: string, kept?: string): Promise<Chromium> {
  const profile = kept ?? (await mkdtemp(join(tmpdir(), "club-chromium-")));
  const browser = spawn(
    executable,
    [
      "--headless",
      // Tests may run as root, in a container.
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--no-first-run",
      "--disable-background-networking",
      // A tab behind another one works as if it were in front.
      "--disable-renderer-backgrounding",
      "--disable-background-timer-throttling",
      "--disable-backgrounding-occluded-windows",
      "--window-size=390,844",
      `--user-data-dir=${profile}`,
      "--remote-debugging-pipe",
    ],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
  );
  const exited = new Promise<void>((done) => browser.once("exit", () => done()));
  const pipe = new Pipe(browser);
  const tab = async (browserContextId?: string) => {
    const window = browserContextId === undefined ? {} : { browserContextId, newWindow: true };
    const { targetId } = await pipe.send("Target.createTarget", { url: "about:blank", ...window });
    return openTab(pipe, targetId as string);
  };

  return {
    ...(await tab()),
    tab,
    newContext: async () => (await pipe.send("Target.createBrowserContext")).browserContextId as string,
    close: async () => {
      browser.kill("SIGKILL");
      await exited;
      if (kept === undefined) await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const network = (offline: boolean) => ({ offline, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });

async function openTab(pipe: Pipe, targetId: string): Promise<Tab> {
  const { sessionId } = (await pipe.send("Target.attachToTarget", { targetId, flatten: true })) as {
    sessionId: string;
  };
  const send = (method: string, params?: Fields) => pipe.send(method, params, sessionId);
  await send("Page.enable");
  // Every dialog is accepted: it would stop the page and the test that waits for it.
  pipe.on("Page.javascriptDialogOpening", sessionId, () => void send("Page.handleJavaScriptDialog", { accept: true }));

  /** The page and its workers. */
  const parts = new Set([sessionId]);
  let isOffline = false;
  const limit = (part: string) => pipe.send("Network.emulateNetworkConditions", network(isOffline), part);
  pipe.on("Target.attachedToTarget", sessionId, ({ sessionId: worker }) => {
    parts.add(worker as string);
    // It may have ended.
    if (isOffline) limit(worker as string).catch(() => undefined);
  });
  pipe.on("Target.detachedFromTarget", sessionId, ({ sessionId: worker }) => parts.delete(worker as string));

  const evaluate = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = await send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { value: T }).value;
  };
  const followed = async (act: () => Promise<unknown>): Promise<void> => {
    const loaded = pipe.next("Page.loadEventFired", sessionId);
    await act();
    await loaded;
  };

  return {
    evaluate,
    open: (url) => followed(() => send("Page.navigate", { url })),
    reload: () => followed(() => send("Page.reload")),
    click: (text) =>
      followed(() =>
        evaluate(`(() => {
          const found = [...document.querySelectorAll("button, a")].find(({ textContent }) => textContent.trim().startsWith(${JSON.stringify(text)}));
          if (!found) throw new Error("nothing to click: " + document.body.innerText);
          found.click();
        })()`),
      ),
    resize: async (width, height) => {
      await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 600 });
    },
    prefer: async (scheme) => {
      const features = [
        { name: "prefers-color-scheme", value: scheme === "forced" ? "" : scheme },
        { name: "forced-colors", value: scheme === "forced" ? "active" : "none" },
      ];
      await send("Emulation.setEmulatedMedia", { features });
    },
    withoutScripts: async () => {
      await send("Emulation.setScriptExecutionDisabled", { value: true });
    },
    slowDown: async (latency, rate) => {
      await send("Network.enable");
      const throughput = (rate * 1_000) / 8;
      const slow = { offline: false, latency, downloadThroughput: throughput, uploadThroughput: throughput };
      await send("Network.emulateNetworkConditions", slow);
    },
    screenshot: async (file, captureBeyondViewport = true) => {
      const { data } = await send("Page.captureScreenshot", { format: "png", captureBeyondViewport });
      await writeFile(file, Buffer.from(data as string, "base64"));
    },
    runFirst: async (source) => {
      await send("Page.addScriptToEvaluateOnNewDocument", { source });
    },
    goOffline: async (value) => {
      if (!isOffline && value) {
        await send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
      }
      // Without this, Chromium limits the workers only.
      await send("Network.enable");
      isOffline = value;
      await Promise.all([...parts].map(limit));
    },
    tabs: async (times) => {
      const reached: string[] = [];
      for (let left = times; left > 0; left -= 1) {
        for (const type of ["rawKeyDown", "keyUp"]) {
          await send("Input.dispatchKeyEvent", { type, key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 });
        }
        reached.push(await evaluate("document.activeElement.id || document.activeElement.textContent.trim()"));
      }
      return reached;
    },
    end: async () => {
      await pipe.send("Target.closeTarget", { targetId });
    },
  };
}

const quoted = (value: unknown): string => JSON.stringify(value);

/** Waits until an expression of the page is true. @returns its value; looks at each change of the document */
export function until<T>(tab: Tab, expression: string): Promise<T> {
  return tab.evaluate<T>(`new Promise((done, failed) => {
    const change = new MutationObserver(check);
    const timer = setTimeout(() => failed(new Error("never: " + ${quoted(expression)} + "\\n" + document.body.innerText)), ${patience});
    function check() {
      const value = ${expression};
      if (!value) return;
      change.disconnect();
      clearTimeout(timer);
      done(value);
    }
    change.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    check();
  })`);
}

/** Presses the visible button whose text begins like this, as often as asked for, once there is one. */
export async function press(tab: Tab, text: string, times = 1): Promise<void> {
  const found = `[...document.querySelectorAll("button")].find((one) => one.checkVisibility() && one.textContent.trim().startsWith(${quoted(text)}))`;
  // At once: what the page does next may take the button away.
  await until(
    tab,
    `((one) => { for (let left = ${times}; one && left > 0; left -= 1) one.click(); return !!one; })(${found})`,
  );
}

/** With `SHOTS=<folder>` leaves a picture of the page there. */
export async function shoot(tab: Tab, name: string): Promise<void> {
  const { SHOTS } = process.env;
  if (SHOTS === undefined) return;
  await mkdir(SHOTS, { recursive: true });
  await tab.screenshot(join(SHOTS, `${name.replaceAll(/[^\w-]+/g, "-")}.png`));
}
