import { randomUUID } from "node:crypto";
import { isEmail } from "../../service-kit/email.ts";
import { ServiceProblem } from "../../service-kit/json-service.ts";
import { checkWritable, codeDelivery } from "../pool/attributes.ts";
import { checkPassword } from "../pool/password-policy.ts";
import type { Operation, Pool } from "../pool/pool.ts";
import { codeExpired, invalidParameter, notAuthorized } from "../pool/problem.ts";
import { attributeList, group, text } from "../pool/request-fields.ts";
import { createVerifier } from "../pool/srp.ts";
import { askCustomMessage, askPreSignUp } from "../pool/triggers.ts";
import { emailOf, type User, usernameOf } from "../pool/user-store.ts";
import { issueCode, redeemCode } from "../pool/verification-code.ts";
import { checkClient } from "./requester.ts";

/** Mails a new code: as a link, where the pool confirms accounts by a link. */
async function mailCode(pool: Pool, user: User, source: "SignUp" | "ResendCode"): Promise<void> {
  await askCustomMessage(pool, source, user);
  const code = issueCode(user, "signUp", pool.now());
  pool.users.save();
  const link = pool.settings.confirmByLink ? { link: pool.confirmationLink(usernameOf(user), code) } : {};
  await pool.sendCode({ to: emailOf(user), kind: "signUp", code, ...link });
}

function checkFree(pool: Pool, email: string): void {
  if (pool.users.find(email)) throw new ServiceProblem("UsernameExistsException", "User already exists");
}

export const confirmSignUp: Operation = async (pool, request) => {
  checkClient(pool, request);
  const code = text(request, "ConfirmationCode");
  const user = existing(pool, text(request, "Username", 128), codeExpired);
  if (user.confirmed) throw notAuthorized("User cannot be confirmed. Current status is CONFIRMED");
  redeemCode(user, "signUp", code, pool.now());
  user.confirmed = true;
  user.emailVerified = true;
  pool.users.save();
  return {};
};

/** Finds a user. The pool hides which users exist: a missing one gets the error of `disguise`. */
export function existing(pool: Pool, username: string, disguise: () => ServiceProblem): User {
  const user = pool.users.find(username);
  if (user) return user;
  throw disguise();
}

/** The operations that create an account and confirm its email. */
export const signUpOperations: Readonly<Record<string, Operation>> = {
  SignUp: async (pool, request) => {
    checkClient(pool, request);
    const email = text(request, "Username", 128);
    const password = text(request, "Password", 256);
    const attributes = attributeList(request, "UserAttributes");
    if (!isEmail(email)) throw invalidParameter("Username should be an email.");
    checkWritable(attributes);
    // The code is mailed to the attribute, and the person signs in with the username: if they differed, the wrong address
    // would be confirmed.
    if (pool.users.key(attributes.get("email") ?? email) !== pool.users.key(email)) {
      throw invalidParameter("Attributes did not conform to the schema: email: must be the username");
    }
    checkPassword(pool.settings.passwordPolicy, password);
    checkFree(pool, email);

    const sub = randomUUID();
    const { autoConfirmUser, autoVerifyEmail } = await askPreSignUp(pool, {
      triggerSource: "PreSignUp_SignUp",
      userName: sub,
      userAttributes: { ...Object.fromEntries(attributes), email },
      validationData: Object.fromEntries(attributeList(request, "ValidationData")),
      clientMetadata: group(request, "ClientMetadata") as Record<string, string>,
    });
    // Another person may have taken the email while the trigger ran.
    checkFree(pool, email);
    const user: User = {
      sub,
      attributes: { ...Object.fromEntries(attributes), email },
      emailVerified: autoVerifyEmail,
      confirmed: autoConfirmUser,
      password: createVerifier({ poolName: pool.name, userId: sub }, password),
      codes: {},
    };
    pool.users.add(user);
    pool.users.save();
    if (autoConfirmUser) return { UserConfirmed: true, UserSub: sub };
    await mailCode(pool, user, "SignUp");
    return { UserConfirmed: false, UserSub: sub, CodeDeliveryDetails: codeDelivery(email) };
  },

  ConfirmSignUp: confirmSignUp,
  ResendConfirmationCode: async (pool, request) => {
    checkClient(pool, request);
    const username = text(request, "Username", 128);
    const user = pool.users.find(username);
    if (!user) return { CodeDeliveryDetails: codeDelivery(username) };
    if (user.confirmed) throw invalidParameter("User is already confirmed.");
    await mailCode(pool, user, "ResendCode");
    return { CodeDeliveryDetails: codeDelivery(emailOf(user)) };
  },
};
