/** Granting membership: by an admin, or because it is paid. */
import { again, untilSettled } from "#kit/retry.ts";
import { commit, type Item, type TransactItem, type Transaction } from "#kit/table.ts";
import { type Origin, outboxRow } from "../outbox/store.ts";
import { drawProfileID } from "../profiles/profile-id.ts";
import { putNewProfile, putProfileID, replaceProfile, sameProfile } from "../profiles/store.ts";
import { putNewUser } from "../users/store.ts";
import type { MembershipForm } from "./form.ts";
import { type Granted, grantedTo, type Held, isNewMembership } from "./granting.ts";
import { isMemberAlready } from "./member.ts";
import { completeUser, putNewMember, readHeld, replaceMember, sameMark, sameMember } from "./store.ts";

/** The names of a grant's own members of the transaction; what comes along must have others. */
type OwnName = "user" | "userNews" | "member" | "memberNews" | "profile" | "profileID";
/** What is to come true together with a grant. */
export type Accompanying = Transaction & { readonly [N in OwnName]?: never };

/** Who becomes a member. */
export interface Recipient {
  /** Canonical. */
  readonly email: string;
  /** Whose people are admins. */
  readonly adminDomain: string;
}

/** Who becomes a member by a payment. */
export interface PayingRecipient extends Recipient {
  /** Somebody who is a member already gets nothing, and what comes along is not written. */
  readonly onlyIfNew?: boolean;
}

/** What came of a grant that had company. */
export type GrantOutcome<M> =
  | ({ readonly granted: true } & Granted)
  | {
      readonly granted: false;
      /**
       * The accompanying members whose condition failed, with the item as it is where they asked for it. None: nothing
       * was granted because the person is a member already.
       */
      readonly refused: Partial<Record<Extract<keyof M, string>, Item | null>>;
    };

/**
 * Grants membership in one transaction: user, member, profile, the profile's id, news, and whatever else is to come true
 * with it. Repeatable: completes what is missing and overwrites nothing that is filled in; when nothing is missing and
 * nothing comes along, nothing is written.
 * @param more members that are written with the grant or not at all. When the condition of one fails, nothing is written
 *   and the outcome says which. After a call without an answer that may be the work of this very call.
 * @throws Contended too many wrote the same records; nothing was written
 * @throws UnknownOutcome a call stayed without an answer for long: it may have been granted. Granting again is safe.
 */
export async function grantMembership(
  form: MembershipForm,
  to: Recipient,
  origin: Origin,
): Promise<{ readonly granted: true } & Granted>;
export async function grantMembership<M extends Accompanying>(
  form: MembershipForm,
  to: PayingRecipient,
  origin: Origin,
  more: M,
): Promise<GrantOutcome<M>>;
export async function grantMembership<M extends Accompanying>(
  form: MembershipForm,
  to: PayingRecipient,
  origin: Origin,
  more?: M,
): Promise<GrantOutcome<M>> {
  return untilSettled<GrantOutcome<M>>(async () => {
    const held = await readHeld(to.email);
    if (to.onlyIfNew && isMemberAlready(held)) return { granted: false, refused: {} };
    const grant = { ...to, now: origin.now, profileID: drawProfileID(), createdBy: origin.correlationId };
    const granted = grantedTo(held, form, grant);
    if (!more && isSame(held, granted)) return { granted: true, ...granted };
    const outcome = await commit<Transaction>({ ...grantMembers(held, granted, origin), ...more });
    if (outcome.committed) return { granted: true, ...granted };
    const refused = Object.entries(outcome.refused).filter(([name]) => more && Object.hasOwn(more, name));
    // Refused by what was read: somebody else granted, changed or deleted something, or the id is taken.
    return refused.length === 0 ? again : { granted: false, refused: Object.fromEntries(refused) as never };
  });
}

const isSame = (held: Held, granted: Granted): boolean =>
  held.user === granted.user && held.member === granted.member && held.profile === granted.profile;

/** What is missing is written, and what is not must still be there: all of it, or a grant at the same moment is in the way. */
function grantMembers(
  held: Held,
  granted: Granted,
  origin: Origin,
): Partial<Record<OwnName, TransactItem>> & Transaction {
  const { email } = granted.user;
  return {
    user: userMember(held, granted, origin),
    member: memberMember(held, granted),
    profile: profileMember(held, granted),
    ...(!held.profile && { profileID: putProfileID(granted.profile) }),
    ...(!held.user && { userNews: outboxRow({ type: "user.created", data: { email } }, origin) }),
    ...(isNewMembership(held) && { memberNews: outboxRow({ type: "member.granted", data: { email } }, origin) }),
  };
}

function userMember({ user: read }: Held, { user }: Granted, { correlationId }: Origin): TransactItem {
  if (!read) return putNewUser({ ...user, createdBy: correlationId });
  return user === read ? sameMark(user.email, true) : completeUser(user, read);
}

function memberMember({ member: read }: Held, { member }: Granted): TransactItem {
  if (!read) return putNewMember(member);
  return member === read ? sameMember(read) : replaceMember(member, read);
}

function profileMember({ profile: read }: Held, { profile }: Granted): TransactItem {
  if (!read) return putNewProfile(profile);
  return profile === read ? sameProfile(profile.email, read) : replaceProfile(profile, read);
}
