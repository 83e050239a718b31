/** What a registration is, has and counts as in each of its states: every function that answers it, on every state. */
import { beforeEach, expect, test } from "@jest/globals";
import {
  applicationStatusOf,
  countersOf,
  deletionOf,
  hasEnded,
  holdsSeat,
  isLive,
  isUnpaid,
  type RegistrationRecord,
} from "#domain/registrations/record/registration.ts";
import { registrationStatuses, type State, statusOf } from "#domain/registrations/record/statuses.ts";
import { afterMove, isRefundable } from "#domain/registrations/record/transition.ts";
import { pointsThatCount } from "#domain/registrations/store/points.ts";
import { mustWait } from "../../tools/ops/invariants/seats.ts";
import { eventItem, eventRecord, registrationItem, registrationRecord } from "./given.ts";
import { caller, get, now, putsOf, sent, table, transactWrite } from "./mocked-table.ts";

const { isMeant } = await import("#domain/mail/campaigns/audience.ts");
const { sealedTicketCode } = await import("#domain/registrations/links/ticket-key.ts");
const registrations = caller((await import("#api/registrations/index.ts")).handler);

const states: readonly (State | "deleted")[] = [...registrationStatuses, "applicant", "deleted"];
const event = eventRecord({ startDate: "2030-05-01T00:00:00.000Z", pricing: { member: 5, nonMember: 10 } });

const inState = (state: State | "deleted"): RegistrationRecord =>
  registrationRecord({
    status: state === "deleted" ? state : statusOf(state),
    ...(state === "applicant" && { applicant: true }),
    points: 7,
    paidBy: "p",
    applicationBased: true,
    holdExpiresAt: now + 1,
  });

beforeEach(() => {
  table.reset();
  table.on(transactWrite).resolves({} as never);
});

/** The notice of the message that the last transaction has written. */
const noticeSent = () => {
  const rows = putsOf(sent.transactions().at(-1)).map((put) => put?.Item as { detail?: { data: { notice?: string } } });
  return rows.flatMap(({ detail }) => (detail ? [detail.data.notice] : []))[0] ?? "";
};

async function noticeSentAgain(state: State | "deleted"): Promise<string> {
  const { email, eventID, year } = inState(state);
  table.on(get).callsFake(({ Key }: { Key: { SK: string } }) => ({
    Item: Key.SK === "META" ? eventItem(event) : registrationItem(inState(state)),
  }));
  const { status } = await registrations("POST /registrations/resend-ticket", { body: { email, eventID, year } });
  return status === 200 ? noticeSent() : String(status);
}

/** The answers about one state, those that are no or empty left out. */
async function answersOf(state: State | "deleted") {
  const one = inState(state);
  const after = afterMove(one, { to: "checkedIn" }, { now });
  const answers = {
    live: isLive(one, one.generation),
    ended: hasEnded(one),
    waits: mustWait(one),
    seat: holdsSeat(one),
    counters: Object.keys(countersOf({ ...one, isPartner: true })).join(" "),
    unpaid: isUnpaid(one),
    confirmed: isMeant(one),
    refunded: isRefundable(one),
    points: pointsThatCount(one),
    ticket: "ticketCode" in sealedTicketCode(one, "k"),
    again: await noticeSentAgain(state),
    deletionTold: "notice" in deletionOf(one, one).data,
    application: applicationStatusOf(one),
    cameFrom: ["registered", "accepted", "acceptedComplete"].includes(state) ? after.cameFrom : "",
  };
  return Object.entries(answers)
    .filter(([, value]) => value)
    .map(([name, value]) => (value === true ? name : `${name}=${value}`))
    .join(", ");
}

const pinned: Readonly<Record<State | "deleted", string>> = {
  registered:
    "live, seat, counters=seats registered partners, confirmed, refunded, points=7, ticket, again=registered, deletionTold, application=reviewing, cameFrom=registered",
  waitlist: "live, waits, points=7, ticket, again=waitlist, deletionTold, application=waitlist",
  checkedIn:
    "live, seat, counters=seats checkedIn partners, confirmed, points=7, ticket, again=registered, deletionTold, application=accepted",
  incomplete:
    "live, seat, counters=seats incomplete partners, unpaid, refunded, points=7, ticket, again=incomplete, deletionTold",
  cancelled: "ended, again=409",
  accepted:
    "live, seat, counters=seats accepted partners, confirmed, refunded, points=7, ticket, again=accepted, deletionTold, application=accepted, cameFrom=accepted",
  acceptedPending:
    "live, seat, counters=seats accepted partners, unpaid, refunded, points=7, ticket, again=acceptedPending, deletionTold, application=accepted",
  acceptedComplete:
    "live, seat, counters=seats accepted partners, confirmed, refunded, points=7, ticket, again=acceptedComplete, deletionTold, application=accepted, cameFrom=acceptedComplete",
  rejected: "live, again=409, deletionTold, application=rejected",
  applicant: "live, counters=applicants, points=7, ticket, again=applicant, deletionTold, application=reviewing",
  deleted: "ended, again=404, deletionTold",
};

test.each(states)("a registration that is %s answers as pinned", async (state) => {
  expect(await answersOf(state)).toBe(pinned[state]);
});

test("a status that no build has written counts as a seat, so that none is given away because of it", () => {
  expect(holdsSeat({ status: "promised" as never })).toBe(true);
});
