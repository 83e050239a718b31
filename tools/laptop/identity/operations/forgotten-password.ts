import { codeDelivery } from "../pool/attributes.ts";
import { checkPassword } from "../pool/password-policy.ts";
import type { Operation } from "../pool/pool.ts";
import { codeMismatch, notAuthorized } from "../pool/problem.ts";
import { text } from "../pool/request-fields.ts";
import { createVerifier } from "../pool/srp.ts";
import { askCustomMessage } from "../pool/triggers.ts";
import { emailOf } from "../pool/user-store.ts";
import { issueCode, redeemCode } from "../pool/verification-code.ts";
import { checkClient } from "./requester.ts";
import { existing } from "./sign-up.ts";

/** Operations that set a new password with a mailed code. */
export const forgottenPasswordOperations: Readonly<Record<string, Operation>> = {
  ForgotPassword: async (pool, request) => {
    checkClient(pool, request);
    const username = text(request, "Username", 128);
    const user = pool.users.find(username);
    // https://github.com/aws-amplify/amplify-js/issues/1340
    if (user?.mustChangePassword) throw notAuthorized("User password cannot be reset in the current state.");
    if (!user?.emailVerified) return { CodeDeliveryDetails: codeDelivery(username) };
    await askCustomMessage(pool, "ForgotPassword", user);
    const code = issueCode(user, "forgotPassword", pool.now());
    pool.users.save();
    await pool.sendCode({ to: emailOf(user), kind: "forgotPassword", code });
    return { CodeDeliveryDetails: codeDelivery(emailOf(user)) };
  },

  ConfirmForgotPassword: async (pool, request) => {
    checkClient(pool, request);
    const username = text(request, "Username", 128);
    const code = text(request, "ConfirmationCode");
    const password = text(request, "Password", 256);
    // Checked before the code: a refused password must not use the code up.
    checkPassword(pool.settings.passwordPolicy, password);
    const user = existing(pool, username, codeMismatch);
    redeemCode(user, "forgotPassword", code, pool.now());
    user.password = createVerifier({ poolName: pool.name, userId: user.sub }, password);
    // The person who enters the mailed code can read that address.
    user.confirmed = true;
    pool.users.save();
    return {};
  },
};
