import { emailIn } from "#api/records/named-email.ts";
import { userAnswer } from "#api/records/user-answer.ts";
import { deleteAccount } from "#domain/payments/delete-account.ts";
import { type OwnRefund, refundsOf } from "#domain/payments/payment-store.ts";
import { changeUser } from "#domain/people/users/change-user.ts";
import { createUser } from "#domain/people/users/create-user.ts";
import { setFavourite } from "#domain/people/users/set-favourite.ts";
import { pageOfUsers, readUser } from "#domain/people/users/store.ts";
import { changeFrom } from "#domain/people/users/user.ts";
import { created, ok } from "#kit/answer.ts";
import { api, dispatch } from "#kit/api.ts";
import { requiredEnv } from "#kit/env.ts";
import { NotFound } from "#kit/errors.ts";
import { nextHeader } from "#kit/pages.ts";
import * as routes from "./routes.ts";
import type { OwnRefund as OwnRefundAnswer } from "./schemas.ts";

const adminDomain = requiredEnv("ADMIN_EMAIL_DOMAIN");

const refundAnswer = ({ purpose, ...refund }: OwnRefund): OwnRefundAnswer => ({
  ...refund,
  ...(purpose.kind === "event"
    ? { purpose: "event", eventID: purpose.event.id, year: purpose.event.year }
    : { purpose: "membership" }),
});

async function answerFor(email: string) {
  const user = await readUser(email);
  if (!user) throw new NotFound("User");
  return ok(userAnswer(user));
}

export const handler = dispatch([
  api(routes.createUser, async ({ body, caller, context }) => {
    const email = emailIn(body, caller.email);
    const isGranted = caller.isAdmin && body.isMember === true;
    const user = await createUser({ email, adminDomain, details: body, isGranted }, context);
    return created({ message: "User created.", user: userAnswer(user) });
  }),
  api(routes.getSelf, async ({ caller: { email } }) => {
    const [user, refunds] = await Promise.all([readUser(email), refundsOf(email)]);
    if (!user) throw new NotFound("User");
    return ok({ ...userAnswer(user), ...(refunds.length > 0 && { refunds: refunds.map(refundAnswer) }) });
  }),
  api(routes.getUser, ({ params }) => answerFor(params.email)),
  api(routes.checkUser, async ({ params }) => ok((await readUser(params.email)) !== undefined)),
  // Reads the flag of the account. A membership without an account answers `false`.
  api(routes.isMember, async ({ params }) => ok((await readUser(params.email))?.isMember === true)),
  api(routes.listUsers, async ({ query }) => {
    const page = await pageOfUsers(query);
    return ok(page.rows.map(userAnswer), nextHeader(page));
  }),
  api(routes.updateUser, async ({ params, body, caller, context }) => {
    const user = await changeUser(params.email, changeFrom(body, caller), context);
    return ok({ message: "User updated.", user: userAnswer(user) });
  }),
  api(routes.setFavourite, async ({ params, body, caller, context }) => {
    const event = { id: body.eventID, year: body.year };
    const favEvents = await setFavourite(params.email, { event, wanted: body.isFavourite, caller }, context);
    return ok({ message: "Favourites updated.", favEvents });
  }),
  api(routes.deleteUser, async ({ params, context }) => {
    await deleteAccount(params.email, context);
    return ok({ message: "User deleted." });
  }),
]);
