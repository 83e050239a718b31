import type { PrizeRecord } from "#domain/prizes/prize.ts";
import type { Prize } from "./schemas.ts";

/** A prize as admins see it. */
export const prizeAnswer = ({ version, generation, ...prize }: PrizeRecord): Prize => prize as Prize;
