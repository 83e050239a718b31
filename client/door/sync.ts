/** Sends scans to the server and reads the list, and goes offline and online by itself. Times are milliseconds. */
import { call, Refused } from "../page/call.ts";
import { type DoorList, type Result, rowOf, type Scan } from "./verdict.ts";

/** What a phone knows of the event that it has joined. */
export interface Session {
  readonly event: { readonly id: string; readonly year: number; readonly ename: string };
  readonly device: { readonly id: string; readonly name: string };
  readonly token: string;
  readonly isRevoked?: boolean;
  /** Whether the list may no longer be read. */
  readonly isClosed?: boolean;
}

/** What is kept on the phone. */
export interface SyncStore {
  session(): Promise<Session | undefined>;
  /** The nonces of all scans without a final answer, oldest first. */
  waiting(): Promise<string[]>;
  /** Those of these scans that still wait, noted as tried. */
  take(nonces: readonly string[]): Promise<Scan[]>;
  /** Keeps final answers with their scans. */
  acknowledge(results: readonly Result[]): Promise<void>;
  etag(): Promise<string | undefined>;
  /** Keeps a list, unless the phone has joined again meanwhile. */
  saveList(token: string, list: DoorList, etag: string | undefined): Promise<void>;
  /** Deletes the list and all names, unless the phone has joined again meanwhile. */
  end(token: string, how: "isRevoked" | "isClosed"): Promise<void>;
  /** Deletes everything, unless a scan waits. */
  wipe(): Promise<void>;
  /** Deletes everything. */
  forget(): Promise<void>;
}

/** How the phone reaches the server. */
export interface Contact {
  isOnline: boolean;
  /** The last answer, by the phone's clock. */
  at?: number;
  /** What the server refuses, in a sentence. */
  problem?: string | undefined;
}

export interface SyncOptions {
  /** Base address of the API, without a slash at its end. */
  readonly api: string;
  readonly store: SyncStore;
  readonly fetch: typeof globalThis.fetch;
  readonly now?: () => number;
  readonly random?: () => number;
  /** Whether there is a network. Without one, nothing is tried. */
  readonly isConnected?: () => boolean;
  /** A hidden page sends, but does not read. */
  readonly isVisible?: () => boolean;
  /** Called when answers, the list or the contact may have changed. */
  onChange(): void;
}

const mostInBatch = 50;
const pollEvery = 30_000;
const readAtMostEvery = 10_000;
const longestPause = 60_000;

/** The address of an event's door. */
export const doorPath = ({ id, year }: { readonly id: string; readonly year: number | string }): string =>
  `/events/${encodeURIComponent(id)}/${year}/door`;

/** Makes the exchange with the server. `start` begins its rounds. */
export function createSync(options: SyncOptions) {
  const { api, store, fetch, now = Date.now, random = Math.random, onChange } = options;
  const { isConnected = () => true, isVisible = () => true } = options;
  const contact: Contact = { isOnline: false };
  let failures = 0;
  let lastRead = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let isWoken = false;
  let notUnderstood: Refused | undefined;

  async function ask(session: Session, path: string, init: RequestInit): Promise<Response> {
    const headers = { authorization: `Door ${session.token}`, ...init.headers };
    const response = await call(fetch, api + path, { ...init, headers });
    Object.assign(contact, { isOnline: true, at: now() });
    return response;
  }

  async function send(session: Session, nonces: readonly string[]): Promise<void> {
    const scans = await store.take(nonces);
    if (scans.length === 0) return;
    try {
      const body = JSON.stringify({ sentAt: now(), scans: scans.map(rowOf) });
      const headers = { "content-type": "application/json" };
      const response = await ask(session, "/registrations/check-in/scans", { method: "POST", headers, body });
      const { results } = (await response.json()) as { readonly results: readonly Result[] };
      await store.acknowledge(results.filter(({ outcome }) => outcome !== "failed"));
      const failed = results.find(({ outcome }) => outcome === "failed");
      if (failed) throw new Refused(503, { message: `Scans are not stored yet: ${failed.reason}` });
    } catch (problem) {
      if (!(problem instanceof Refused) || (problem.status !== 400 && problem.status !== 413)) throw problem;
      // One row that the server does not understand must not stop the others.
      if (scans.length === 1) notUnderstood = problem;
      const half = Math.ceil(scans.length / 2);
      for (const part of scans.length === 1 ? [] : [nonces.slice(0, half), nonces.slice(half)])
        await send(session, part);
    }
  }

  async function sendAll(session: Session): Promise<void> {
    notUnderstood = undefined;
    const nonces = await store.waiting();
    for (let from = 0; from < nonces.length; from += mostInBatch) {
      await send(session, nonces.slice(from, from + mostInBatch));
    }
    if (notUnderstood) throw notUnderstood;
  }

  async function read(session: Session): Promise<void> {
    if (session.isClosed || !isVisible() || Math.abs(now() - lastRead) < readAtMostEvery) return;
    const etag = await store.etag();
    const headers: Record<string, string> = etag === undefined ? {} : { "if-none-match": etag };
    const response = await ask(session, doorPath(session.event), { headers });
    if (response.status !== 304) {
      const list = (await response.json()) as DoorList;
      if (!Array.isArray(list.tickets)) throw new TypeError("This is no list.");
      await store.saveList(session.token, list, response.headers.get("etag") ?? undefined);
    }
    lastRead = now();
  }

  /** @returns whether the exchange can go on */
  async function noted(problem: unknown, session: Session, isReading: boolean): Promise<boolean> {
    failures += 1;
    if (!(problem instanceof Refused)) {
      contact.isOnline = false;
      return false;
    }
    const { status, code, message } = problem;
    Object.assign(contact, { isOnline: true, at: now(), problem: message });
    if (status === 401) await store.end(session.token, "isRevoked");
    const isOver = (status === 403 && code === "DOOR_CLOSED") || (status === 404 && code === "NOT_FOUND");
    if (isReading && isOver) await store.end(session.token, "isClosed");
    // No scan of this event is accepted any more.
    if (!isReading && code === "DOOR_CLOSED") await store.forget();
    return status !== 401;
  }

  /** Sends all that waits and reads the list. @returns milliseconds until the next round */
  async function round(): Promise<number> {
    const session = await store.session();
    if (!session || session.isRevoked) return pollEvery;
    const before = failures;
    contact.problem = undefined;
    let goesOn = isConnected();
    if (!goesOn) contact.isOnline = false;
    for (const step of [sendAll, read]) {
      if (!goesOn) continue;
      await step(session).catch(async (problem) => {
        goesOn = await noted(problem, session, step === read);
      });
    }
    if (failures === before) failures = 0;
    if ((await store.session())?.isClosed) await store.wipe();
    onChange();
    if (failures === 0) return pollEvery * (0.9 + 0.2 * random());
    return Math.min(longestPause, 1_000 * 2 ** failures) * (0.5 + random() / 2);
  }

  async function run(): Promise<void> {
    let pause = pollEvery;
    while (isWoken) {
      isWoken = false;
      pause = await round().catch((problem) => {
        contact.problem = `This phone cannot read what it keeps: ${problem}`;
        onChange();
        return pollEvery;
      });
    }
    running = undefined;
    timer = setTimeout(begin, pause);
  }
  function begin(): Promise<void> {
    isWoken = true;
    clearTimeout(timer);
    running ??= run();
    return running;
  }

  return {
    contact,
    round,
    /**
     * Begins a round now, or another one after the present one. Rounds follow by themselves from then on.
     * @param isForced also reads the list, and does not wait for a server that refuses
     * @returns resolves when no round is running any more
     */
    wake(isForced = false): Promise<void> {
      if (isForced) lastRead = Number.NEGATIVE_INFINITY;
      return failures > 0 && contact.isOnline && !isForced ? Promise.resolve() : begin();
    },
  };
}
