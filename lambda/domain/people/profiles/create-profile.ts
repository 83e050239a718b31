import type { RequestContext } from "#kit/context.ts";
import { Duplicate, NotFound } from "#kit/errors.ts";
import { type Decision, execute, write } from "#kit/execute.ts";
import { copiedFrom, type Held } from "../members/granting.ts";
import { readMemberAndProfile, replaceMember } from "../members/store.ts";
import { changedProfile, newProfile, type ProfileChanges, type ProfileRecord } from "./profile.ts";
import { drawProfileID } from "./profile-id.ts";
import { putNewProfile, putProfileID } from "./store.ts";

/** The profile to create. */
interface WantedProfile {
  readonly email: string;
  /** The email domain of the admins. */
  readonly adminDomain: string;
  /** The fields that the person has entered. */
  readonly told: ProfileChanges;
}

/** The person's records, and a profile id that is probably free. */
interface Facts extends Held {
  readonly profileID: string;
}

/** @throws Duplicate NotFound */
function decide({ email, adminDomain, told }: WantedProfile, facts: Facts, { now, newId }: RequestContext) {
  const { member, profile: existing, profileID } = facts;
  if (existing) throw new Duplicate("You have a profile already.");
  if (!member) throw new NotFound("Member");
  const known = { email, profileID, adminDomain, now, generation: newId() };
  const profile = changedProfile(newProfile(copiedFrom(member), known), told, now);
  const members = {
    profile: putNewProfile(profile),
    profileID: putProfileID(profile),
    member: replaceMember({ ...member, profileID, updatedAt: now }, member),
  };
  return write(members, profile);
}

/** Creates the profile of a member. @throws Duplicate NotFound */
export const createProfile = (wanted: WantedProfile, context: RequestContext): Promise<ProfileRecord> =>
  execute(
    {
      read: async (): Promise<Facts> => ({
        ...(await readMemberAndProfile(wanted.email)),
        profileID: drawProfileID(),
      }),
      decide: (facts: Facts): Decision<ProfileRecord> => decide(wanted, facts, context),
    },
    context,
  );
