/** Maps the questions of an event's registration and feedback forms. Pure. */
import { feedbackTypes, questionTypes } from "#domain/events/event-input.ts";
import { isInherited, isReserved } from "#domain/events/questions.ts";
import { steadyId } from "./keys.ts";
import { isMap, jsonOf, Reading } from "./reading.ts";

/** A question with its id in the source, under which its answers are stored. */
interface MappedQuestion {
  readonly question: Record<string, unknown> & { readonly questionId: string; readonly type: string };
  readonly sourceId: string;
}

export interface MappedQuestions {
  readonly questions: readonly MappedQuestion["question"][];
  /** Duplicate ids of the source, and their replacements. */
  readonly renamed: ReadonlyMap<string, string>;
}

const maxQuestions = 100;
/** The service's limits for questions. */
const [maxChoices, longestChoice, maxWorkshops] = [100, 200, 20];

const needChoices = new Set(["SELECT", "CHECKBOX", "WORKSHOP_SELECTION", "MULTIPLE_CHOICE", "CHECKBOXES"]);

interface Kind {
  readonly types: readonly string[];
  /** The type for a question of unknown type. */
  readonly open: string;
  readonly withChoices: string;
  readonly more: (reading: Reading) => Record<string, unknown>;
}

const registration: Kind = {
  types: questionTypes,
  open: "TEXT",
  withChoices: "SELECT",
  more: (one) => ({
    charLimit: one.whole("charLimit", 1, 4_000),
    questionImageUrl: one.text("questionImageUrl", { most: 2_048 }),
    participantCap: one.whole("participantCap", 1, 1_000_000),
    isSkillsQuestion: one.flag("isSkillsQuestion"),
  }),
};

const feedback: Kind = {
  types: feedbackTypes,
  open: "LONG_TEXT",
  withChoices: "MULTIPLE_CHOICE",
  more: (one) => ({
    scaleMin: one.whole("scaleMin", 0, 100),
    scaleMax: one.whole("scaleMax", 1, 100),
    scaleMinLabel: one.text("scaleMinLabel"),
    scaleMaxLabel: one.text("scaleMaxLabel"),
  }),
};

function choicesOf(one: Reading): string[] | undefined {
  const value = one.raw("choices");
  // The web application's form sends a comma-separated string, so this form is the usual one.
  const given = typeof value === "string" ? value.split(",") : Array.isArray(value) ? value : [];
  const each = [...new Set(given.map((choice) => String(choice).trim()))].filter((choice) => choice !== "");
  const fine = each.filter((choice) => !isInherited(choice) && choice.length <= longestChoice).slice(0, maxChoices);
  if (fine.length < each.length) one.note("choices", "without reserved, too long or too many choices", value, fine);
  return fine.length > 0 ? fine : undefined;
}

function typeOf(one: Reading, kind: Kind, choices: readonly string[] | undefined, scale: Record<string, unknown>) {
  const given = one.raw("type");
  const said = String(given ?? "")
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, "_");
  const { scaleMin = 1, scaleMax = 10 } = scale as { scaleMin?: number; scaleMax?: number };
  const isKnown = kind.types.includes(said);
  const fits =
    isKnown && (!needChoices.has(said) || choices !== undefined) && (said !== "LINEAR_SCALE" || scaleMin < scaleMax);
  const type = fits ? said : choices && !isKnown ? kind.withChoices : kind.open;
  if (type !== given) one.note("type", fits ? "a type in capital letters" : `a type that fits: ${type}`, given, type);
  return type;
}

function mapped(one: Reading, kind: Kind, place: string): MappedQuestion {
  const choices = choicesOf(one);
  const more = kind.more(one);
  const type = typeOf(one, kind, choices, more);
  const label = one.text("label", { most: 1_000, lines: true });
  if (label === undefined) one.note("label", "a label for a question without one");
  const given = one.text("questionId", { most: 100 });
  if (given === undefined) one.note("questionId", "an id for a question without one");
  const required = one.flag("required") ?? false;
  one.leftOut();
  const sourceId = given ?? steadyId(`question ${place} ${label ?? ""}`);
  // A LINEAR_SCALE that became a text has no bounds.
  const { scaleMin, scaleMax, ...others } = more;
  const kept = type === "LINEAR_SCALE" ? more : others;
  return {
    sourceId,
    question: { questionId: sourceId, label: label ?? `Question ${place}`, type, required, choices, ...kept },
  };
}

/**
 * The questions of one list.
 * @param taken ids in another list of the event; new ids are added
 */
function questionsOf(reading: Reading, name: string, kind: Kind, taken: Set<string>): MappedQuestions | undefined {
  const value = reading.raw(name);
  const given = typeof value === "string" ? jsonOf(value) : value;
  if (given === undefined || given === null || value === "") return undefined;
  if (!Array.isArray(given)) {
    reading.note(name, "left out: not a list", value, null);
    return undefined;
  }
  if (given.length > maxQuestions)
    reading.note(name, `at most ${maxQuestions} questions`, value, given.slice(0, maxQuestions));
  const renamed = new Map<string, string>();
  const questions: MappedQuestion["question"][] = [];
  let workshops = 0;
  for (const [index, entry] of given.slice(0, maxQuestions).entries()) {
    if (!isMap(entry)) {
      reading.note(name, "left out: a question that is no map", entry, null);
      continue;
    }
    const one = new Reading(entry, reading.changes, `${name}/*/`);
    const { question, sourceId } = mapped(one, kind, `${name} ${index + 1}`);
    let { questionId, type } = question;
    for (let copy = 2; taken.has(questionId) || isReserved(questionId); copy += 1) {
      questionId = `${sourceId.slice(0, 90)}-${copy}`;
    }
    if (questionId !== sourceId) {
      const why = "another id: the event has a question with this id, or the word is reserved";
      one.note("questionId", why, sourceId, questionId);
      // Answers under the id belong to the first question of this list with that id.
      if (!questions.some((other) => other.questionId === sourceId)) renamed.set(sourceId, questionId);
    }
    taken.add(questionId);
    if (type === "WORKSHOP_SELECTION") workshops += 1;
    if (workshops > maxWorkshops && type === "WORKSHOP_SELECTION") {
      one.note("type", `at most ${maxWorkshops} workshops: SELECT`, type, "SELECT");
      type = "SELECT";
    }
    questions.push({ ...question, questionId, type });
  }
  return { questions, renamed };
}

const noneRenamed: ReadonlyMap<string, string> = new Map();

/** The four lists of questions of an event, and the new ids for answers of attendees and partners. */
export function questionLists(reading: Reading) {
  const taken = new Set<string>();
  const attendees = questionsOf(reading, "registrationQuestions", registration, taken);
  const partners = questionsOf(reading, "partnerRegistrationQuestions", registration, taken);
  return {
    lists: {
      registrationQuestions: attendees?.questions,
      partnerRegistrationQuestions: partners?.questions,
      attendeeFeedbackQuestions: questionsOf(reading, "attendeeFeedbackQuestions", feedback, new Set())?.questions,
      partnerFeedbackQuestions: questionsOf(reading, "partnerFeedbackQuestions", feedback, new Set())?.questions,
    },
    renamed: { attendee: attendees?.renamed ?? noneRenamed, partner: partners?.renamed ?? noneRenamed },
  };
}
