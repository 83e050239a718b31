/**
 * What follows a person to a new email, after the transaction that moved account and registrations (`new-email.ts`): money,
 * receipts, signed feedback, trades, scans, and what was left or written meanwhile. Each step is one transaction on the
 * condition that its items are as they were read, so a run may die anywhere and be repeated. The note goes last.
 */

import { dropMoved, type NewEmail, readNewEmail } from "#domain/people/users/new-email.ts";
import { isOfBefore } from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { allOf, queryItems } from "#kit/lists/pages.ts";
import { log } from "#kit/log.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { Backoff, retried } from "#kit/table/retry.ts";
import { deleteIf, getItem, getItems, type Item, putIf, putNew } from "#kit/table/table.ts";
import { NotYet } from "#outbox/messages.ts";
import { keyOf, storedKindOf } from "#outbox/stored-kinds.ts";
import { leadsTo, listsOf, offersBy, paymentsOf, scansOf } from "./find.ts";
import { eventsOf, membersFor, recordsIn } from "./new-email.ts";
import { fateOf, renamed, unchanged } from "./renamed.ts";

/** Rounds of one run. The index may show an item for a moment as it was. */
const mostRounds = 5;
/** Milliseconds. */
const betweenRounds = { least: 100, most: 300 };

/** Whether an item of the partition has still to follow. Who has registered since is there again. */
function isLate(item: Item, movedAt: number): boolean {
  const kind = storedKindOf(item);
  if (kind !== "registration") return kind === "account in the game" || ["follows", "goes"].includes(fateOf(item));
  if (item.status === "deleted") return false;
  const registration = registrationIn(item);
  // An unpaid seat that was allocated in the moment of the change stays.
  return registration.holdExpiresAt === undefined && isOfBefore(movedAt, registration);
}

/** What is still under the former email: in its partition, and in those of others. */
async function left({ email, to, movedAt = 0 }: NewEmail) {
  const [former, next] = await Promise.all([recordsIn(email), recordsIn(to)]);
  const all = [...former, ...next];
  const signed = all.filter((item) => storedKindOf(item) === "signed feedback");
  const [payments, scans, offers, feedback, listed] = await Promise.all([
    paymentsOf(all, email),
    scansOf(all, email),
    offersBy(all, email),
    getItems<Item>(
      signed.flatMap((item) => leadsTo(item, email)),
      "strong",
    ),
    Promise.all(listsOf(email).map((list) => allOf(queryItems<Item>(list)))),
  ]);
  const theirs = feedback.filter(({ respondentEmail }) => respondentEmail === email);
  return {
    own: former.filter((item) => isLate(item, movedAt)),
    elsewhere: [...payments, ...scans, ...offers, ...theirs, ...listed.flat()],
  };
}

/** In its place, under the new email. Who has read it before must read it again. */
function rewritten(item: Item, email: string, to: string): Item {
  const { version } = item;
  return { ...renamed(item, email, to), ...(typeof version === "number" && { version: version + 1 }) };
}

/**
 * Idempotent.
 * @throws NotYet something has changed meanwhile: the message is delivered again
 */
export async function followToNewEmail(email: string, context: RequestContext): Promise<void> {
  const note = await retried(() => readNewEmail(email), context);
  if (note?.movedAt === undefined) return;
  const { to } = note;
  const backoff = new Backoff(context);
  const kept = new Set<string>();
  for (let round = 0; ; round += 1) {
    const { own, elsewhere } = await retried(() => left(note), context);
    const steps = own.filter((item) => !kept.has(item.SK));
    if (steps.length + elsewhere.length === 0) break;
    if (round === mostRounds) throw new NotYet("records have still to follow to the new email");
    if (round > 0) await backoff.rest(betweenRounds);
    const moving = steps.filter((item) => fateOf(item) === "moves");
    const [led, events] = await Promise.all([
      retried(
        () =>
          getItems<Item>(
            moving.flatMap((item) => leadsTo(item, email)),
            "strong",
          ),
        context,
      ),
      retried(() => eventsOf(moving.filter((item) => storedKindOf(item) === "registration")), context),
    ]);
    for (const item of steps) {
      if (backoff.isOver) throw new NotYet("no time for all records");
      const movesOthers = fateOf(item) === "moves" ? led : [];
      const members =
        fateOf(item) === "goes"
          ? { former: deleteIf(item, unchanged(item)) }
          : membersFor(item, { email, to, led: movesOthers, events }, context);
      const refused: { readonly item?: unknown } | undefined = members && (await writeOnce(members, context));
      // The person has one of this kind under the new address, too: that one stays.
      if (refused && "item" in refused) kept.add(item.SK);
    }
    for (const item of elsewhere) {
      if (backoff.isOver) throw new NotYet("no time for all records");
      await writeOnce({ item: putIf(rewritten(item, email, to), unchanged(item)) }, context);
    }
  }
  if (kept.size > 0) log.warn("records stay under a former email", { records: kept.size });
  await keepFromCampaigns(email, to, context);
  await writeOnce({ note: dropMoved(note) }, context);
}

/** Who wants no campaigns gets none under the new address. A mailbox that refused its mail says nothing about another. */
async function keepFromCampaigns(email: string, to: string, context: RequestContext): Promise<void> {
  const stored = await retried(() => getItem<Item>(keyOf("suppression", { email }), "strong"), context);
  if (!stored || /^bounce(:|$)/.test(String(stored.reason))) return;
  await writeOnce({ suppression: putNew({ ...renamed(stored, email, to), createdAt: context.now }) }, context);
}
