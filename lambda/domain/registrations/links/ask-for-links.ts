/**
 * People who have lost their mails ask for the links again (`docs/contract.md`, "Links"). The request reads nothing about the
 * address, so neither its answer nor its time says whether the address is known: the consumer that mails finds out.
 */
import { admitFormMail } from "#domain/people/sign-ups/admit.ts";
import type { CodeMailLimits } from "#domain/people/sign-ups/limits.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { outboxRow } from "#outbox/store.ts";

const tooMany = "Too many people ask for their links at the moment. Please try again later.";

/** @throws TooOften the mails of this hour are used up */
export async function askForLinks(email: string, mails: CodeMailLimits, context: RequestContext): Promise<void> {
  await admitFormMail("lost links", email, mails, tooMany, context);
  await writeOnce({ message: outboxRow({ type: "links.requested", data: { email } }, context) }, context);
}
