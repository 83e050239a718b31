/**
 * Adapts registrations to an event that has started or stopped taking applications, has turned a question into a workshop
 * selection or back, or has given partners seats of their own. The first two are allowed only while no person is registered or
 * waits, but a person may join the line concurrently without a conflict.
 */

import { isDeepStrictEqual } from "node:util";
import pMap from "p-map";
import { changeSeats } from "#domain/capacity/demands.ts";
import { readLine } from "#domain/capacity/line.ts";
import { isFull, type Place, poolOf, pools, type Seats } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { poolFor } from "#domain/events/seat-settings.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, readAgain, write } from "#kit/table/execute.ts";
import { retried } from "#kit/table/retry.ts";
import type { TransactItem } from "#kit/table/table.ts";
import { readAdmissionFacts } from "../admission.ts";
import { chosenIn, questionsFor } from "../form/answers.ts";
import { factOf, holderOf, holdsSeat, type RegistrationRecord } from "../record/registration.ts";
import { rewritten } from "../record/transition.ts";
import { membersOf } from "../store/change.ts";
import { registrationsOf } from "../store/store.ts";

type Facts = Awaited<ReturnType<typeof readAdmissionFacts>>;

/** The registration under the present terms, and the member of the seats. Undefined when it is right as it is. */
type Adoption = (before: RegistrationRecord, event: EventRecord, seats: Seats) => Adopted | undefined;

interface Adopted {
  readonly after: RegistrationRecord;
  readonly seats?: TransactItem<Seats>;
}

/** A waiting person. The place in line stays the same by its order. */
function inLine(before: RegistrationRecord, event: EventRecord, seats: Seats): Adopted | undefined {
  if (before.status !== "waitlist") return undefined;
  const { isApplicationBased: applicationBased = false } = event;
  const choices = chosenIn(questionsFor(before, event), before);
  const pool = poolFor(event, before.isPartner);
  const isSame = (before.applicationBased ?? false) === applicationBased && isDeepStrictEqual(before.choices, choices);
  if (before.pool === pool) return isSame ? undefined : { after: { ...before, applicationBased, choices } };
  const after = { ...before, applicationBased, choices, pool };
  return { after, seats: changeSeats(event, "regroup", { decided: poolOf(seats, pool) }) };
}

/** A partner with a seat of the attendees takes one of the partners' seats, while there is one. */
function seated(before: RegistrationRecord, event: EventRecord, all: Seats): Adopted | undefined {
  const pool = poolFor(event, before.isPartner);
  const seats = poolOf(all, pool);
  if (!holdsSeat(before) || before.pool === pool || isFull(seats)) return undefined;
  const after = { ...before, pool };
  const change = { decided: seats, leaving: [holderOf(before)], joining: [holderOf(after)] };
  return { after, seats: changeSeats(event, "decision", change) };
}

const adopt = (email: string, { id, year }: EventRecord, adoption: Adoption, context: RequestContext): Promise<void> =>
  execute(
    {
      read: () => readAdmissionFacts({ eventID: id, year, email }, "strong"),
      decide({ registration: before, event, seats }: Facts): Decision<void> {
        if (!before || !event || !seats || before.generation !== event.generation) return answer(undefined);
        if (event.termsVersion !== seats.termsVersion) return readAgain;
        const adopted = adoption(before, event, seats);
        if (!adopted) return answer(undefined);
        const after = { ...adopted.after, ...rewritten(context, before) };
        const message = { type: "registration.updated", data: factOf(after) } as const;
        return write(membersOf({ ...adopted, before, after, message, audit: "fields" }, context), undefined);
      },
    },
    context,
  );

/** Low, because they write the same seats. */
const atOnce = 4;
/** Of each line, the people who may have joined at the moment of the change. */
const mostAtOnce = 200;

/** The fields of an event whose change may leave people in line under other terms. */
const fieldsOfTerms: readonly string[] = [
  "isApplicationBased",
  "registrationQuestions",
  "partnerRegistrationQuestions",
  "partnerCapac",
];
export const changesLine = (changed: readonly string[]): boolean =>
  changed.some((name) => fieldsOfTerms.includes(name));

/** @throws Contended UnknownOutcome some registrations may have been corrected; the next run continues */
export async function adoptTerms(event: EventRecord, context: RequestContext): Promise<void> {
  const { generation } = event;
  const lines = pools.map((pool) => retried(() => readLine(event, { generation, pool }), context));
  const mayMisfit = ({ isPartner, pool }: Place, at: number) => at < mostAtOnce || pool !== poolFor(event, isPartner);
  const emails = (await Promise.all(lines)).flatMap(({ places }) => places.filter(mayMisfit).map(({ email }) => email));
  await pMap(emails, (email) => adopt(email, event, inLine, context), { concurrency: atOnce });
}

/**
 * Partners who have seats of the attendees get the partners' seats that there are now. Whom the index lacks yet keeps the
 * seat.
 * @throws Contended UnknownOutcome some keep their seats
 */
export async function seatPartners(event: EventRecord, context: RequestContext): Promise<void> {
  const partners: string[] = [];
  for await (const { email, isPartner } of registrationsOf(event)) if (isPartner) partners.push(email);
  await pMap(partners, (email) => adopt(email, event, seated, context), { concurrency: atOnce });
}
