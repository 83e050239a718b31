/** Finds people by what is typed: on the phone by first name and initial, at the service also by last name and email. */
import { Refused } from "../shared/call.ts";
import type { DoorList } from "./verdict.ts";

/** The service's answer. */
export interface FoundPeople {
  readonly people: readonly { readonly mark: string; readonly name: string; readonly email: string }[];
  /** Whether there are others. */
  readonly hasMore: boolean;
}

/** A person who is found. `detail` tells people with one name apart. */
export interface Match {
  readonly mark: string;
  readonly name: string;
  readonly detail?: string;
}

const mostShown = 30;
const shortestAsked = 2;

/** Letters and digits in lower case, without accents and punctuation. */
const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/[\p{M}\p{P}]/gu, "")
    .toLowerCase();
const wordsOf = (text: string): string[] => text.split(/\s+/).map(plain).filter(Boolean);

/** How a text fits a name of the list, such as `Ada L.`: by its letters, or with a last name of which there is the initial. */
function fitOf(name: string, text: string): "letters" | "initial" | undefined {
  const asked = wordsOf(text);
  const whole = wordsOf(name);
  const joined = whole.join("");
  const isLettered = (word: string) => whole.some((one) => one.includes(word)) || joined.includes(word);
  const initial = name.endsWith(".") ? whole.at(-1) : undefined;
  const isInitial = (word: string) => initial !== undefined && word.startsWith(initial);
  if (asked.length === 0) return undefined;
  if (asked.every(isLettered)) return "letters";
  return asked.every((word) => isLettered(word) || isInitial(word)) ? "initial" : undefined;
}

/** The people of the list, those whose names have the text itself first. */
export function matchesIn(list: DoorList | undefined, text: string): { readonly lettered: Match[]; all: Match[] } {
  const found = (list?.tickets ?? []).map(([mark, , name]) => ({ mark, name, fit: fitOf(name, text) }));
  const of = (wanted: string) => found.flatMap(({ fit, mark, name }) => (fit === wanted ? [{ mark, name }] : []));
  const lettered = of("letters");
  return { lettered, all: [...lettered, ...of("initial")] };
}

/** What the service has said about a text: nothing yet, whom it finds, or why it says nothing. */
type Heard =
  | { readonly is: "asked" }
  | ({ readonly is: "found" } & FoundPeople)
  | { readonly is: "none"; readonly why: string };

interface SearchOptions {
  /** Asks the service. */
  ask(text: string): Promise<FoundPeople>;
  isOnline(): boolean;
  onChange(): void;
  /** Milliseconds without another letter until the service is asked. */
  readonly pause?: number;
}

const unanswered = "There is no answer of the server";

/** A field that searches while it is typed into. */
export function createSearch({ ask, isOnline, onChange, pause = 250 }: SearchOptions) {
  let text = "";
  let heard: Heard | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function run(asked: string): Promise<void> {
    const answer = await ask(asked).then(
      (found): Heard => ({ is: "found", ...found }),
      (problem): Heard => ({
        is: "none",
        why: problem instanceof Refused ? problem.message.replace(/\.$/, "") : unanswered,
      }),
    );
    if (asked !== text) return;
    heard = answer;
    onChange();
  }

  return {
    /** Begins with another text. */
    type(next: string): void {
      clearTimeout(timer);
      text = next.trim();
      const isAsked = text.length >= shortestAsked && isOnline();
      heard = isAsked ? { is: "asked" } : undefined;
      if (isAsked) timer = setTimeout(() => void run(text), pause);
      onChange();
    },
    /** Whom the text finds now, and a sentence about them that is true. */
    found(list: DoorList | undefined): { readonly matches: readonly Match[]; readonly sentence: string } {
      if (text === "") return { matches: [], sentence: "" };
      const { lettered, all } = matchesIn(list, text);
      if (heard?.is !== "found") return { matches: all.slice(0, mostShown), sentence: alone(all.length, heard) };
      const people = heard.people.map(({ mark, name, email }) => ({ mark, name, detail: email }));
      const others = lettered.filter(({ mark }) => people.every((one) => one.mark !== mark));
      const both = [...people, ...others];
      return { matches: both.slice(0, mostShown), sentence: together(both.length, heard.hasMore) };
    },
  };
}

const few = "Type more of the name.";

function together(count: number, hasMore: boolean): string {
  if (count === 0) return "Not found: no first name, last name or email of this event begins like this.";
  if (count > mostShown) return `${count} found, ${mostShown} shown. ${few}`;
  return hasMore ? `${count} shown, and there are more. ${few}` : `${count} found.`;
}

/** What the phone says without the service. */
function alone(count: number, heard: Exclude<Heard, { readonly is: "found" }> | undefined): string {
  const shown = count > mostShown ? `, ${mostShown} shown. ${few}` : ".";
  const found = `${count || "None"} found by first name or initial${shown}`;
  if (heard?.is === "asked") return `${found} Asking the server for last names …`;
  return `${heard ? `${heard.why}. ` : ""}${found} Last names are not on this phone.`;
}
