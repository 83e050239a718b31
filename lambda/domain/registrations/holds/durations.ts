/** The durations of this stage's holds, in milliseconds (`docs/contract.md`, "Moves of a registration"). */
import { requiredEnv } from "#kit/env.ts";
import type { HoldDurations, holdSettings } from "./holds.ts";

const milliseconds = (name: (typeof holdSettings)[number]): number => {
  const value = Number(requiredEnv(name));
  if (!Number.isSafeInteger(value) || value <= 0) throw new Error(`${name} must be a number of milliseconds.`);
  return value;
};

export const holdDurations: HoldDurations = {
  newRegistration: milliseconds("NEW_REGISTRATION_HOLD_MS"),
  promotion: milliseconds("PROMOTION_HOLD_MS"),
  acceptance: milliseconds("ACCEPTANCE_HOLD_MS"),
};
