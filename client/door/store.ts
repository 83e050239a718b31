/** What the phone keeps, in IndexedDB: the event that it has joined, the list, and its scans. Tabs share it. */
import { type DBSchema, openDB } from "idb";
import type { Session, SyncStore } from "./sync.ts";
import {
  type DoorList,
  isShownBy,
  judge,
  judgeAnswer,
  type Result,
  type Scan,
  type Verdict,
  withChanges,
} from "./verdict.ts";

interface StoredList {
  readonly list: DoorList;
  readonly etag: string | undefined;
}

interface Schema extends DBSchema {
  /** `session` and `list`. */
  facts: { key: string; value: Session | StoredList };
  /** In the order of scanning. */
  scans: { key: number; value: Scan & { readonly order?: number }; indexes: { nonce: string; mark: string } };
}

/** All that the page shows. */
export interface Kept {
  readonly session: Session | undefined;
  readonly list: DoorList | undefined;
  readonly scans: readonly Scan[];
}

/** A row that is made by scanning, by a name, or by a button. */
export type NewScan = Pick<Scan, "mark" | "code" | "admitted" | "undoes" | "answers" | "isDeliberate">;

/** Opens the store. `onChange` is called after a change by another tab. */
export async function openStore(onChange: () => void) {
  const db = await openDB<Schema>("door", 1, {
    upgrade(fresh) {
      fresh.createObjectStore("facts");
      const scans = fresh.createObjectStore("scans", { keyPath: "order", autoIncrement: true });
      scans.createIndex("nonce", "nonce", { unique: true });
      scans.createIndex("mark", "mark");
    },
  });
  const tabs = new BroadcastChannel("door");
  tabs.onmessage = onChange;

  /** One transaction, on the disk when the promise resolves. Transactions of several tabs run one after another. */
  async function change<T>(act: (scans: ReturnType<typeof scansOf>, facts: ReturnType<typeof factsOf>) => Promise<T>) {
    const transaction = begin();
    const [value] = await Promise.all([act(scansOf(transaction), factsOf(transaction)), transaction.done]);
    tabs.postMessage("changed");
    return value;
  }
  const begin = () => db.transaction(["scans", "facts"], "readwrite", { durability: "strict" });
  const scansOf = (transaction: ReturnType<typeof begin>) => transaction.objectStore("scans");
  const factsOf = (transaction: ReturnType<typeof begin>) => transaction.objectStore("facts");

  const sessionIn = async (facts: ReturnType<typeof factsOf>) => (await facts.get("session")) as Session | undefined;
  const isWaiting = ({ result }: Scan): boolean => result === undefined;

  /** A fresh row of this phone. */
  const fresh = (row: NewScan, device: string): Scan => ({
    ...row,
    device,
    nonce: crypto.randomUUID(),
    scannedAt: Date.now(),
  });

  /** Whether the server has answered a question so that the phone says "Stop" to a ticket that is in. */
  const isStopped = ({ admitted, undoes }: Scan, { outcome }: Result): boolean =>
    admitted === undefined && undoes === undefined && outcome === "again";

  /** Undoes a question that let its person in a second time: else it would count once the first check-in is undone. */
  async function takeBack(scans: ReturnType<typeof scansOf>, { mark, code, nonce, device }: Scan): Promise<void> {
    const others = await scans.index("mark").getAll(mark);
    if (!others.some(({ undoes }) => undoes === nonce)) await scans.add(fresh({ mark, code, undoes: nonce }, device));
  }

  /**
   * Answers a question in the server's place. A question that the server may have answered meanwhile stays; then a row that
   * turns the person away also undoes it.
   */
  async function decided(
    scans: ReturnType<typeof scansOf>,
    question: Scan,
    admitted: boolean,
    device: string,
  ): Promise<Scan> {
    const { mark, code, nonce } = question;
    if (!question.isTried && question.admitted === undefined) {
      const answered = { ...question, admitted };
      await scans.put(answered);
      return answered;
    }
    if (!admitted) await scans.add(fresh({ mark, code, undoes: nonce }, device));
    const row = fresh({ mark, code, admitted, answers: nonce }, device);
    await scans.add(row);
    return row;
  }

  async function keepList(
    list: DoorList,
    etag: string | undefined,
    scans: ReturnType<typeof scansOf>,
    facts: ReturnType<typeof factsOf>,
  ): Promise<void> {
    await facts.put({ list, etag }, "list");
    for (const scan of await scans.getAll()) {
      if (!scan.isListed && isShownBy(list, scan, Date.now())) await scans.put({ ...scan, isListed: true });
    }
  }

  const forSync: SyncStore = {
    session: async () => (await db.get("facts", "session")) as Session | undefined,
    waiting: async () => (await db.getAll("scans")).filter(isWaiting).map(({ nonce }) => nonce),
    take: (nonces) =>
      change(async (scans) => {
        const found = await Promise.all(nonces.map((nonce) => scans.index("nonce").get(nonce)));
        const taken = found.filter((scan) => scan !== undefined && isWaiting(scan)) as Scan[];
        for (const scan of taken) if (!scan.isTried) void scans.put({ ...scan, isTried: true });
        return taken;
      }),
    acknowledge: (results) =>
      change(async (scans) => {
        for (const result of results) {
          const scan = await scans.index("nonce").get(result.nonce);
          if (!scan || !isWaiting(scan)) continue;
          // The phone keeps no tickets: the mark is enough from now on.
          const { code: _, ...kept } = scan;
          await scans.put({ ...kept, result, answeredAt: Date.now() });
          if (isStopped(kept, result)) await takeBack(scans, scan);
        }
      }),
    etag: async () => ((await db.get("facts", "list")) as StoredList | undefined)?.etag,
    saveList: (token, list, etag) =>
      change(async (scans, facts) => {
        if ((await sessionIn(facts))?.token === token) await keepList(list, etag, scans, facts);
      }),
    saveChanges: (token, changes) =>
      change(async (scans, facts) => {
        const stored = (await facts.get("list")) as StoredList | undefined;
        if ((await sessionIn(facts))?.token !== token) return true;
        const list = stored && withChanges(stored.list, changes);
        // The whole list has another ETag now, which the phone does not know.
        if (list) await keepList(list, undefined, scans, facts);
        return list !== undefined;
      }),
    end: (token, how) =>
      change(async (scans, facts) => {
        const session = await sessionIn(facts);
        if (session?.token !== token) return;
        await facts.put({ ...session, [how]: true }, "session");
        await facts.delete("list");
        for (const scan of await scans.getAll()) if (!isWaiting(scan)) await scans.delete(scan.order as number);
      }),
    forget: () => change(async (scans, facts) => void (await Promise.all([scans.clear(), facts.clear()]))),
    wipe: () =>
      change(async (scans, facts) => {
        if (!(await scans.getAll()).some(isWaiting)) await Promise.all([scans.clear(), facts.clear()]);
      }),
  };

  return {
    ...forSync,
    /** Reads all that is kept. */
    async read(): Promise<Kept> {
      const [session, stored, scans] = await Promise.all([
        forSync.session(),
        db.get("facts", "list") as Promise<StoredList | undefined>,
        db.getAll("scans"),
      ]);
      return { session, list: stored?.list, scans };
    },
    /** Begins with an event. Scans of the same event stay; those of another one go, and none of them may wait. */
    join: (session: Session) =>
      change(async (scans, facts) => {
        const before = await sessionIn(facts);
        if (before && (before.event.id !== session.event.id || before.event.year !== session.event.year)) {
          if ((await scans.getAll()).some(isWaiting)) throw new Error("Scans of the other event must be sent first.");
          await Promise.all([scans.clear(), facts.clear()]);
        }
        await facts.put(session, "session");
      }),
    /** Decides about a ticket and keeps the scan. Nothing is shown before. */
    scan: ({ mark, code }: NewScan, device: string): Promise<{ scan: Scan; verdict: Verdict }> =>
      change(async (scans, facts) => {
        const stored = (await facts.get("list")) as StoredList | undefined;
        const verdict = judge(stored?.list, await scans.index("mark").getAll(mark), mark);
        const admitted = verdict.colour === "amber" ? undefined : verdict.colour === "green";
        const scan = fresh({ mark, code, admitted }, device);
        await scans.add(scan);
        return { scan, verdict };
      }),
    /** Keeps a row that is no scan. */
    add: (row: NewScan, device: string): Promise<Scan> =>
      change(async (scans) => {
        const scan = fresh(row, device);
        await scans.add(scan);
        return scan;
      }),
    /** Answers a question in the server's place. */
    decide: ({ nonce }: Scan, admitted: boolean, device: string): Promise<Scan> =>
      change(async (scans) => decided(scans, (await scans.index("nonce").get(nonce)) as Scan, admitted, device)),
    /** Shows the server's answer to a question. Without one the phone decides by its list, or leaves the question open. */
    settle: ({ mark, nonce }: Scan, device: string): Promise<{ scan: Scan; verdict: Verdict }> =>
      change(async (scans, facts) => {
        const list = ((await facts.get("list")) as StoredList | undefined)?.list;
        const question = (await scans.index("nonce").get(nonce)) as Scan;
        if (question.result) return { scan: question, verdict: judgeAnswer(list, question, question.result) };
        const others = (await scans.index("mark").getAll(mark)).filter((one) => one.nonce !== nonce);
        const verdict = judge(list, others, mark);
        if (verdict.colour === "amber") return { scan: question, verdict };
        return { scan: await decided(scans, question, verdict.colour === "green", device), verdict };
      }),
    /** Takes a scan back, and the question that it answers. */
    undo: ({ mark, code, nonce, answers }: Scan, device: string) =>
      change(async (scans) => {
        await scans.add(fresh({ mark, code, undoes: nonce }, device));
        if (answers !== undefined) await scans.add(fresh({ mark, code, undoes: answers }, device));
      }),
    /** Leaves questions without an answer: those that no server has are kept as turned away. */
    leaveQuestions: () =>
      change(async (scans) => {
        const all = await scans.getAll();
        for (const scan of all.filter(isWaiting)) {
          if (all.some(({ answers }) => answers === scan.nonce)) continue;
          if (scan.admitted !== undefined || scan.undoes !== undefined || scan.isLeft) continue;
          await scans.put({ ...scan, ...(scan.isTried ? { isLeft: true } : { admitted: false }) });
        }
      }),
    dismiss: (nonce: string) =>
      change(async (scans) => {
        const scan = await scans.index("nonce").get(nonce);
        if (scan) await scans.put({ ...scan, isDismissed: true });
      }),
    /** Deletes everything, also scans that wait. */
    leave: forSync.forget,
  };
}
