/**
 * What the night does for memberships that end: it reminds the person once before the end, and notes the end. Prices and
 * rights do not wait for it: they count by the clock (`isMemberAt`).
 *
 * Each membership with an end has one note under the time at which it is next due. The note is moved, or removed, in the
 * transaction of the act, so a run that dies, is repeated or meets a renewal does nothing twice.
 */
import pMap from "p-map";
import { log } from "#kit/log.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write } from "#kit/table/execute.ts";
import type { Key } from "#kit/table/table.ts";
import { outboxRow } from "#outbox/store.ts";
import { messageAudit, personAudit } from "../audited.ts";
import type { Held } from "./granting.ts";
import type { MemberRecord } from "./member.ts";
import {
  checkNoMember,
  dropNote,
  dueIn,
  dueNotes,
  markUser,
  moveNote,
  readHeld,
  replaceMember,
  sameMember,
} from "./store.ts";
import { dueFor } from "./terms.ts";

/** Memberships at a time. Each has items of its own, so they do not conflict. */
const atOnce = 8;
/** Notes of one round, after which the time is looked at. */
const ofRound = 200;

type Done = "reminder" | "end" | "nothing";

function end({ user }: Held, read: MemberRecord, context: RequestContext) {
  const { email, until = 0 } = read;
  const member = { ...read, dueAt: undefined, updatedAt: context.now };
  // An account without an end was marked by an admin since.
  const isMarked = user?.isMember === true && user.memberUntil !== undefined;
  const after = user && { ...user, isMember: isMarked ? false : user.isMember };
  return {
    member: replaceMember(member, read),
    ...moveNote(email, read, member),
    user: markUser(email, user, { isMember: after?.isMember ?? false, until: user?.memberUntil, now: context.now }),
    ...(isMarked && { userAudit: personAudit(["account", "updated"], { email, before: user, after }, context) }),
    message: outboxRow(
      { type: "member.ended", data: { email, until } },
      context,
      undefined,
      messageAudit("membership", { email, before: read, after: member }, context),
    ),
  };
}

function remind(read: MemberRecord, context: RequestContext) {
  const { email, until = 0 } = read;
  const member = { ...read, dueAt: until, updatedAt: context.now };
  return {
    member: replaceMember(member, read),
    ...moveNote(email, read, member),
    message: outboxRow({ type: "member.ending", data: { email, until } }, context),
  };
}

function decide(note: Key & { readonly email: string }, held: Held, context: RequestContext): Decision<Done> {
  const { member } = held;
  if (!member || member.dueAt !== dueIn(note)) {
    // It is of a membership that is gone, or has moved it: no transaction leaves such a note.
    const unchanged = member ? sameMember(member) : checkNoMember(note.email);
    return write({ note: dropNote(note), unchanged }, "nothing");
  }
  const due = dueFor(member, context.now);
  if (due === undefined) return answer("nothing");
  return write(due === "end" ? end(held, member, context) : remind(member, context), due);
}

export interface KeptTerms {
  readonly reminded: number;
  readonly ended: number;
  /** Memberships that could not be kept now. The next night does. */
  readonly failed: number;
  /** Whether nothing is left that was due. */
  readonly isComplete: boolean;
}

/** Does what is due for memberships, until the deadline of the context. */
export async function keepTerms(context: RequestContext): Promise<KeptTerms> {
  const count = { reminder: 0, end: 0, nothing: 0, failed: 0 };
  const keep = async (note: Key & { readonly email: string }): Promise<void> => {
    try {
      const decided = { read: () => readHeld(note.email), decide: (held: Held) => decide(note, held, context) };
      count[await execute(decided, context)] += 1;
    } catch (error) {
      log.error("membership not kept", { because: String(error) });
      count.failed += 1;
    }
  };
  const round: (Key & { readonly email: string })[] = [];
  let isComplete = true;
  for await (const note of dueNotes(context.now)) {
    round.push(note);
    if (round.length < ofRound) continue;
    if (performance.now() >= context.deadline) isComplete = false;
    if (!isComplete) break;
    await pMap(round.splice(0), keep, { concurrency: atOnce });
  }
  if (isComplete) await pMap(round, keep, { concurrency: atOnce });
  return {
    reminded: count.reminder,
    ended: count.end,
    failed: count.failed,
    isComplete: isComplete && count.failed === 0,
  };
}
