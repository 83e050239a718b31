import { asSeenBy } from "#api/records/diet-and-phone.ts";
import { emailIn } from "#api/records/named-email.ts";
import { userAnswer } from "#api/records/user-answer.ts";
import { purposeOf } from "#domain/payments/record/money.ts";
import { moneyOf } from "#domain/payments/record/payment-store.ts";
import type { PurposeName } from "#domain/payments/record/purpose.ts";
import type { Spender } from "#domain/people/budget.ts";
import { mayRenew } from "#domain/people/members/terms.ts";
import { termsOfStage } from "#domain/people/members/terms-of-stage.ts";
import type { CodeMailLimits } from "#domain/people/sign-ups/limits.ts";
import { changeUser } from "#domain/people/users/change-user.ts";
import { createUser } from "#domain/people/users/create-user.ts";
import { setFavourite } from "#domain/people/users/set-favourite.ts";
import { pageOfUsers, readUser, type UserRecord } from "#domain/people/users/store.ts";
import { changeFrom, isMemberAt } from "#domain/people/users/user.ts";
import { deletePerson } from "#domain/personal-data/delete-person.ts";
import type { NewEmailLink } from "#domain/registrations/links/new-email-link.ts";
import { originOf } from "#domain/registrations/record/acts.ts";
import { requiredEnv } from "#kit/env.ts";
import { NotFound } from "#kit/errors.ts";
import { nextHeader } from "#kit/lists/pages.ts";
import { accepted, created, ok } from "#kit/request/answer.ts";
import { api, type BearerReader, dispatch } from "#kit/request/api.ts";
import type { RequestContext } from "#kit/request/context.ts";
import * as routes from "./routes.ts";

const adminDomain = requiredEnv("ADMIN_EMAIL_DOMAIN");

/** A record of money with its purpose as answers name it. */
const answered = <T extends { readonly purpose: PurposeName }>(own: T) => ({ ...own, ...purposeOf(own.purpose) });

/** Whether the end of the membership is near, or over, so that the person may pay for another term. */
const mayRenewSelf = (user: UserRecord, now: number): boolean =>
  user.memberUntil !== undefined && mayRenew({ user }, now, termsOfStage.rule);

const newEmails = {
  adminDomain,
  mails: JSON.parse(requiredEnv("SIGN_UP_LIMITS")) as CodeMailLimits,
};
const said = {
  confirmed: "This address has confirmed. The other one has yet to.",
  changed: "Your email is changed.",
} as const;

// Loaded for requests with a link, which are rare.
const confirmationOf: BearerReader<NewEmailLink> = async (header) =>
  (await import("./personal-data.ts")).confirmationOf(header);
const personOf: BearerReader<string> = async (...sent) => (await import("./personal-data.ts")).personOf(...sent);

/** Before anything is read: a request that reads much, by a caller who may make it. */
const spend = async (spender: Spender, context: RequestContext): Promise<void> =>
  (await import("./personal-data.ts")).spend(spender, context);

async function answerFor(email: string, now: number) {
  const user = await readUser(email);
  if (!user) throw new NotFound("User");
  return ok(userAnswer(user, now));
}

export const handler = dispatch([
  api(routes.createUser, async ({ body, caller, context }) => {
    const email = emailIn(body, caller.email);
    const isGranted = caller.isAdmin && body.isMember === true;
    const user = await createUser({ email, adminDomain, details: body, isGranted }, context);
    return created({ message: "User created.", user: userAnswer(user, context.now) });
  }),
  api(routes.getSelf, async ({ caller: { email, isAdmin }, now }) => {
    const [user, { payments, refunds }] = await Promise.all([readUser(email), moneyOf(email)]);
    if (!user) throw new NotFound("User");
    return ok({
      ...userAnswer(user, now),
      ...(!isAdmin && mayRenewSelf(user, now) && { mayRenew: true as const }),
      ...(payments.length > 0 && { payments: payments.map(answered) }),
      ...(refunds.length > 0 && { refunds: refunds.map(answered) }),
    });
  }),
  api(routes.getUser, ({ params, now }) => answerFor(params.email, now)),
  api(routes.checkUser, async ({ params }) => ok((await readUser(params.email)) !== undefined)),
  // Reads the flag of the account. A membership without an account answers `false`.
  api(routes.isMember, async ({ params, now }) => ok(isMemberAt(await readUser(params.email), now))),
  api(routes.listUsers, async ({ query, caller, now }) => {
    const page = await pageOfUsers(query);
    return ok(
      asSeenBy(
        caller,
        page.rows.map((user) => userAnswer(user, now)),
      ),
      nextHeader(page),
    );
  }),
  api(routes.updateUser, async ({ params, body, caller, context }) => {
    const user = await changeUser(params.email, changeFrom(body, caller), context);
    return ok({ message: "User updated.", user: userAnswer(user, context.now) });
  }),
  api(routes.setFavourite, async ({ params, body, caller, context }) => {
    const event = { id: body.eventID, year: body.year };
    const favEvents = await setFavourite(params.email, { event, wanted: body.isFavourite, caller }, context);
    return ok({ message: "Favourites updated.", favEvents });
  }),
  // Loaded when they are asked for, which is rare.
  api(routes.forgiveNoShows, async ({ params: { email }, context }) => {
    const forgiven = await (await import("#domain/registrations/store/no-shows.ts")).forgive(email, context);
    const isOne = forgiven === 1;
    const message =
      forgiven > 0 ? `${forgiven} no-show${isOne ? " is" : "s are"} forgiven.` : "There is nothing to forgive.";
    return ok({ message, forgiven });
  }),
  api(routes.getAudit, async ({ query, caller, context }) => {
    await spend(caller, context);
    return (await import("./audit.ts")).readAudit(query, context);
  }),
  api(routes.exportData, async ({ params: { email }, query, caller, context }) => {
    await spend(caller, context);
    return (await import("./personal-data.ts")).exported(email, query.format, context);
  }),
  api(routes.sendExportLink, async ({ params: { email }, caller, context }) => {
    await spend(caller, context);
    await (await import("./personal-data.ts")).mailExportLink(email, context);
    return accepted({ message: "The mail with the link is on its way." });
  }),
  api(
    routes.exportByLink,
    async ({ bearer: email, query, context }) => {
      await spend({ email, isAdmin: false, isBearer: true }, context);
      return (await import("./personal-data.ts")).exported(email, query.format, { ...context, actor: "link" });
    },
    personOf,
  ),
  api(routes.getErasurePlan, async ({ params: { email }, caller, context }) => {
    await spend(caller, context);
    return ok(await (await import("./personal-data.ts")).planned(email, context.now));
  }),
  api(
    routes.getErasurePlanByLink,
    async ({ bearer: email, context }) => {
      await spend({ email, isAdmin: false, isBearer: true }, context);
      return ok(await (await import("./personal-data.ts")).planned(email, context.now));
    },
    personOf,
  ),
  api(
    routes.eraseByLink,
    async ({ bearer: email, context }) => {
      await spend({ email, isAdmin: false, isBearer: true }, context);
      await deletePerson(email, "self/link", { ...context, actor: "link" });
      return ok({ message: "User deleted." });
    },
    personOf,
  ),
  api(routes.askForNewEmail, async ({ params: { email }, body, caller, context }) => {
    await spend(caller, context);
    const { askForNewEmail } = await import("#domain/personal-data/new-email.ts");
    await askForNewEmail({ email, to: body.email }, newEmails, context);
    return accepted({
      message: "Please look into both mailboxes: when both addresses have confirmed, the email is changed.",
    });
  }),
  api(
    routes.confirmNewEmail,
    async ({ bearer: link, context }) => {
      const { confirmNewEmail } = await import("#domain/personal-data/new-email.ts");
      return ok({ message: said[await confirmNewEmail(link, { ...context, actor: "link" })] });
    },
    confirmationOf,
  ),
  api(routes.deleteUser, async ({ params, caller, context }) => {
    await spend(caller, context);
    await deletePerson(params.email, originOf(caller, params.email, "desk"), context);
    return ok({ message: "User deleted." });
  }),
]);
