/** The page: shows what is kept, and turns codes and buttons into scans. */
import { call } from "../shared/call.ts";
import { type Camera, startCamera } from "./camera.ts";
import { all, button, byId, element, root } from "./elements.ts";
import { foundRows, guestRows, noticeRows, ownRows, showRows } from "./lists.ts";
import { createSearch } from "./search.ts";
import { fetchFresh, readApi } from "./settings.ts";
import { announce, setUpSignals, signal } from "./signals.ts";
import { openStore } from "./store.ts";
import { createSync, doorPath, type Session } from "./sync.ts";
import {
  canBeUndone,
  expected,
  judgeAnswer,
  markOf,
  refuted,
  type Scan,
  timeOf,
  toLookAt,
  type Verdict,
} from "./verdict.ts";

type Screen = "message" | "join" | "scan" | "search" | "inside" | "look" | "more";
/** A verdict, or what the person at the phone decided. */
type Shown = Omit<Verdict, "colour"> &
  Partial<Verdict> &
  Partial<Record<"word" | "symbol", string>> & { scan?: Scan; faded?: Verdict["colour"] };

const answerWithin = 4_000;
/** Milliseconds that the server has to judge a ticket before the phone does. */
const serverFirst = 700;
/** Milliseconds that a colour of the camera stays at least, also where its code is gone at once. */
const shortestColour = 1_000;
/** What a ticket's code looks like. Anything else is sent by its mark only. */
const ticketCode = /^V2\.[A-Z2-7]{1,597}$/;
const words = { green: "Come in", amber: "Not sure", red: "Stop" } as const;
const symbols = { green: "✓", amber: "?", red: "✕" } as const;

const api = await readApi();
const store = await openStore(() => void refresh());
let kept = await store.read();
let screen: Screen | undefined;
let shown: Shown | undefined;
/** Absent: it was not started, is starting, or has failed. */
let camera: Camera | undefined;
let isCameraTried = false;

const sync = createSync({
  api,
  store,
  fetch: fetchFresh,
  isConnected: () => navigator.onLine,
  isVisible: () => !document.hidden,
  onChange: () => void refresh(),
});

const isConnected = (): boolean => sync.contact.isOnline && navigator.onLine;

const search = createSearch({ ask: sync.search, isOnline: isConnected, onChange: () => showFound() });

const waiting = (): number => kept.scans.filter(({ result }) => result === undefined).length;
const device = (): string => kept.session?.device.name ?? "";
const countOf = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

/** @param how a scan counts and is announced, its later answer is announced */
function show(next: Shown, how: "scan" | "answer" | "quiet" = "quiet"): void {
  shown = next;
  const { colour, sentence, name, choices } = next;
  const word = next.word ?? (colour ? words[colour] : "Ready");
  const symbol = next.symbol ?? (colour ? symbols[colour] : "▣");
  const buttons = buttonsOf(next);
  const panel = byId("verdict");
  panel.className = `${colour ?? ""} ${how === "quiet" ? "" : "new"}`;
  panel.replaceChildren(
    element("p", { className: "word" }, element("span", { className: "symbol", ariaHidden: "true" }, symbol), word),
    ...(name ? [element("p", { className: "name" }, name)] : []),
    element("p", { className: "sentence" }, sentence),
    ...choices.map((choice) => element("p", { className: "choices" }, choice)),
    element("p", {}, isAsking() ? (buttons.length > 0 ? "No answer yet: you decide." : "Asking the server …") : ""),
    element("div", { className: "buttons" }, ...buttons),
  );
  root.dataset.colour = colour ?? "";
  if (how === "quiet") return;
  // There is time to read what no code in front of the camera has led to, such as a late answer.
  fadeIn(how === "scan" && isCameraScan ? shortestColour : answerWithin);
  if (how === "scan") root.dataset.scans = String(Number(root.dataset.scans ?? 0) + 1);
  announce([word, name, sentence, ...choices].filter(Boolean).join(". "));
  if (colour) signal(colour);
}

/** Runs while a verdict is too new to be taken away. */
let fading: ReturnType<typeof setTimeout> | undefined;
let isCameraScan = false;

/** Fades the verdict after so many milliseconds, or later, once its code is no longer held in front of the camera. */
function fadeIn(delay: number): void {
  clearTimeout(fading);
  fading = setTimeout(() => {
    fading = undefined;
    fade();
  }, delay);
}

const isHeld = (): boolean => root.dataset.held === "true";

/** Takes the colour away: none is above an empty camera. What was said can still be read, and undone. */
function fade(): void {
  if (!shown?.colour || isAsking() || isHeld() || fading !== undefined) return;
  const { colour, word = words[colour], name, scan } = shown;
  const sentence = `Before: ${word}${name ? `, ${name}` : ""}.`;
  show({ sentence, choices: [], faded: colour, ...(scan && { scan }) });
}

const ready = (): void => show({ sentence: "Hold a ticket in front of the camera.", choices: [] });

/** Whether the person at the door has to answer a question first. */
const isAsking = (): boolean => shown?.colour === "amber";

function buttonsOf({ colour, faded = colour, scan }: Shown): Node[] {
  if (!scan) return [];
  if (isAsking()) {
    if (root.dataset.online === "true" && Date.now() - scan.scannedAt < answerWithin) return [];
    return [button("Let in", () => decide(scan, true)), button("Turn away", () => decide(scan, false))];
  }
  if (canBeUndone(scan, kept.scans)) return [button("Undo", () => undo(scan))];
  return faded === "red" ? [button("Let in anyway", () => letInAnyway(scan))] : [];
}

/** Judges a ticket, keeps the scan, and shows the verdict. @returns whether it was taken */
function scan(subject: { readonly code: string } | { readonly mark: string }, isFromCamera = false): boolean {
  if (isAsking()) open("scan");
  if (isAsking() || isScanning) return false;
  isScanning = true;
  const judged = async () => {
    const mark = "mark" in subject ? subject.mark : await markOf(subject.code);
    const code = "code" in subject && ticketCode.test(subject.code.trim()) ? subject.code.trim() : undefined;
    const made = isConnected() ? await asked({ mark, code }) : await store.scan({ mark, code }, device());
    isCameraScan = isFromCamera;
    kept = await store.read();
    open("scan");
    if (made.verdict.colour === "amber") setTimeout(() => void refresh(), answerWithin + 50);
    show({ ...made.verdict, scan: made.scan }, "scan");
    await changed();
  };
  void judged()
    .catch((problem) => show({ ...failed, sentence: `This phone cannot keep scans: ${problem}` }, "answer"))
    .finally(() => {
      isScanning = false;
    });
  return true;
}
let isScanning = false;

/** Asks the server about a ticket. The phone decides by itself when there is no answer in time. */
async function asked(ticket: Pick<Scan, "mark"> & { readonly code: string | undefined }) {
  const question = await store.add(ticket, device());
  show({ word: "Asking", symbol: "…", sentence: "Asking the server …", choices: [] });
  await Promise.race([sync.sent(), new Promise((late) => setTimeout(late, serverFirst))]);
  return store.settle(question, device());
}

const failed = { colour: "red", choices: [] } as const;

async function changed(): Promise<void> {
  void sync.wake();
  await refresh();
}

/** Shows that a decision of the person at the door is kept. */
async function showDecision(made: Scan, word: string): Promise<void> {
  kept = await store.read();
  const symbol = symbols[made.admitted ? "green" : "red"];
  show({
    name: shown?.name,
    choices: shown?.choices ?? [],
    word,
    symbol,
    sentence: "Kept for the server.",
    scan: made,
  });
  announce(word);
  await changed();
}

const decide = async (question: Scan, admitted: boolean): Promise<void> =>
  showDecision(await store.decide(question, admitted, device()), admitted ? "Let in" : "Turned away");

async function letInAnyway({ mark, code }: Scan): Promise<void> {
  const made = await store.add({ mark, code, admitted: true, isDeliberate: true }, device());
  await showDecision(made, "Let in anyway");
}

async function undo(scan: Scan): Promise<void> {
  await store.undo(scan, device());
  if (shown?.scan?.nonce === scan.nonce) ready();
  await changed();
  announce("Undone");
}

/** Takes a green back, wherever the phone is, as soon as the server has refuted it. @returns whether it did */
function showRefutation(): boolean {
  const { scan, colour, faded } = shown ?? {};
  const verdict = scan && (colour ?? faded) === "green" && refuted(kept.list, scan, kept.scans);
  if (!verdict) return false;
  open("scan");
  show({ ...verdict, scan: kept.scans.find(({ nonce }) => nonce === scan.nonce) ?? scan }, "answer");
  return true;
}

/** Shows the answer that came while its question is on the screen. */
function showAnswer(): void {
  if (!shown || !isAsking()) return;
  const asked = kept.scans.find(({ nonce }) => nonce === shown?.scan?.nonce);
  if (asked?.result) show({ ...judgeAnswer(kept.list, asked, asked.result), scan: asked }, "answer");
  else if (!byId("verdict").querySelector("button")) show(shown);
}

function open(next: Screen): void {
  screen = next;
  root.dataset.screen = next;
  for (const section of all("section")) section.classList.toggle("open", section.dataset.screen === next);
  for (const one of all("nav button")) one.toggleAttribute("aria-current", one.dataset.open === next);
  if (next === "scan") void runCamera();
  else camera?.pause();
  render();
}

function message(title: string, text: string): void {
  byId("message-title").textContent = title;
  byId("message-text").textContent = text;
  if (screen !== "message") open("message");
}

/** The event and the secret of the link that was opened; undefined when the address is none. */
function invitation() {
  const [, path, year, secret, name] = /^#([^/]+)\/(\d{4})\/([^/]+)(?:\/([^/]+))?$/.exec(location.hash) ?? [];
  try {
    if (!path || !year || !secret) return undefined;
    const id = decodeURIComponent(path);
    return { id, year, secret, ename: name ? decodeURIComponent(name) : `${id} ${year}` };
  } catch {
    return undefined;
  }
}

/** Opens the screen that fits what is kept. */
function settle(): void {
  const { session } = kept;
  const count = countOf(waiting(), "scan");
  byId("event").textContent = session?.event.ename ?? "Door";
  const isEnded = Boolean(session?.isRevoked || session?.isClosed);
  byId("status").hidden = !session || screen === "join";
  all("nav")[0]?.toggleAttribute("hidden", !session || screen === "join" || isEnded);
  all(".leave")[0]?.toggleAttribute("hidden", !session);
  if (screen === "join") return;
  if (!session) {
    if (hadSession) message("Done", "All scans are sent, and this phone keeps nothing of the event any more.");
    else message("No event", "Open the link that an executive of the club gave you.");
  } else if (session.isRevoked) {
    message("This phone was revoked", `Still to send: ${count}. Open a new link of this event to join again.`);
  } else if (session.isClosed) {
    message("This event is over", `The list is deleted from this phone. Still to send: ${count}.`);
  } else if (screen === undefined || screen === "message") open("scan");
  hadSession ||= session !== undefined;
}
let hadSession = false;

function render(): void {
  const { session, list, scans } = kept;
  const { problem } = sync.contact;
  if (sync.contact.at) localStorage.setItem("contact", String(sync.contact.at));
  const at = Number(localStorage.getItem("contact"));
  const left = waiting();
  Object.assign(root.dataset, { online: isConnected(), waiting: left, tickets: list?.tickets.length ?? "" });
  const unsent = left === 0 ? "all sent" : `${left} to send`;
  const parts = [isConnected() ? "Online" : "Offline", unsent, problem && "problem", at && timeOf(at)];
  byId("status").textContent = parts.filter(Boolean).join(" · ");
  const notices = toLookAt(list, scans).length;
  byId("look-button").hidden = notices === 0 || !session;
  byId("look-button").textContent = `! ${notices} to look at`;
  const guests = guestRows(kept);
  const most = Math.max(expected(list), guests.length);
  byId("inside-short").textContent = `${guests.length} of ${most}`;
  byId("inside-count").textContent = `Inside ${guests.length} of ${most}`;
  if (screen === "inside") showRows(byId("guests"), guests, "");
  if (screen === "look") showRows(byId("notices"), noticeRows(kept, dismiss), keyOf(toLookAt(list, scans)));
  if (screen === "search") showFound();
  if (screen !== "more") return;
  const sentences = [`${device()}, ${session?.event.ename}.`, left > 0 && `${countOf(left, "scan")} to send.`, problem];
  byId("phone").textContent = sentences.filter(Boolean).join(" ");
  showRows(byId("own"), ownRows(kept, undo), keyOf(scans));
}

const keyOf = (rows: readonly { readonly nonce: string }[]): string => rows.map(({ nonce }) => nonce).join();

const dismiss = (nonce: string): Promise<void> => store.dismiss(nonce).then(refresh);
function showFound(): void {
  const { matches, sentence } = search.found(kept.list);
  const rows = foundRows(kept, matches, (mark) => scan({ mark }));
  showRows(byId("found"), rows, matches.map(({ mark }) => mark).join());
  if (byId("found-count").textContent !== sentence) byId("found-count").textContent = sentence;
}

let known = new Set<string>();
/** Shows what is kept now. */
async function refresh(): Promise<void> {
  kept = await store.read();
  const notices = toLookAt(kept.list, kept.scans);
  const fresh = notices.filter(({ nonce }) => !known.has(nonce));
  known = new Set(notices.map(({ nonce }) => nonce));
  for (const { name, sentence } of fresh) announce(`To look at: ${name}. ${sentence}`);
  settle();
  render();
  showAnswer();
  if (!showRefutation() && fresh.length > 0) signal("red");
}

const isCameraWanted = (): boolean => screen === "scan" && !document.hidden;

function onLook(isCodeHeld: boolean): void {
  if (isCodeHeld !== isHeld()) root.dataset.held = String(isCodeHeld);
  fade();
}

/** Starts the camera, unless it runs or has failed. */
async function runCamera(): Promise<void> {
  if (!isCameraWanted() || (isCameraTried && camera?.resume() !== false)) return;
  isCameraTried = true;
  camera?.pause();
  camera = undefined;
  byId("camera-problem").hidden = true;
  try {
    const onEnd = () => void runCamera();
    const onCode = (code: string) => scan({ code }, true);
    const options = { isWanted: isCameraWanted, onCode, onLook, onEnd };
    camera = await startCamera(byId<HTMLVideoElement>("video"), options);
    root.dataset.camera = "on";
  } catch (problem) {
    const isRefused = problem instanceof DOMException && problem.name === "NotAllowedError";
    const help = isRefused
      ? "The camera is not allowed. Allow it for this page: tap the sign left of the address, or open the settings of the browser."
      : "This phone gives no camera. Close other apps that use it.";
    const again = () => {
      isCameraTried = false;
      void runCamera();
    };
    byId("camera-problem").replaceChildren(
      element("p", {}, help),
      element(
        "div",
        { className: "buttons" },
        button("Try again", again),
        button("Type a code", () => open("search")),
      ),
    );
    byId("camera-problem").hidden = false;
    root.dataset.camera = "off";
  }
}

const stayAwake = (): void => void navigator.wakeLock?.request("screen").catch(() => undefined);

function offerJoin(): void {
  const invited = invitation();
  if (!invited) {
    if (location.hash.length > 1) message("This link is broken", "Open it again, or ask for another one.");
    return;
  }
  byId("join-event").textContent = invited.ename;
  byId("join-problem").textContent = "";
  byId("join-cancel").hidden = kept.session === undefined;
  byId<HTMLInputElement>("device").value ||= device();
  open("join");
  settle();
}

async function join(): Promise<void> {
  const { secret, ...event } = invitation() ?? { id: "", year: "", secret: "", ename: "" };
  const own = kept.session?.event;
  if (own && waiting() > 0 && (own.id !== event.id || String(own.year) !== event.year)) {
    throw new Error(`${countOf(waiting(), "scan")} of ${own.ename} must be sent first.`);
  }
  const name = byId<HTMLInputElement>("device").value.trim();
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ secret, name });
  const response = await call(fetchFresh, `${api}${doorPath(event)}/devices`, { method: "POST", headers, body });
  await store.join((await response.json()) as Session);
  void navigator.storage?.persist?.();
  void closeJoin();
}

async function closeJoin(): Promise<void> {
  history.replaceState(null, "", location.pathname);
  screen = undefined;
  ready();
  await refresh();
  void sync.wake(true);
}

async function leave(): Promise<void> {
  const left = waiting();
  const lost = `${countOf(left, "scan")} not sent yet`;
  if (!confirm(left > 0 ? `There are ${lost}. Leave and lose them?` : "Leave this event?")) return;
  if (left > 0 && !confirm(`Really lose ${lost}?`)) return;
  await store.leave();
  kept = await store.read();
  location.reload();
}

byId("join").onsubmit = (event) => {
  event.preventDefault();
  const said = byId("join-problem");
  said.textContent = "";
  join().catch((problem) => {
    const isUnanswered = problem instanceof TypeError || problem instanceof DOMException;
    said.textContent = isUnanswered ? "There is no answer: joining needs a network." : problem.message;
  });
};
byId("join-cancel").onclick = () => void closeJoin();
byId("typed").onsubmit = (event) => {
  event.preventDefault();
  const code = byId<HTMLInputElement>("code").value.trim();
  if (code && scan({ code })) byId<HTMLInputElement>("code").value = "";
};
byId("name").oninput = () => search.type(byId<HTMLInputElement>("name").value);
byId("status").onclick = async () => {
  await sync.wake(true);
  await refresh();
  root.dataset.rounds = String(Number(root.dataset.rounds ?? 0) + 1);
};
for (const one of all(".leave")) one.onclick = () => void leave();
for (const one of all("[data-open]")) one.onclick = () => open(one.dataset.open as Screen);
addEventListener("hashchange", offerJoin);
addEventListener("online", () => void sync.wake(true));
addEventListener("offline", () => void refresh());
addEventListener("beforeunload", (event) => {
  if (waiting() > 0) event.preventDefault();
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    camera?.pause();
    return;
  }
  stayAwake();
  void sync.wake();
  // A phone gives the camera back a moment after it shows the page.
  setTimeout(() => void runCamera(), 1_000);
});

setUpSignals();
ready();
await store.leaveQuestions();
await refresh();
offerJoin();
stayAwake();
void sync.wake();
await navigator.serviceWorker?.register("service-worker.js").catch(() => undefined);
await navigator.serviceWorker?.ready;
root.dataset.offline = "ready";
