import { Duplicate, NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type Decision, execute, write } from "#kit/table/execute.ts";
import { changedProfile, newProfile, type ProfileChanges, type ProfileRecord } from "../profiles/profile.ts";
import { drawProfileID } from "../profiles/profile-id.ts";
import { putNewProfile, putProfileID } from "../profiles/store.ts";
import { checkUser, readUser, type UserRecord } from "../users/store.ts";
import { copiedFrom, formOfUser, type Held } from "./granting.ts";
import { checkNoMember, readMemberAndProfile, replaceMember } from "./store.ts";

/** The profile to create. */
interface WantedProfile {
  readonly email: string;
  /** The email domain of the admins. */
  readonly adminDomain: string;
  /** The fields that the person has entered. */
  readonly told: ProfileChanges;
}

/** The person's records, and a profile id that is probably free. The account is read only if there is no membership. */
interface Facts extends Held {
  readonly profileID: string;
}

const copiedFromUser = (user: UserRecord) => copiedFrom({ ...formOfUser(user), pronouns: user.gender });

/** @throws Duplicate NotFound */
function decide({ email, adminDomain, told }: WantedProfile, facts: Facts, { now, newId }: RequestContext) {
  const { user, member, profile: existing, profileID } = facts;
  if (existing) throw new Duplicate("You have a profile already.");
  const copies = member ? copiedFrom(member) : user && copiedFromUser(user);
  if (!copies) throw new NotFound("User");
  const known = { email, profileID, adminDomain, now, generation: newId() };
  const profile = changedProfile(newProfile(copies, known), told, now);
  const owner = member
    ? { member: replaceMember({ ...member, profileID, updatedAt: now }, member) }
    : { member: checkNoMember(email), user: checkUser(email) };
  return write({ profile: putNewProfile(profile), profileID: putProfileID(profile), ...owner }, profile);
}

/** Creates the profile of a person with a membership or an account. @throws Duplicate NotFound */
export const createProfile = (wanted: WantedProfile, context: RequestContext): Promise<ProfileRecord> =>
  execute(
    {
      async read(): Promise<Facts> {
        const held = await readMemberAndProfile(wanted.email);
        const user = held.member ? undefined : await readUser(wanted.email);
        return { ...held, ...(user && { user }), profileID: drawProfileID() };
      },
      decide: (facts: Facts): Decision<ProfileRecord> => decide(wanted, facts, context),
    },
    context,
  );
