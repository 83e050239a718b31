/** The page of one registration, its feedback form, a guest's last step, and a person's data: shows what a link opens, and sends what the person presses. */
import { call, Refused } from "../page/call.ts";
import { button, byId, element, root } from "../page/elements.ts";
import { fetchFresh, readApi } from "../page/settings.ts";
import { type Field, fieldOf } from "./fields.ts";
import { refusalText } from "./refusals.ts";
import { moves, standingOf } from "./standing.ts";
import type {
  Action,
  Answer,
  FeedbackForm,
  GuestRequest,
  LinkedRegistration,
  Question,
  Registered,
  Registration,
  ShownEvent,
} from "./types.ts";

type Move = keyof typeof moves;
type Answers = Readonly<Record<string, Answer>>;

/** A form: its questions, what was answered before, and what sends it. `send` returns what the person reads then. */
interface Form {
  readonly title: string;
  readonly button: string;
  readonly questions: readonly Question[];
  readonly answers: Answers;
  send(answers: Answers): Promise<string>;
}

/** The secret, and what the mail's button asks for. */
const [secret = "", wish] = location.hash.slice(1).split("/");
const registrationPath = "/links/registration";
const feedbackPath = "/links/feedback";
const guestPath = "/links/guest";
const said = byId("said");
let api = "";
/** The status that the person sees: the server changes nothing if it is another one by now. */
let seenStatus: Registration["registrationStatus"] | undefined;

/** @throws what `call` throws */
async function fetched(path: string, method = "GET", body?: object): Promise<Response> {
  // Such a secret is in no mail, and cannot be in a header.
  if (!/^[\w.~-]+$/.test(secret)) throw new Refused(401, {});
  const headers = { authorization: `Link ${secret}`, ...(body && { "content-type": "application/json" }) };
  const init: RequestInit = { method, headers, credentials: "omit", ...(body && { body: JSON.stringify(body) }) };
  return call(fetchFresh, api + path, init);
}

/** @throws what `call` throws */
const ask = async <T>(path: string, method?: string, body?: object): Promise<T> =>
  (await fetched(path, method, body)).json() as Promise<T>;

let isAsking = false;

/** Asks the server unless it is asked already, and says in `place` what the person has to know. @returns whether it succeeded */
async function attempt(place: HTMLElement, act: () => Promise<string>): Promise<boolean> {
  if (isAsking) return false;
  isAsking = true;
  root.ariaBusy = "true";
  try {
    place.textContent = await act();
    return true;
  } catch (problem) {
    place.textContent = refusalText(problem);
    return false;
  } finally {
    isAsking = false;
    root.ariaBusy = null;
  }
}

function showEvent(event: ShownEvent): void {
  const facts = [
    ["When", event.when],
    ["Where", event.elocation],
  ].filter(([, text]) => text);
  byId("event").textContent = event.ename;
  byId("facts").replaceChildren(
    ...facts.flatMap(([label = "", text = ""]) => [element("dt", {}, label), element("dd", {}, text)]),
  );
  byId("description").textContent = event.description ?? "";
  byId("about").hidden = !event.description;
}

const greeted = (fname: string, text: string): string => (fname ? `Hi ${fname}. ${text}` : text);

function showStanding(title: string, text: string, choices: readonly HTMLButtonElement[]): void {
  byId("title").textContent = title;
  byId("text").textContent = text;
  choices[0]?.classList.add("main");
  byId("choices").replaceChildren(...choices);
  byId("standing").hidden = false;
}

/** Shows where the registration stands. Its form stays as the person has filled it in. */
function show(linked: LinkedRegistration): void {
  const { event, registration, may } = linked;
  seenStatus = registration.registrationStatus;
  showEvent(event);
  const { title, text, cancel } = standingOf(linked);
  const yes = agreementOf(may);
  const choices = [
    ...(yes ? [button(moves[yes].button, () => send(yes))] : []),
    ...(may.includes("cancel") ? [button(cancel, () => question(linked, "cancel"))] : []),
  ];
  showStanding(title, greeted(registration.fname, text), choices);
  byId("form").hidden = !may.includes("edit");
}

/** Who confirms an accepted seat need not say as well that they come. */
const agreementOf = (may: readonly Action[]): "accept" | "come" | undefined =>
  (["accept", "come"] as const).find((move) => may.includes(move));

/** Asks once more. Nothing is sent before the person presses the button. */
function question(linked: LinkedRegistration, move: Move): void {
  const { loss } = standingOf(linked);
  said.textContent = "";
  showStanding(moves[move].question, move === "cancel" ? loss : "", [
    button(moves[move].button, () => send(move)),
    button("Back", () => {
      show(linked);
      byId("title").focus();
    }),
  ]);
  byId("title").focus();
}

/** Changes the registration as the person sees it. After a conflict, the page shows the present one. @throws what `call` throws */
async function change(body: object): Promise<void> {
  try {
    show(await ask(registrationPath, "PUT", { ...body, seenStatus }));
  } catch (problem) {
    if (problem instanceof Refused && problem.status === 409) show(await ask(registrationPath));
    throw problem;
  }
}

async function send(move: Move): Promise<void> {
  const { body, done } = moves[move];
  const isDone = await attempt(said, async () => {
    await change(body);
    return done;
  });
  if (!isDone) return;
  // Loading the page again must not ask again.
  history.replaceState(null, "", `#${secret}`);
  byId("title").focus();
}

/** Shows beside each field what the server says about its answer. @returns whether it says anything */
function complain(fields: readonly Field[], problem: unknown): boolean {
  const issues = problem instanceof Refused ? problem.issues : [];
  const idIn = (path: string) =>
    path
      .replace(/^\/[^/]*\//, "")
      .replaceAll("~1", "/")
      .replaceAll("~0", "~");
  const problems = new Map(issues.map(({ path, message }) => [idIn(path), `This ${message}.`]));
  for (const field of fields) field.complain(problems.get(field.questionId) ?? "");
  const first = fields.find(({ questionId }) => problems.has(questionId));
  first?.focus();
  return first !== undefined;
}

function showForm(form: Form): void {
  const fields = form.questions.map((one) => fieldOf(one, form.answers[one.questionId]));
  byId("form-title").textContent = form.title;
  byId("send").textContent = form.button;
  byId("fields").replaceChildren(...fields.map(({ node }) => node));
  byId("form").hidden = false;
  byId("form").onsubmit = (event) => {
    event.preventDefault();
    void attempt(byId("form-said"), async () => {
      try {
        const sent = await form.send(Object.fromEntries(fields.map((field) => [field.questionId, field.answer()])));
        complain(fields, undefined);
        return sent;
      } catch (problem) {
        if (complain(fields, problem)) return "Please look at the answers with a “!”.";
        throw problem;
      }
    }).then(() => {
      // The form is gone when nothing can be answered any more.
      const { textContent } = byId("form-said");
      if (byId("form").hidden && textContent) said.textContent = textContent;
    });
  };
}

async function openRegistration(): Promise<void> {
  const linked = await ask<LinkedRegistration>(registrationPath);
  const { registration, questions, may } = linked;
  showForm({
    title: "Your answers",
    button: "Save my answers",
    questions,
    answers: registration.dynamicResponses,
    send: async (dynamicResponses) => {
      await change({ dynamicResponses });
      return "Your answers are saved.";
    },
  });
  show(linked);
  const move = wish === "come" ? agreementOf(may) : wish === "cancel" && may.includes("cancel") ? "cancel" : undefined;
  if (move) question(linked, move);
}

async function openFeedback(): Promise<void> {
  const { event, enabled, feedbackQuestions, mine } = await ask<FeedbackForm>(feedbackPath);
  showEvent(event);
  document.title = "Your feedback";
  if (!enabled) throw new Refused(403, { code: "FEEDBACK_DISABLED" });
  showForm({
    title: "Your feedback",
    button: "Send my feedback",
    questions: feedbackQuestions,
    answers: mine?.responses ?? {},
    send: async (responses) => {
      const { respondentName, respondentEmail } = mine ?? {};
      await ask(feedbackPath, "POST", {
        responses,
        ...(respondentName && { respondentName }),
        ...(respondentEmail && { respondentEmail }),
      });
      byId("form").hidden = true;
      said.textContent = "Thank you for your feedback. To change it, open the link again.";
      return "";
    },
  });
}

async function openGuest(): Promise<void> {
  const { event, email, fname, questions, dynamicResponses } = await ask<GuestRequest>(guestPath);
  showEvent(event);
  const showRegistered = (registration: Registration): void => {
    const { title, text } = standingOf({ registration });
    byId("form").hidden = true;
    showStanding(title, text, []);
    byId("title").focus();
  };
  const register = async (answers: Answers): Promise<string> => {
    try {
      showRegistered((await ask<Registered>(guestPath, "POST", { dynamicResponses: answers })).registration);
      return "Thank you. Our next mail has the link to your registration.";
    } catch (problem) {
      if (!(problem instanceof Refused && problem.code === "DUPLICATE")) throw problem;
      showRegistered(problem.registration as Registration);
      return "You have asked before, so nothing was changed.";
    }
  };
  const text = greeted(fname, `You have no seat before you press the button. Mails about it go to ${email}.`);
  const isAsked = questions.length > 0;
  showStanding("One step is left", text, isAsked ? [] : [button("Register", () => attempt(said, () => register({})))]);
  if (isAsked) {
    const answers = dynamicResponses as Answers;
    showForm({
      ...{ title: "Your answers", button: "Register", questions, answers },
      send: async (given) => {
        said.textContent = await register(given);
        return "";
      },
    });
  }
}

/** Saves what is stored about the person. Nothing is asked before a button is pressed: each copy leaves a row in the audit. */
async function openExport(): Promise<void> {
  byId("event").textContent = "Your data";
  document.title = "Your data";
  const save = (format: "html" | "json") =>
    attempt(said, async () => {
      const href = URL.createObjectURL(await (await fetched(`/links/export?format=${format}`)).blob());
      element("a", { href, download: `personal-data.${format}` }).click();
      return "Your data is saved.";
    });
  showStanding("What is stored about you", "Save it as a page to read, or as JSON for a program.", [
    button("Save as a page", () => save("html")),
    button("Save as JSON", () => save("json")),
  ]);
}

const openings: Readonly<Record<string, () => Promise<void>>> = {
  export: openExport,
  feedback: openFeedback,
  guest: openGuest,
};

/** Reads what the link opens. When that fails, the person can try again. */
async function open(): Promise<void> {
  const isOpen = await attempt(said, async () => {
    api ||= await readApi();
    await (openings[wish ?? ""] ?? openRegistration)();
    return "";
  });
  if (!isOpen) said.append(" ", button("Try again", open));
}

const darkness = matchMedia("(prefers-color-scheme: dark)");
const applyColours = (): void => {
  root.dataset.theme = darkness.matches ? "night" : "day";
};
darkness.onchange = applyColours;
applyColours();
addEventListener("hashchange", () => location.reload());
await open();
