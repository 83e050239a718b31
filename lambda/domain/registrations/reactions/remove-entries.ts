/**
 * Removes what people entered in registrations: of before an account's deletion, and of past events where the stage has it
 * (`docs/contract.md`, "A person's data"). Status, points, money and what counts seats stay.
 */
import type { EventRecord } from "#domain/events/event.ts";
import { allEvents, endedBefore } from "#domain/events/list.ts";
import { endMark, markAnnounced, withoutMark } from "#domain/events/store.ts";
import { allOf } from "#kit/lists/pages.ts";
import { type RequestContext, systemContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write, writeOnce } from "#kit/table/execute.ts";
import { NotYet } from "#outbox/messages.ts";
import { hasNoEntries, isNameless, withoutEntries } from "../record/entries.ts";
import { factOf, isOfBefore, type RegistrationRecord } from "../record/registration.ts";
import { rewritten } from "../record/transition.ts";
import { type Change, membersOf } from "../store/change.ts";
import { type RegistrationKey, readRegistration, registrationsOf } from "../store/store.ts";
import { eachInTime } from "./each-in-time.ts";
import type { Forgetting } from "./take-out-of-total.ts";

/**
 * @param emptied the registration without its entries; undefined when it has none, or is not meant
 * @throws Contended UnknownOutcome
 */
const remove = (
  key: RegistrationKey,
  emptied: (registration: RegistrationRecord) => RegistrationRecord | undefined,
  noted: Pick<Change, "audit" | "reason">,
  context: RequestContext,
): Promise<void> =>
  execute(
    {
      read: () => readRegistration(key, "strong"),
      decide(current): Decision<void> {
        const rest = current && current.status !== "deleted" ? emptied(current) : undefined;
        if (!current || !rest) return answer(undefined);
        const after = { ...rest, ...rewritten(context, current) };
        const message = { type: "registration.updated", data: factOf(after) } as const;
        return write(membersOf({ before: current, after, message, ...noted }, context), undefined);
      },
    },
    context,
  );

/**
 * Removes name and entries, unless the registration is newer than the deletion.
 * @throws Contended UnknownOutcome
 */
export const removeEntries = (
  key: RegistrationKey,
  { deletedAt, audit }: Forgetting,
  context: RequestContext,
): Promise<void> =>
  remove(
    key,
    (current) =>
      !isOfBefore(deletedAt, current) || (hasNoEntries(current) && isNameless(current))
        ? undefined
        : { ...withoutEntries(current), fname: "", basicInformation: {} },
    { audit, reason: "Deleted: what the person entered is removed." },
    context,
  );

/** Names the end as well: what people enter for a later date of the event is removed after that one. */
const markOf = endMark("entries removed");

/** The registrations of an event in which people have entered something. Those with a counted answer only are among them. */
export const withEntriesOf = async (event: EventRecord) =>
  (await allOf(registrationsOf(event))).filter(
    (row) => row.generation === event.generation && !hasNoEntries({ ...row, choices: {} }),
  );

/** Removes the entries of one event, and notes that they are removed. @throws NotYet some are left for the next run */
async function removeEntriesOf(event: EventRecord, context: RequestContext): Promise<number> {
  const rows = await withEntriesOf(event);
  await eachInTime(rows, context, ({ email }) =>
    remove(
      { email, event },
      (current) =>
        current.generation !== event.generation || hasNoEntries(current) ? undefined : withoutEntries(current),
      { audit: "fields", reason: "Long past: what the person entered is removed." },
      context,
    ),
  );
  await writeOnce({ mark: markAnnounced(event, markOf(event), context.now) }, context);
  return rows.length;
}

/**
 * Removes what people entered for events that ended so many days ago: answers, diet, phone, student number. Names stay.
 * One portion; the next run continues.
 * @param now epoch milliseconds
 * @returns how many registrations were emptied
 */
export async function removeOldEntries(days: number, now: number): Promise<number> {
  const context = systemContext("retention", now);
  let emptied = 0;
  for (const event of await withoutMark(endedBefore(await allEvents(), days, now), markOf)) {
    try {
      emptied += await removeEntriesOf(event, context);
    } catch (error) {
      if (error instanceof NotYet) return emptied;
      throw error;
    }
  }
  return emptied;
}
