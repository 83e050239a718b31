/** Sends scans to the server and reads the list, and goes offline and online by itself. Times are milliseconds. */
import { call, Refused } from "../shared/call.ts";
import type { FoundPeople } from "./search.ts";
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
  /** Keeps changed tickets with the list. @returns false when the whole list is needed */
  saveChanges(token: string, changes: DoorList): Promise<boolean>;
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
/**
 * A visible page asks for changes so often, so that an executive's undo is on it within two seconds. An evening of four hours
 * is 9,600 requests of a phone, nearly all of which are a 304 of 200 bytes: with the reads of an event of 300, 25 units each,
 * that is 0.05 USD.
 */
const pollEvery = 1_500;
const hiddenPollEvery = 30_000;
const changesAtMostEvery = 1_000;
/** The service answers the changes of the last two minutes. */
const wholeListEvery = 30_000;
const longestPause = 60_000;
const changesWithin = 10_000;
const overtaken = "A scan goes first.";

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
  let lastWhole = Number.NEGATIVE_INFINITY;
  let changesTag: string | undefined;
  /** Ends the reading of changes, which must not delay a scan. */
  let reading: AbortController | undefined;
  /** Wait for the next sending. */
  const waiting: (() => void)[] = [];
  let isChanged = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let isWoken = false;
  let notUnderstood: Refused | undefined;

  async function ask(session: Session, path: string, init: RequestInit): Promise<Response> {
    const headers = { authorization: `Door ${session.token}`, ...init.headers };
    const response = await call(fetch, api + path, { ...init, headers });
    hear({ isOnline: true });
    return response;
  }

  /** Notes an answer of the server, which the page shows by the minute. */
  function hear(news: Partial<Contact>): void {
    const at = now();
    isChanged ||= !contact.isOnline || Math.abs(at - (contact.at ?? 0)) > wholeListEvery;
    Object.assign(contact, news, { at: isChanged ? at : contact.at });
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
      isChanged = true;
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

  async function readWhole(session: Session): Promise<void> {
    const etag = await store.etag();
    const headers: Record<string, string> = etag === undefined ? {} : { "if-none-match": etag };
    const response = await ask(session, doorPath(session.event), { headers });
    if (response.status !== 304) {
      const list = await listIn(response);
      await store.saveList(session.token, list, response.headers.get("etag") ?? undefined);
      isChanged = true;
    }
    lastWhole = now();
  }

  async function listIn(response: Response): Promise<DoorList> {
    const list = (await response.json()) as DoorList;
    if (!Array.isArray(list.tickets)) throw new TypeError("This is no list.");
    return list;
  }

  async function readChanges(session: Session): Promise<void> {
    const ending = new AbortController();
    reading = ending;
    const timeout = setTimeout(() => ending.abort(), changesWithin);
    const headers: Record<string, string> = changesTag === undefined ? {} : { "if-none-match": changesTag };
    try {
      const path = `${doorPath(session.event)}?recent=true`;
      const response = await ask(session, path, { headers, signal: ending.signal });
      if (response.status === 304) return;
      const isKept = await store.saveChanges(session.token, await listIn(response));
      isChanged = true;
      changesTag = response.headers.get("etag") ?? undefined;
      if (!isKept) await readWhole(session);
    } catch (problem) {
      if (ending.signal.reason !== overtaken) throw problem;
    } finally {
      clearTimeout(timeout);
      reading = undefined;
    }
  }

  const isPast = (at: number, pause: number): boolean => Math.abs(now() - at) >= pause;

  async function read(session: Session): Promise<void> {
    if (session.isClosed || !isVisible()) return;
    const isWhole = isPast(lastWhole, wholeListEvery);
    if (!isWhole && !isPast(lastRead, changesAtMostEvery)) return;
    await (isWhole ? readWhole : readChanges)(session);
    lastRead = now();
  }

  /** @returns whether the exchange can go on */
  async function noted(problem: unknown, session: Session, isReading: boolean): Promise<boolean> {
    failures += 1;
    isChanged = true;
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
    const heard = waiting.splice(0);
    const tell = () => {
      for (const done of heard.splice(0)) done();
    };
    if (!session || session.isRevoked) {
      tell();
      return hiddenPollEvery;
    }
    const before = failures;
    isChanged ||= contact.problem !== undefined;
    contact.problem = undefined;
    let goesOn = isConnected();
    if (!goesOn) {
      isChanged ||= contact.isOnline;
      contact.isOnline = false;
    }
    for (const step of [sendAll, read]) {
      if (goesOn) {
        await step(session).catch(async (problem) => {
          goesOn = await noted(problem, session, step === read);
        });
      }
      // Reading is no part of an answer.
      tell();
    }
    if (failures === before) failures = 0;
    if ((await store.session())?.isClosed) await store.wipe();
    if (isChanged) onChange();
    isChanged = false;
    if (failures === 0) return (isVisible() ? pollEvery : hiddenPollEvery) * (0.9 + 0.2 * random());
    return Math.min(longestPause, 1_000 * 2 ** failures) * (0.5 + random() / 2);
  }

  async function run(): Promise<void> {
    let pause = hiddenPollEvery;
    while (isWoken) {
      isWoken = false;
      pause = await round().catch((problem) => {
        contact.problem = `This phone cannot read what it keeps: ${problem}`;
        onChange();
        return hiddenPollEvery;
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

  /**
   * Begins a round now, or another one after the present one. Rounds follow by themselves from then on.
   * @param isForced also reads the whole list, and does not wait for a server that refuses
   * @returns resolves when no round is running any more
   */
  function wake(isForced = false): Promise<void> {
    if (isForced) {
      lastWhole = Number.NEGATIVE_INFINITY;
      changesTag = undefined;
    }
    return failures > 0 && contact.isOnline && !isForced ? Promise.resolve() : begin();
  }

  return {
    contact,
    round,
    wake,
    /** Sends what waits. @returns resolves when the server has answered, refuses, or is not there */
    async sent(): Promise<void> {
      reading?.abort(overtaken);
      const done = new Promise<void>((heard) => waiting.push(heard));
      await Promise.race([done, wake()]);
    },
    /** Whom the service finds by a text. @throws Refused; another error when there is no answer in time */
    async search(text: string): Promise<FoundPeople> {
      const session = await store.session();
      if (!session) throw new TypeError("This phone has joined no event.");
      const response = await ask(session, `${doorPath(session.event)}/search?q=${encodeURIComponent(text)}`, {});
      return (await response.json()) as FoundPeople;
    },
  };
}
