import { ulid } from "ulid";
import { created, ok } from "#kit/answer.ts";
import { api, type Input } from "#kit/api.ts";
import { IllegalTransition, NotAllowed, Refusal } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import type { Consistency } from "#kit/table.ts";
import { withTicketCode } from "../tickets/codes.ts";
import { newTicketId } from "../tickets/store.ts";
import { type Admission, admit, outdated, type SeatRequest, type Steps } from "./admit.ts";
import { amend } from "./amend.ts";
import { readCircumstances } from "./circumstances.ts";
import { type Entry, entryFor } from "./eligibility.ts";
import { readForm } from "./form.ts";
import { type State, stateOf } from "./moves.ts";
import { registrationAnswer } from "./registration.ts";
import * as routes from "./routes.ts";
import type { NewRegistration } from "./schemas.ts";

/** What an admission is decided on. */
export type Request = Pick<Input<typeof routes.register>, "caller" | "arrival" | "now" | "requestId"> & {
  readonly body: NewRegistration;
};

const messages: Partial<Record<State, string>> = {
  registered: "You are registered.",
  incomplete: "A seat is held for you. It is yours once it is paid for.",
  applicant: "Your application is in. You will be told when it is decided.",
  waitlist: "The event is full. You are on the waitlist and will be told when a seat is yours.",
};

function seatRequest(
  { body, caller, arrival, now }: Request,
  { event, answers, terms }: Entry,
  userName = "",
): SeatRequest {
  const { basicInformation = {} } = body;
  return {
    newcomer: {
      email: body.email,
      eventID: event.id,
      year: event.year,
      fname: body.fname ?? basicInformation.fname ?? userName,
      studentId: body.studentId,
      basicInformation,
      dynamicResponses: answers.responses,
      choices: answers.choices,
      isPartner: body.isPartner ?? false,
      points: 0,
      waitKey: arrival,
      incarnation: event.incarnation,
      applicationBased: terms.application,
      ticketId: newTicketId(),
      calendarUid: ulid(now),
      changedBy: arrival,
      createdAt: now,
      updatedAt: now,
    },
    terms,
    cfg: event.cfg,
    byAdmin: caller.isAdmin,
  };
}

/**
 * A seat that is held for a payment which is not asked of the person any more is theirs. Decided on a read of its own:
 * what the admission was decided on is good enough for a held seat, but not for giving it away.
 */
async function settledIfFree(admission: Admission, { body, caller, arrival, now, requestId }: Request) {
  const request = { email: body.email, event: { id: body.eventID, year: body.year }, by: "self", arrival } as const;
  const origin = { now, actor: caller.email, correlationId: requestId };
  try {
    const amended = await amend({ ...request, amendment: { registrationStatus: "registered" } }, origin);
    return "registration" in amended ? { registration: amended.registration } : admission;
  } catch (error) {
    // It costs something after all, or somebody else has changed it: it is what it was.
    if (error instanceof NotAllowed || error instanceof IllegalTransition) return admission;
    throw error;
  }
}

/** Decides the terms and admits, deciding again when the event changes in between. */
function attempt(request: Request, firstRead: Consistency, steps?: Steps): Promise<Admission> {
  const { body, caller, now, requestId } = request;
  let consistency = firstRead;
  return untilSettled(async () => {
    const { event, seats, user, registration } = await readCircumstances(body, consistency);
    consistency = "strong";
    const isMember = user?.isMember ?? false;
    const entry = entryFor(body, { event, seats, isMember, byAdmin: caller.isAdmin, now });
    const admission = await admit(
      seatRequest(request, entry, user?.fname),
      { seats: entry.seats, registration },
      { now, actor: caller.email, correlationId: requestId },
      steps,
    );
    if (admission === outdated) return again;
    const isHeldForFree = admission.registration.status === "incomplete" && !entry.terms.priced;
    return isHeldForFree ? settledIfFree(admission, request) : admission;
  });
}

/**
 * An eventually consistent read, at half the cost, is good enough to admit on: the transaction demands what was read.
 * It is not good enough to refuse on.
 */
export async function admitOrRefuse(request: Request, steps?: Steps): Promise<Admission> {
  try {
    return await attempt(request, "eventual", steps);
  } catch (error) {
    if (error instanceof Refusal && error.code !== "CONTENDED") return attempt(request, "strong", steps);
    throw error;
  }
}

export const register = api(routes.register, async ({ body: form, ...rest }) => {
  const request = { ...rest, body: readForm(form) };
  const { body, caller } = request;
  if (body.email !== caller.email && !caller.isAdmin) throw new NotAllowed();
  const { registration, waitlistPosition } = await admitOrRefuse(request);
  // A registration that is held for a payment is not a new one.
  const isNew = registration.waitKey === request.arrival;
  return (isNew ? created : ok)({
    message: messages[stateOf(registration) as State] ?? "You are registered.",
    registrationStatus: registration.status,
    registration: registrationAnswer(registration, { waitlistPosition, ...(await withTicketCode(registration)) }),
  });
});
