/** A stage that notes which rights its functions use, and from which one right can be taken away. */
import { setTimeout as pause } from "node:timers/promises";
import type { AccessRequest } from "../../tools/laptop/iam/index.ts";
import { concerns } from "../../tools/laptop/iam/policy.ts";
import { type Story, stories } from "./grants-uses.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

/** An action on a resource that a function may take. */
export interface Right {
  readonly functionName: string;
  readonly action: string;
  readonly resource: string;
}

/** Rights that no story can need, and why. */
const exceptions: readonly (readonly [RegExp, string])[] = [
  [/ logs:/, "Lambda writes the log; the laptop reads what the function prints."],
  [/ sqs:SendMessage/, "What is not understood needs them: malformed.test.ts; the relay's, Lambda's destination."],
  [/ sqs:/, "Lambda's mappings use them: tools/laptop/test/mapping-rights.test.ts."],
  [/^Relay dynamodb:/, "Lambda's mapping uses them: tools/laptop/test/mapping-rights.test.ts."],
  [/^ClearUp dynamodb:BatchGetItem/, "The code of every departure can ask for it; a deleted event gives no seat on."],
  [/^CloseCheckout dynamodb:ConditionCheckItem/, "The code of every settlement has it; what is unheard is a seat's."],
  [/^Books dynamodb:DeleteItem/, "A stage that refunds by itself needs it: what waited is not listed any more."],
  [/^Books dynamodb:UpdateItem/, "The code of every registration has it; a mark does not need it."],
  [/^Payments dynamodb:ConditionCheckItem/, "The code that ends memberships has it; who has paid has an account."],
  [/^Chat dynamodb:Query/, "It reads a place in line, and a place that cannot be read is left out."],
  [/^Sweeper dynamodb:Query .*REGISTRATIONS/, "Only a stage with answersKeptDays removes what people entered."],
  [/^Calendar dynamodb:Query .*GSI1/, "The list of events is kept for a minute, in which no right is asked for."],
  [/ ses:SendRawEmail .*identity\/[^@]+@/, "SES asks for it where the address is verified and not its domain."],
];

export const nameOf = ({ functionName, action, resource }: Right): string => `${functionName} ${action} ${resource}`;
const isException = (right: Right): boolean => exceptions.some(([pattern]) => pattern.test(nameOf(right)));
const isFor = (right: Right, functionName: string, { action, resource }: AccessRequest): boolean =>
  right.functionName === functionName &&
  concerns({ Effect: "Allow", Action: right.action, Resource: right.resource }, { action, resource });

/** What a right that is taken away has led to. */
interface Outcome {
  /** Answers of 500 and more, and errors that functions logged. */
  readonly problems: readonly string[];
  /** The console has named the right. */
  readonly isSaid: boolean;
}

export type GrantedStage = Awaited<ReturnType<typeof givenGrants>>;

/** The caller closes the stage. */
export async function givenGrants() {
  const uses = new Map<string, Set<string>>();
  let rights: readonly Right[] = [];
  let story = "";
  let taken: Right | undefined;
  const stage = await givenStage({
    quiet: true,
    retryDelay: 20,
    publicEvents: true,
    withheld: (functionName, request) => {
      for (const right of rights.filter((one) => isFor(one, functionName, request))) {
        uses.set(nameOf(right), (uses.get(nameOf(right)) ?? new Set()).add(story));
      }
      return taken !== undefined && isFor(taken, functionName, request);
    },
  });
  rights = stage.rights();

  /** Tells a story. @returns what went wrong: answers of 500 and more, and errors that functions logged */
  async function tell(name: string): Promise<string[]> {
    story = name;
    const from = stage.logs.length;
    const problems: string[] = [];
    const api: ServiceStage["api"] = async (method, path, call) => {
      const answer = await stage.api(method, path, { ...call, once: true });
      if (answer.status >= 500) problems.push(`${method} ${path.split("?")[0]}: ${answer.status}`);
      return answer;
    };
    await (stories[name] as Story)({ ...stage, api }).catch((error: Error) => problems.push(error.message));
    await stage.settled();
    return [...problems, ...errorsSince(from)];
  }

  /** The errors that functions have logged after so many lines. */
  function errorsSince(from: number): string[] {
    return stage.logs.slice(from).flatMap(({ functionName, text }) => {
      const line = text.startsWith("{") ? JSON.parse(text) : { level: "ERROR", message: text, timestamp: "" };
      // The line of the laptop's own console has no time.
      return line.level === "ERROR" && "timestamp" in line ? [`${functionName}: ${line.message}`] : [];
    });
  }

  /** A line that a function printed may arrive after the function has ended. */
  async function errorsSoonAfter(from: number): Promise<string[]> {
    const deadline = Date.now() + 5_000;
    while (errorsSince(from).length === 0 && Date.now() < deadline) await pause(20);
    return errorsSince(from);
  }

  async function tellWithout(right: Right, name: string): Promise<Outcome> {
    const sentence = `is not authorized to perform: ${right.action} on resource: `;
    const from = stage.logs.length;
    taken = right;
    const problems = await tell(name);
    taken = undefined;
    const said = stage.logs.slice(from).filter(({ functionName }) => functionName === right.functionName);
    const isSaid = said.some(({ text }) => text.includes(sentence));
    const outcome = { problems: isSaid && problems.length === 0 ? await errorsSoonAfter(from) : problems, isSaid };
    await stage.payments.release();
    await stage.settled();
    return outcome;
  }

  return {
    stage,
    tell,
    /** The rights that a story has used, but for the exceptions. */
    needed: () => rights.filter((right) => uses.has(nameOf(right)) && !isException(right)),
    /** The names of the rights that no story has used, but for the exceptions. */
    unneeded: () => rights.filter((right) => !uses.has(nameOf(right)) && !isException(right)).map(nameOf),
    /** Takes a right away and tells the stories that have used it, until one of them fails. */
    async without(right: Right): Promise<Outcome> {
      let outcome: Outcome = { problems: [], isSaid: false };
      // A function keeps a secret that it has read, so the first story that needs it hides the others.
      const isSecret = right.action.startsWith("secretsmanager:");
      for (const name of isSecret ? Object.keys(stories) : [...(uses.get(nameOf(right)) ?? [])]) {
        if (isSecret) stage.restart(right.functionName);
        outcome = await tellWithout(right, name);
        // A story that failed before the function asked for the right shows nothing about it.
        if (!outcome.isSaid && outcome.problems.length > 0) outcome = await tellWithout(right, name);
        if (outcome.isSaid && outcome.problems.length > 0) return outcome;
      }
      return outcome;
    },
  };
}
