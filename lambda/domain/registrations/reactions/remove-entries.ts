/**
 * Removes what people entered in registrations: of before an account's deletion, and of past events where the stage has it
 * (`docs/contract.md`, "A person's data"). Status, points, money and what counts seats stay.
 */
import type { EventRecord } from "#domain/events/event.ts";
import { allEvents } from "#domain/events/list.ts";
import { announcedKey, markAnnounced } from "#domain/events/store.ts";
import { allOf } from "#kit/lists/pages.ts";
import { type RequestContext, systemContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write, writeOnce } from "#kit/table/execute.ts";
import { getItems } from "#kit/table/table.ts";
import { NotYet } from "#outbox/messages.ts";
import { hasNoEntries, isNameless, withoutEntries } from "../record/entries.ts";
import { factOf, type RegistrationRecord, registeredAtOf } from "../record/registration.ts";
import { rewritten } from "../record/transition.ts";
import { membersOf } from "../store/change.ts";
import { type RegistrationKey, readRegistration, registrationsOf } from "../store/store.ts";
import { eachInTime } from "./each-in-time.ts";

/**
 * @param emptied the registration without its entries; undefined when it has none, or is not meant
 * @param reason for the audit
 * @throws Contended UnknownOutcome
 */
const remove = (
  key: RegistrationKey,
  emptied: (registration: RegistrationRecord) => RegistrationRecord | undefined,
  reason: string,
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
        return write(membersOf({ before: current, after, message, reason }, context), undefined);
      },
    },
    context,
  );

/**
 * Removes name and entries, unless the registration is newer than the deletion.
 * @param deletedAt when the account was deleted, epoch milliseconds
 * @throws Contended UnknownOutcome
 */
export const removeEntries = (key: RegistrationKey, deletedAt: number, context: RequestContext): Promise<void> =>
  remove(
    key,
    (current) =>
      registeredAtOf(current) > deletedAt || (hasNoEntries(current) && isNameless(current))
        ? undefined
        : { ...withoutEntries(current), fname: "", basicInformation: {} },
    "Deleted: what the person entered is removed.",
    context,
  );

const day = 86_400_000;
const mark = "entries removed";

/** The events that ended so many days ago, or earlier. Pure. @param now epoch milliseconds */
export const endedBefore = (events: readonly EventRecord[], days: number, now: number): EventRecord[] =>
  events.filter(
    ({ startDate, endDate = startDate }) => endDate !== undefined && Date.parse(endDate) <= now - days * day,
  );

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
      "Long past: what the person entered is removed.",
      context,
    ),
  );
  await writeOnce({ mark: markAnnounced(event, mark, context.now) }, context);
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
  const past = endedBefore(await allEvents(), days, now);
  const marks = new Set(
    (
      await getItems(
        past.map((event) => announcedKey(event, mark)),
        "eventual",
      )
    ).map(({ PK, SK }) => PK + SK),
  );
  let emptied = 0;
  for (const event of past.filter((one) => !marks.has(announcedKey(one, mark).PK + announcedKey(one, mark).SK))) {
    try {
      emptied += await removeEntriesOf(event, context);
    } catch (error) {
      if (error instanceof NotYet) return emptied;
      throw error;
    }
  }
  return emptied;
}
