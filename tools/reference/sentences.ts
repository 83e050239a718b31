/** What answers and refusals say: the service's own sentences, by what a route is about. */
import type { ProblemCode } from "#api/refusals.ts";
import type { Route } from "#api/routes.ts";
import { NothingSaid } from "./fields.ts";

/** An operation of the reference. */
export interface Named {
  readonly route: Route;
  readonly operationId: string;
  /** The function that answers it. */
  readonly capability: string;
}

/**
 * The records that an operation is about, else those of its function. Its answer is about the first one; each of them may be
 * the one that is not found.
 */
const subjects: Readonly<Record<string, readonly string[]>> = {
  btx: ["Project"],
  btxReset: ["Account"],
  calendar: ["Calendar"],
  renewCalendar: ["User"],
  door: ["Event"],
  joinDoor: ["Link"],
  revokeDoorDevices: ["Device", "Event"],
  emails: ["Template"],
  sendEmails: ["Template", "Event"],
  takePayment: ["Registration"],
  reversePayment: ["Entry", "Payment"],
  getCampaign: ["Campaign"],
  stopCampaign: ["Campaign"],
  events: ["Event"],
  feedback: ["Event"],
  members: ["Member"],
  payments: ["Payment"],
  startPayment: ["Registration", "Event"],
  prizes: ["Prize"],
  profiles: ["Profile"],
  createProfile: ["User"],
  registrations: ["Registration", "Event"],
  register: ["Event", "Registration"],
  listRegistrations: ["Event"],
  deleteRegistration: ["Registration"],
  registrationsLeaderboard: ["Event"],
  users: ["User"],
  setFavourite: ["User", "Event"],
};

const subjectsOf = ({ operationId, capability }: Named): readonly string[] =>
  subjects[operationId] ?? subjects[capability] ?? [];

/** What a write has done, when no row of `done` says it. */
const verbs: Readonly<Record<string, string>> = {
  POST: "created",
  PATCH: "updated",
  PUT: "updated",
  DELETE: "deleted",
};

/** What writes have done that is more than to create, change or delete their subject; with two successes, by status. */
const done: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  addSuppression: "This address gets no campaigns any more.",
  askAsGuest: "A mail with the link is on its way.",
  sendExportLink: "The mail with the link is on its way.",
  registerGuest: {
    200: "The person's registration that still waits for its payment.",
    201: "Registered: a seat, a hold until payment, or a place in line.",
  },
  bringScans: "What came of each scan, in the order of the request.",
  btxBumpPhase: "Price moved.",
  btxBuy: "Shares bought.",
  btxDeleteProject: "Project removed from the game.",
  btxInvestmentImpact: "Price moved.",
  btxReset: "The account is reset.",
  btxSaveProject: "Project saved.",
  btxSeedProject: "Price moved.",
  btxSell: "Shares sold.",
  checkIn: "Checked in.",
  closeMonth: "What stood in the accounts at the end of the month.",
  createDoorLink: "The link to the door, with its secret.",
  createProfile: "Profile created.",
  createUploadUrl: "The address to upload to, and the one to show.",
  deleteRegistrations: "Registrations deleted.",
  grantMembership: "Membership granted.",
  joinDoor: "The token of the new device, and the event.",
  massUpdate: "What came of each row, in the order of the request.",
  previewTemplate: "The mail with these values.",
  receivePaymentEvent: "The event is accounted for: do not send it again.",
  refundPayment: "The refund is on its way to the provider.",
  register: {
    200: "The person's registration that still waits for its payment.",
    201: "Registered: a seat, a hold until payment, or a place in line.",
  },
  removeSuppression: "This address gets campaigns again.",
  renewCalendar: "Calendar created.",
  renewClubCalendar: "Calendar created.",
  resendTicket: "The ticket is on its way.",
  revokeDoorDevices: "Revoked.",
  sendEmails: "The campaign is accepted; its mails follow.",
  setFavourite: "Favourites updated.",
  startPayment: "The address of the page to pay on.",
  stopCampaign: "Campaign stopped: nobody else gets it.",
  submitFeedback: "Thank you for your feedback.",
  submitFeedbackByLink: "Thank you for your feedback.",
};

/** What an answer is. A read's summary says it. */
export function answerSentence(named: Named, status: string): string {
  const { route, operationId } = named;
  const own = done[operationId];
  if (own !== undefined) return typeof own === "string" ? own : (own[status] as string);
  if (route.method === "GET") return `${route.summary}.`;
  return `${subjectsOf(named)[0]} ${verbs[route.method]}.`;
}

const onlyOwn = {
  FORBIDDEN: ["You can change only your own registration."],
  ILLEGAL_TRANSITION: [
    "A registration that is checkedIn cannot become cancelled. Undo the check-in first: set it to registered.",
  ],
};

/** Refusals whose reason depends on the operation. The first sentence is the example. */
const reasons: Readonly<Record<string, Readonly<Partial<Record<ProblemCode, readonly string[]>>>>> = {
  btxSaveProject: { DUPLICATE: ["There is a project with this id in another event already."] },
  askAsGuest: { FORBIDDEN: ["Sign in to register for this event."] },
  getGuest: { FORBIDDEN: ["Sign in to register for this event."] },
  registerGuest: {
    DUPLICATE: ["There is a registration for this person and event already."],
    FORBIDDEN: ["Sign in to register for this event."],
  },
  changeByLink: { ILLEGAL_TRANSITION: ["Only a person with a confirmed seat can say that they come."] },
  checkIn: {
    ILLEGAL_TRANSITION: [
      "This registration is waitlist: it is no confirmed seat.",
      "This ticket was replaced by another one; the registration is registered.",
    ],
  },
  createEvent: { DUPLICATE: ["There is an event with this id and year already."] },
  copyEvent: { DUPLICATE: ["There is an event with this id and year already."] },
  createMember: { DUPLICATE: ["There is a member with this email already."] },
  createPrize: { DUPLICATE: ["There is a prize with this id already."] },
  createProfile: { DUPLICATE: ["You have a profile already."] },
  createTemplate: { DUPLICATE: ["There is a template of this name already."] },
  createUser: {
    DUPLICATE: ["There is a user with this email already."],
    FORBIDDEN: ["You can create only your own user record."],
  },
  deleteRegistration: { ...onlyOwn, FORBIDDEN: ["You can delete only your own registration."] },
  deleteUser: { FORBIDDEN: ["You can delete only your own user record."] },
  getActiveEvent: { NOT_FOUND: ["No upcoming event."] },
  exportData: { FORBIDDEN: ["You can see only your own data."] },
  getErasurePlan: { FORBIDDEN: ["You can see only your own data."] },
  getEvent: { FORBIDDEN: ["Only an admin can ask for users=true."] },
  listRegistrations: {
    FORBIDDEN: ["Only an admin can ask for format=csv.", "Only an admin can ask for attendance=true."],
  },
  renewCalendar: { FORBIDDEN: ["You can ask only for your own calendar."] },
  refundPayment: { ILLEGAL_TRANSITION: onlyOwn.ILLEGAL_TRANSITION },
  register: {
    DUPLICATE: ["There is a registration for this person and event already."],
    FORBIDDEN: ["You can register only yourself."],
  },
  resendTicket: { ILLEGAL_TRANSITION: ["This registration is cancelled: it has no ticket."] },
  sendEmails: { DUPLICATE: ["This idempotencyKey was used for another campaign."] },
  setFavourite: { FORBIDDEN: ["You can change only your own favourites."] },
  updateEvent: {
    EVENT_HAS_REGISTRATIONS: ["An event with registrations cannot change whether it takes applications."],
  },
  updateRegistration: {
    ...onlyOwn,
    DUPLICATE: ["There is a registration for this person and event already."],
  },
  updateUser: { FORBIDDEN: ["Only an admin can change isMember."] },
};

/** Refusals that say the same everywhere. */
const general: Readonly<Partial<Record<ProblemCode, string>>> = {
  VALIDATION: "capac must be a whole number from 1 to 1,000,000, or null.",
  UNAUTHENTICATED: "Sign in to use this: an ID token with an email is needed.",
  MEMBERS_ONLY: "This event is for members only.",
  DOOR_CLOSED: "This event is over: its door is closed.",
  TOO_MANY_DEVICES: "This link has 10 devices. Ask for a new one.",
  WRONG_EVENT: "This ticket is for another event: gala 2030.",
  FEEDBACK_DISABLED: "This event takes no feedback of this kind.",
  EVENT_FULL: "The event is full.",
  STATUS_CHANGED: "This registration has changed since you saw it: it is registered now. Please look again.",
  CHOICE_FULL: '"Strategy" is full. Please choose another one.',
  EVENT_CLOSED: "Registration for this event is closed.",
  NOT_OPEN_YET: "Registration opens on Friday, February 1, 2030 at 1:00 PM GMT-7.",
  EVENT_HAS_REGISTRATIONS: "People are registered for this event. Delete it with force=true to cancel them all.",
  NOTHING_TO_PAY: "There is nothing left to pay: your seat is confirmed.",
  NOTHING_TO_DECIDE: "Nothing of this payment waits for a decision.",
  NOT_REVERSIBLE: "This entry is reversed already.",
  AMOUNT_DIFFERS:
    "20.00 CAD is asked for, not 2.00 CAD. `confirm: true` records it all the same; the rest stays owed, unless `waive` says why not.",
  NOT_RECONCILED: "The provider's books have not been read to the end of this month: close it after the next night.",
  MONTH_CLOSED: "This month is closed: record it with a date since then.",
  NOT_REFUNDABLE: "Only 5.00 CAD of this payment is left.",
  INSUFFICIENT_CASH: "You do not have enough cash for this.",
  INSUFFICIENT_SHARES: "You do not have as many shares of this project.",
  PROJECT_INACTIVE: "This project is not traded any more.",
  REQUEST_IN_PROGRESS: "This request is being carried out already. Send it again in a moment to get its answer.",
  IDEMPOTENCY_KEY_REUSED: "This Idempotency-Key was used for another request. Use a new key for each new request.",
  PRECONDITION_FAILED: "This has changed since you read it. Please read it again.",
  TOO_LARGE: "The body is larger than 256 KB.",
  TOO_OFTEN: "You have registered for this event too often. Please try again later.",
  UNAVAILABLE: "The service does not answer right now. Please try again.",
  CONTENDED: "Too many people are doing this at the same moment. Nothing was changed; please try again.",
  OUTCOME_UNKNOWN: "We did not hear in time whether this was done. Please look before you try again.",
  INTERNAL: "Something went wrong on our side.",
};

/** The message of admin routes for other callers. */
export const adminsOnly = "Unauthorized";

/** Whether the refusal says the same everywhere. */
export const isGeneral = (named: Named, code: ProblemCode): boolean =>
  [general[code], adminsOnly].includes(refusalSentences(named, code)[0]);

/**
 * The sentences of a refusal, at least one.
 * @throws NothingSaid none is known
 */
export function refusalSentences(named: Named, code: ProblemCode): readonly string[] {
  const { route, operationId } = named;
  if (code === "FORBIDDEN" && route.access === "admin") return [adminsOnly];
  const own = reasons[operationId]?.[code];
  if (own) return own;
  if (code === "NOT_FOUND") {
    const missing = subjectsOf(named);
    if (missing.length > 0) return missing.map((what) => `${what} not found.`);
  }
  const sentence = general[code];
  if (sentence) return [sentence];
  throw new NothingSaid(`Nothing says why ${operationId} answers ${code}: add it in tools/reference/sentences.ts.`);
}
