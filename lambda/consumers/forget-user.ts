/** Consumer of emails that are given up: of a deleted account it forgets what remains, after a change of it the rest follows. */
import { forgetAtOnce } from "#domain/personal-data/forget-at-once.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { leavingMessage } from "#outbox/messages.ts";
import { consumer } from "./consumer.ts";

/** Loaded after a new email, which is rare. */
async function follow(email: string, context: RequestContext): Promise<void> {
  const { followToNewEmail } = await import("#domain/personal-data/follow.ts");
  await followToNewEmail(email, context);
}

export const handler = consumer(leavingMessage, (message, context) =>
  message.type === "user.deleted" ? forgetAtOnce(message, context) : follow(message.data.email, context),
);
