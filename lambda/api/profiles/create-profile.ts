import { copiedFrom, type Held } from "#domain/people/members/granting.ts";
import { readMemberAndProfile, replaceMember } from "#domain/people/members/store.ts";
import type { ProfileChanges } from "#domain/people/profiles/profile.ts";
import { changedProfile, newProfile, type ProfileRecord } from "#domain/people/profiles/profile.ts";
import { drawProfileID } from "#domain/people/profiles/profile-id.ts";
import { putNewProfile, putProfileID } from "#domain/people/profiles/store.ts";
import { created } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import type { RequestContext } from "#kit/context.ts";
import { requiredEnv } from "#kit/env.ts";
import { Duplicate, NotFound } from "#kit/errors.ts";
import { type Decision, execute, write } from "#kit/execute.ts";
import { profileAnswer } from "./profile-answer.ts";
import * as routes from "./routes.ts";

const adminDomain = requiredEnv("ADMIN_EMAIL_DOMAIN");

/** The facts for the creation of a profile: the person's records, and a profile id that may be free. */
interface Facts extends Held {
  readonly profileID: string;
}

/** @throws Duplicate NotFound */
function decide(told: ProfileChanges, facts: Facts, { now, actor, newId }: RequestContext) {
  const { member, profile: existing, profileID } = facts;
  if (existing) throw new Duplicate("You have a profile already.");
  if (!member) throw new NotFound("Member");
  const known = { email: actor, profileID, adminDomain, now, generation: newId() };
  const profile = changedProfile(newProfile(copiedFrom(member), known), told, now);
  const members = {
    profile: putNewProfile(profile),
    profileID: putProfileID(profile),
    member: replaceMember({ ...member, profileID, updatedAt: now }, member),
  };
  return write(members, profile);
}

const create = (told: ProfileChanges, context: RequestContext): Promise<ProfileRecord> =>
  execute(
    {
      depth: "certain",
      read: async (): Promise<Facts> => ({
        ...(await readMemberAndProfile(context.actor)),
        profileID: drawProfileID(),
      }),
      decide: (facts: Facts): Decision<ProfileRecord> => decide(told, facts, context),
    },
    context,
  );

export const createProfile = api(routes.createProfile, async ({ body, context }) => {
  const profile = await create(body, context);
  return created({ message: "Profile created.", profile: profileAnswer(profile) });
});
