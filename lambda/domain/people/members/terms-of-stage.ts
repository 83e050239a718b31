/** How long memberships of this stage last. */
import { requiredEnv } from "#kit/env.ts";
import type { TermsOfStage } from "./terms.ts";

export const termsOfStage: TermsOfStage = {
  rule: JSON.parse(requiredEnv("MEMBERSHIP_TERM")),
  timeZone: requiredEnv("TIME_ZONE"),
};
