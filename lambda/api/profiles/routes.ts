import { Profile, profileParams, VisibleProfile } from "#api/records/schemas.ts";
import { route } from "#kit/request/route.ts";
import { NewProfile, ProfileAnswer, ProfileChanges } from "./schemas.ts";

export const createProfile = route("POST /profiles", {
  access: "caller",
  owner: { who: "self" },
  summary: "Create the caller's profile, from the membership or, before that, the account",
  about: ["User"],
  says: { 201: "Profile created.", DUPLICATE: "You have a profile already." },
  body: NewProfile,
  responses: { 201: ProfileAnswer },
  refusals: ["NOT_FOUND", "DUPLICATE"],
});

export const getOwnProfile = route("GET /profiles/user/", {
  aliases: ["/profiles/user"],
  access: "caller",
  owner: { who: "self" },
  summary: "The caller's own profile",
  responses: { 200: Profile },
  refusals: ["NOT_FOUND"],
});

export const updateOwnProfile = route("PATCH /profiles/user/", {
  aliases: ["/profiles/user"],
  access: "caller",
  owner: { who: "self" },
  summary: "Change what the caller's profile says and shows",
  body: ProfileChanges,
  responses: { 200: ProfileAnswer },
  refusals: ["NOT_FOUND"],
});

export const getProfile = route("GET /profiles/profile/{profileID}", {
  access: "caller",
  publicWith: "publicProfiles",
  summary: "The fields of a profile that its person shows",
  params: profileParams,
  responses: { 200: VisibleProfile },
  refusals: ["NOT_FOUND"],
});
