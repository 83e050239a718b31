import { dispatch } from "#kit/api.ts";
import { claimsOf } from "#kit/sent-token.ts";
import { createProfile } from "./create-profile.ts";
import { getOwnProfile, getProfile } from "./get-profile.ts";
import { updateOwnProfile } from "./update-profile.ts";

export const handler = dispatch([createProfile, getOwnProfile, updateOwnProfile, getProfile], claimsOf);
