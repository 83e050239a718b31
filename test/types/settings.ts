/** The names of settings are known to the compiler: those of the kit, those of the club, and no others. */
import { requiredEnv } from "#kit/env.ts";

export const known = (): string[] => [requiredEnv("TABLE_NAME"), requiredEnv("MEMBERSHIP_PRICE")];

// @ts-expect-error: no setting has this name
export const unknown = (): string => requiredEnv("MEMBER_PRICE");
