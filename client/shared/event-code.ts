/** The code of an event's page: from its address, and what it makes of the prices. Pure. */
import { texts } from "./texts.ts";
import type { EventWithCounts } from "./types.ts";

/** An event as it was read with a code, or why the code does not count. */
export interface WithCode extends EventWithCounts {
  readonly codeProblem?: string;
}

/** The event with the prices of the code that it was read with. */
export function pricedByCode<E extends EventWithCounts>(event: E, isPartner: boolean): E {
  const { code, pricing } = event;
  if (!code || (code.kind === "partner") !== isPartner) return event;
  const { member = pricing.member, nonMember = pricing.nonMember, partner } = code;
  return { ...event, pricing: { ...pricing, member, nonMember: partner ?? nonMember } };
}

/** What stands below the field; undefined without a code. */
export function codeText({ code, codeProblem }: WithCode): string | undefined {
  if (codeProblem !== undefined) return codeProblem;
  return code && texts.register.codeCounts;
}
