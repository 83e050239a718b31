/** Situations of the capacity protocol, and how one is run once. */

import type fc from "fast-check";
import { ulid } from "ulid";
import type { Steps as AdmitSteps } from "../../../lambda/registrations/admit.ts";
import type { Steps as LeaveSteps } from "../../../lambda/registrations/leave.ts";
import { Judge } from "./judge.ts";
import { calmly, forgetHistory, type Interference, play } from "./world.ts";

/** What somebody does. */
export type Act =
  | { readonly do: "register"; readonly who: string; readonly choice?: string; readonly partner?: boolean }
  | { readonly do: "leave"; readonly who: string }
  | { readonly do: "capacity"; readonly capac: number | null }
  | { readonly do: "complete"; readonly isCompleted: boolean }
  | { readonly do: "describe" }
  | { readonly do: "delete" }
  | { readonly do: "create"; readonly capac: number };

export interface Situation {
  readonly name: string;
  readonly capac: number | null;
  /** Room in each of the workshops `a`, `b`, `c`. */
  readonly participantCap?: number;
  /** Done one after the other before the others start. */
  readonly before?: readonly Act[];
  /** Done at once. */
  readonly acts: readonly Act[];
  readonly crashes?: number;
  readonly lost?: number;
}

/** What a mutant switches off. */
export interface Mutant {
  readonly mutate?: Interference["mutate"];
  readonly disguise?: Interference["disguise"];
  readonly admitSteps?: AdmitSteps;
  readonly leaveSteps?: LeaveSteps;
}

const year = 2030;
const admin = { email: "exec@club.example", isAdmin: true };
const emailOf = (who: string): string => `${who}@model.example`;
const long = Date.parse("2026-01-01T00:00:00Z");
let runs = 0;
let clock = long;

/** One after the other: jest's modules do not survive being imported from several places at once. */
async function product() {
  const register = await import("../../../lambda/registrations/register.ts");
  const leave = await import("../../../lambda/registrations/leave.ts");
  const promote = await import("../../../lambda/registrations/promote.ts");
  const events = await import("../../../lambda/events/index.ts");
  return { ...register, ...leave, ...promote, events: events.handler };
}

const codeOf = (error: unknown): string => {
  const { code } = error as { code?: string };
  if (code === undefined) throw error;
  return code;
};

/**
 * Runs a situation once.
 * @returns the invariants that were violated
 */
export async function runOnce(
  situation: Situation,
  mutant: Mutant,
  chance: { readonly order: fc.Scheduler; readonly dice: () => number },
): Promise<string[]> {
  runs += 1;
  const event = { id: `m${runs}`, year };
  const judge = new Judge();
  const code = await product();
  const answers: { email: string; waitKey: string; outcome: string }[] = [];
  const leavers = new Set<string>();

  const origin = () => ({ now: clock, actor: "model", correlationId: "model" });
  const callEvents = async (routeKey: string, body?: object, query?: object): Promise<void> => {
    clock += 1;
    const { statusCode = 0, body: text } = await code.events({
      routeKey,
      headers: {},
      pathParameters: { eventId: event.id, year: String(year) },
      queryStringParameters: query,
      body: body && JSON.stringify(body),
      isBase64Encoded: false,
      requestContext: {
        requestId: "model",
        timeEpoch: clock,
        authorizer: { jwt: { claims: { token_use: "id", email: admin.email, email_verified: "true" } } },
      },
    } as unknown as Parameters<typeof code.events>[0]);
    if (statusCode >= 500 && statusCode !== 503) throw new Error(`${routeKey}: ${text}`);
  };
  const create = (capac: number | null) =>
    callEvents("POST /events", {
      ...event,
      ename: "Model",
      capac,
      startDate: "2030-05-01",
      ...(situation.participantCap !== undefined && {
        registrationQuestions: [
          {
            questionId: "w",
            label: "Workshop",
            type: "WORKSHOP_SELECTION",
            required: false,
            choices: ["a", "b", "c"],
            participantCap: situation.participantCap,
          },
        ],
      }),
    });

  async function register({ who, choice, partner }: Act & { do: "register" }): Promise<void> {
    clock += 1;
    const arrival = `${clock}#${ulid(clock)}`;
    const email = emailOf(who);
    const request = {
      body: {
        eventID: event.id,
        year,
        email,
        isPartner: partner,
        ...(choice && !partner && { dynamicResponses: { w: choice } }),
      },
      caller: { email, isAdmin: false },
      now: clock,
      arrival,
      requestId: arrival,
    } as unknown as Parameters<typeof code.admitOrRefuse>[0];
    const outcome = await code
      .admitOrRefuse(request, mutant.admitSteps)
      .then(({ registration }) => registration.status, codeOf);
    answers.push({ email, waitKey: arrival, outcome });
  }

  async function act(step: Act): Promise<void> {
    switch (step.do) {
      case "register":
        return register(step);
      case "leave": {
        clock += 1;
        leavers.add(emailOf(step.who));
        const departure = { email: emailOf(step.who), event, arrival: `${clock}#${ulid(clock)}` };
        return code.leave(departure, origin(), mutant.leaveSteps).catch((error) => void codeOf(error));
      }
      case "capacity":
        return callEvents("PATCH /events/{eventId}/{year}", { capac: step.capac });
      case "complete":
        return callEvents("PATCH /events/{eventId}/{year}", { isCompleted: step.isCompleted });
      case "describe":
        return callEvents("PATCH /events/{eventId}/{year}", { nonBizTechAllowed: true, isPublished: true });
      case "delete":
        return callEvents("DELETE /events/{eventId}/{year}", undefined, { force: "true" });
      case "create":
        return create(step.capac);
    }
  }

  forgetHistory();
  await calmly(judge, async () => {
    await create(situation.capac);
    for (const step of situation.before ?? []) await act(step);
  });
  let crashes = situation.crashes ?? 0;
  let lost = situation.lost ?? 0;
  let crashed = false;
  await play(Object.fromEntries(situation.acts.map((step, index) => [`${index} ${step.do}`, () => act(step)])), {
    order: chance.order,
    witness: judge,
    mutate: mutant.mutate,
    disguise: mutant.disguise,
    age: () => (chance.dice() < 15 ? 1 + (chance.dice() % 2) : 0),
    fate: () => {
      const roll = chance.dice();
      if (roll < 10) return "conflict";
      if (roll < 18 && lost > 0) {
        lost -= 1;
        return "lost";
      }
      if (roll < 24 && crashes > 0) {
        crashes -= 1;
        crashed = true;
        return "vanish";
      }
      return "fine";
    },
  });
  // The consumer behind the outbox repairs what a crash left; without one the protocol must come to rest by itself.
  if (crashed) await calmly(judge, () => code.promote(event, { ...origin(), now: long }));
  judge.rest();
  // What was answered of an event that is deleted later need not be there any more.
  const isDeleted = situation.acts.some((step) => step.do === "delete");
  for (const { email, waitKey, outcome } of answers) {
    judge.answered(email, waitKey, outcome, isDeleted || leavers.has(email));
  }
  return judge.violations;
}
