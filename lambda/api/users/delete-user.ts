import { deleteAccount } from "#domain/payments/delete-account.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { ownOrByAdmin } from "./caller-email.ts";
import * as routes from "./routes.ts";

export const deleteUser = api(routes.deleteUser, async ({ params, caller, context }) => {
  const email = ownOrByAdmin(params.email, caller, "You can delete only your own user record.");
  await deleteAccount(email, context);
  return ok({ message: "User deleted." });
});
