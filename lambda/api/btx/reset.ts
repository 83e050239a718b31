import { resetEvent, resetOne } from "#domain/game/reset-accounts.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotFound } from "#kit/errors.ts";
import * as routes from "./routes.ts";

export const reset = api(routes.reset, async ({ body: { eventId, userId }, context }) => {
  if (userId === undefined) {
    const { accounts, complete } = await resetEvent(eventId, context);
    const message = complete ? "All accounts are reset." : "Not all accounts are reset yet. Please ask again.";
    return ok({ message, data: { eventId, accounts, complete } });
  }
  if (!(await resetOne(userId, eventId, context))) throw new NotFound("Account");
  return ok({ message: "The account is reset.", data: { eventId, accounts: 1, complete: true } });
});
