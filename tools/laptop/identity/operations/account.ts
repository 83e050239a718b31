import { checkWritable, codeDelivery, listAttributes } from "../pool/attributes.ts";
import { checkPassword } from "../pool/password-policy.ts";
import type { Operation, Pool } from "../pool/pool.ts";
import { emailTaken, invalidParameter, notAuthorized, wrongCredentials } from "../pool/problem.ts";
import { attributeList, text } from "../pool/request-fields.ts";
import { createVerifier, matchesVerifier } from "../pool/srp.ts";
import { askCustomMessage } from "../pool/triggers.ts";
import { emailOf, type User, usernameOf } from "../pool/user-store.ts";
import { issueCode, redeemCode, voidCode } from "../pool/verification-code.ts";
import { listedFactors } from "./mfa.ts";
import { signedIn } from "./requester.ts";

/** All or nothing: every attribute is checked before the first one is written. */
function checkedChanges(pool: Pool, user: User, attributes: Map<string, string>): Record<string, string> {
  checkWritable(attributes);
  const email = attributes.get("email");
  if (email !== undefined) checkEmailFree(pool, user, email);
  return Object.fromEntries(attributes);
}

function checkEmailFree(pool: Pool, user: User, email: string): void {
  // Only a password account signs in by its email.
  if (user.external) return;
  const holder = pool.users.find(email);
  if (holder && holder !== user) throw emailTaken();
}

function forgetPendingEmail(user: User): void {
  delete user.pendingEmail;
  voidCode(user, "attribute");
}

function onlyEmail(attribute: string): void {
  if (attribute !== "email") throw invalidParameter(`Attribute ${attribute} cannot be verified.`);
}

/** Removes an account with its sessions. */
export function deleteAccount(pool: Pool, user: User): void {
  pool.users.remove(user);
  pool.users.save();
  pool.sessions.revokeAll(user.sub);
}

/** The operations of a signed-in person on their own account. */
export const accountOperations: Readonly<Record<string, Operation>> = {
  GetUser: async (pool, request) => {
    const { user } = await signedIn(pool, request);
    return { Username: usernameOf(user), UserAttributes: listAttributes(user), ...listedFactors(user) };
  },

  UpdateUserAttributes: async (pool, request) => {
    const { user } = await signedIn(pool, request);
    const { email, ...others } = checkedChanges(pool, user, attributeList(request, "UserAttributes"));
    for (const [name, value] of Object.entries(others)) {
      // An empty value removes the attribute.
      if (value === "") delete user.attributes[name];
      else user.attributes[name] = value;
    }
    if (email === undefined || email === emailOf(user)) {
      if (email !== undefined) forgetPendingEmail(user);
      pool.users.save();
      return { CodeDeliveryDetailsList: [] };
    }
    await askCustomMessage(pool, "UpdateUserAttribute", user);
    const code = issueCode(user, "attribute", pool.now());
    user.pendingEmail = email;
    pool.users.save();
    await pool.sendCode({ to: email, kind: "attribute", code });
    return { CodeDeliveryDetailsList: [codeDelivery(email)] };
  },

  GetUserAttributeVerificationCode: async (pool, request) => {
    const { user } = await signedIn(pool, request);
    onlyEmail(text(request, "AttributeName", 32));
    const to = user.pendingEmail ?? emailOf(user);
    await askCustomMessage(pool, "VerifyUserAttribute", user);
    const code = issueCode(user, "attribute", pool.now());
    pool.users.save();
    await pool.sendCode({ to, kind: "attribute", code });
    return { CodeDeliveryDetails: codeDelivery(to) };
  },

  VerifyUserAttribute: async (pool, request) => {
    const { user } = await signedIn(pool, request);
    onlyEmail(text(request, "AttributeName", 32));
    const code = text(request, "Code");
    // Another user may have taken the address since the code was requested.
    if (user.pendingEmail !== undefined) checkEmailFree(pool, user, user.pendingEmail);
    redeemCode(user, "attribute", code, pool.now());
    if (user.pendingEmail !== undefined) pool.users.changeEmail(user, user.pendingEmail);
    delete user.pendingEmail;
    user.emailVerified = true;
    pool.users.save();
    return {};
  },

  ChangePassword: async (pool, request) => {
    const { user } = await signedIn(pool, request);
    const previous = text(request, "PreviousPassword", 256);
    const proposed = text(request, "ProposedPassword", 256);
    const identity = { poolName: pool.name, userId: user.sub };
    checkPassword(pool.settings.passwordPolicy, proposed);
    if (user.external) throw notAuthorized("User does not have a password.");
    if (!matchesVerifier(identity, previous, user.password)) throw wrongCredentials();
    user.password = createVerifier(identity, proposed);
    pool.users.save();
    return {};
  },

  DeleteUser: async (pool, request) => {
    const { user } = await signedIn(pool, request);
    deleteAccount(pool, user);
    return {};
  },
};
