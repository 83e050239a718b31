/** All steps, in order. */
import type { Step } from "./step-kit/step.ts";
import { account } from "./steps/account.ts";
import { accountDeletion } from "./steps/account-deletion.ts";
import { image } from "./steps/image.ts";
import { mail } from "./steps/mail.ts";
import { ownErrors } from "./steps/own-errors.ts";
import { payment } from "./steps/payment.ts";
import { reach } from "./steps/reach.ts";
import { event, fullEvent, promotion } from "./steps/registrations.ts";
import { routes } from "./steps/routes.ts";
import { signIn } from "./steps/sign-in.ts";
import { slashPathsWithoutToken, slashPathsWithToken } from "./steps/slash-paths.ts";
import { webhook } from "./steps/webhook.ts";

export const steps: readonly Step[] = [
  reach,
  ownErrors,
  slashPathsWithoutToken,
  signIn,
  slashPathsWithToken,
  routes,
  account,
  event,
  fullEvent,
  promotion,
  image,
  webhook,
  payment,
  mail,
  accountDeletion,
];
