import { created } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { requiredEnv } from "#kit/env.ts";
import { Duplicate, NotFound } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import { copiedFrom } from "../members/granting.ts";
import { readMemberAndProfile, replaceMember } from "../members/store.ts";
import { changedProfile, newProfile, profileAnswer } from "./profile.ts";
import { drawProfileID } from "./profile-id.ts";
import * as routes from "./routes.ts";
import type { ProfileChanges } from "./schemas.ts";
import { putNewProfile, putProfileID } from "./store.ts";

const adminDomain = requiredEnv("ADMIN_EMAIL_DOMAIN");

interface Request {
  readonly email: string;
  readonly now: number;
  readonly createdBy: string;
}

/** A step of `untilSettled`: @returns the profile as created, now or by an earlier try; undefined when there was one */
async function insertProfile(told: ProfileChanges, { email, now, createdBy }: Request) {
  const { member, profile: existing } = await readMemberAndProfile(email);
  if (existing) return existing.createdBy === createdBy ? existing : undefined;
  if (!member) throw new NotFound("Member");
  const profileID = drawProfileID();
  const blank = newProfile(copiedFrom(member), { email, profileID, adminDomain, now, createdBy });
  const profile = changedProfile(blank, told, now);
  const outcome = await commit({
    profile: putNewProfile(profile),
    profileID: putProfileID(profile),
    member: replaceMember({ ...member, profileID, updatedAt: now }, member),
  });
  return outcome.committed ? profile : again;
}

export const createProfile = api(routes.createProfile, async ({ body, caller, now, requestId }) => {
  const request = { email: caller.email, now, createdBy: requestId };
  const profile = await untilSettled(() => insertProfile(body, request));
  if (!profile) throw new Duplicate("You have a profile already.");
  return created({ message: "Profile created.", profile: profileAnswer(profile) });
});
