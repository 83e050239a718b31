/** A function declares and reads only what the stack knows. */
import { requiredEnv } from "#kit/env.ts";
import type { Declared } from "../../lib/resources.ts";

export const known: Declared = {
  description: "",
  settings: ["MEMBERSHIP_PRICE"],
  table: ["Query GSI1"],
  secrets: ["payments"],
};

export const unknown: Declared = {
  description: "",
  // @ts-expect-error: no setting of a stage has this name
  settings: ["MEMBER_PRICE"],
  // @ts-expect-error: the table has no such index
  table: ["Query MEMBERS"],
  // @ts-expect-error: the stack has no such secret
  secrets: ["stripe"],
};

export const timeZone = requiredEnv("TIME_ZONE");
// @ts-expect-error: no variable has this name
export const misspelt = requiredEnv("TIMEZONE");
