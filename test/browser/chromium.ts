/**
 * A headless Chromium that tests control over its debugging pipe. So no npm package has to bring a browser. Chromium is
 * a Debian package. Where it is missing, the tests are skipped with a warning.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

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
  /** Whether the person prefers light or dark pages. */
  prefer(scheme: "light" | "dark"): Promise<void>;
  screenshot(file: string): Promise<void>;
}

export interface Chromium extends Tab {
  close(): Promise<void>;
}

type Fields = Record<string, unknown>;
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Fields;
  readonly error?: { readonly message: string };
}

/** The DevTools protocol over a pipe: JSON messages, each with a null byte at its end. */
class Pipe {
  readonly #toBrowser: Writable;
  readonly #waiting = new Map<number, { done(result: Fields): void; failed(error: Error): void }>();
  readonly #listeners = new Set<(method: string) => void>();
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

  #answer({ id, method, result, error }: Message): void {
    if (method !== undefined) for (const listener of this.#listeners) listener(method);
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

  /** Resolves at the next message of this kind. */
  next(method: string): Promise<void> {
    return new Promise((done) => {
      const listener = (heard: string) => {
        if (heard !== method) return;
        this.#listeners.delete(listener);
        done();
      };
      this.#listeners.add(listener);
    });
  }
}

/** Starts a browser with the window of a phone. The caller must close it. */
export async function startChromium(executable: string): Promise<Chromium> {
  const profile = await mkdtemp(join(tmpdir(), "club-chromium-"));
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
      "--window-size=390,844",
      `--user-data-dir=${profile}`,
      "--remote-debugging-pipe",
    ],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
  );
  const exited = new Promise<void>((done) => browser.once("exit", () => done()));
  const pipe = new Pipe(browser);
  const { targetId } = await pipe.send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await pipe.send("Target.attachToTarget", { targetId, flatten: true });
  const send = (method: string, params?: Fields) => pipe.send(method, params, sessionId as string);
  await send("Page.enable");

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
    const loaded = pipe.next("Page.loadEventFired");
    await act();
    await loaded;
  };

  return {
    evaluate,
    open: (url) => followed(() => send("Page.navigate", { url })),
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
    prefer: async (value) => {
      await send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
    },
    screenshot: async (file) => {
      const { data } = await send("Page.captureScreenshot", { format: "png", captureBeyondViewport: true });
      await writeFile(file, Buffer.from(data as string, "base64"));
    },
    close: async () => {
      browser.kill("SIGKILL");
      await exited;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** With `SHOTS=<folder>` leaves a picture of the page there. */
export async function shoot(tab: Tab, name: string): Promise<void> {
  const { SHOTS } = process.env;
  if (SHOTS === undefined) return;
  await mkdir(SHOTS, { recursive: true });
  await tab.screenshot(join(SHOTS, `${name.replaceAll(/[^\w-]+/g, "-")}.png`));
}
