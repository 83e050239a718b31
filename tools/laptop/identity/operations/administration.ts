import { randomUUID } from "node:crypto";
import { isEmail } from "../../service-kit/email.ts";
import { ServiceProblem } from "../../service-kit/json-service.ts";
import { checkWritable, listAttributes } from "../pool/attributes.ts";
import { checkPassword } from "../pool/password-policy.ts";
import type { Operation, Pool } from "../pool/pool.ts";
import { invalidParameter, userNotFound } from "../pool/problem.ts";
import { attributeList, type Fields, group, optionalText, text } from "../pool/request-fields.ts";
import { createVerifier } from "../pool/srp.ts";
import { askPreSignUp } from "../pool/triggers.ts";
import { noPassword, type User, usernameOf } from "../pool/user-store.ts";
import { deleteAccount } from "./account.ts";
import { listedFactors, setPreference } from "./mfa.ts";

/** @throws ServiceProblem ResourceNotFoundException */
function checkPool(pool: Pool, request: Fields): void {
  const id = text(request, "UserPoolId", 55);
  if (id !== pool.id) throw new ServiceProblem("ResourceNotFoundException", `User pool ${id} does not exist.`);
}

function statusOf({ external, mustChangePassword, confirmed }: User): string {
  if (external) return "EXTERNAL_PROVIDER";
  if (mustChangePassword) return "FORCE_CHANGE_PASSWORD";
  return confirmed ? "CONFIRMED" : "UNCONFIRMED";
}

const described = (user: User) => ({
  Username: usernameOf(user),
  Attributes: listAttributes(user),
  UserStatus: statusOf(user),
  Enabled: !user.disabled,
});

function checkFree(pool: Pool, email: string): void {
  if (pool.users.find(email)) throw new ServiceProblem("UsernameExistsException", "User account already exists");
}

/** @throws ServiceProblem UserNotFoundException */
function named(pool: Pool, request: Fields): User {
  checkPool(pool, request);
  const user = pool.users.find(text(request, "Username", 128));
  if (!user) throw userNotFound();
  return user;
}

/** The operations that only the account's own functions may call: their requests must be signed. */
export const administrationOperations: Readonly<Record<string, Operation>> = {
  // https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminCreateUser.html
  AdminCreateUser: async (pool, request) => {
    checkPool(pool, request);
    const email = text(request, "Username", 128);
    const { email_verified: verified, ...attributes } = Object.fromEntries(attributeList(request, "UserAttributes"));
    if (!isEmail(email)) throw invalidParameter("Username should be an email.");
    if (optionalText(request, "MessageAction") !== "SUPPRESS" || request.TemporaryPassword !== undefined) {
      throw invalidParameter("The local pool mails no invitation, and makes up each temporary password.");
    }
    checkWritable(new Map(Object.entries(attributes)));
    checkFree(pool, email);
    const sub = randomUUID();
    const userAttributes = { ...attributes, email, email_verified: String(verified === "true") };
    await askPreSignUp(pool, { triggerSource: "PreSignUp_AdminCreateUser", userName: sub, userAttributes });
    checkFree(pool, email);
    const user: User = {
      sub,
      attributes: { ...attributes, email },
      emailVerified: verified === "true",
      confirmed: true,
      password: noPassword,
      mustChangePassword: true,
      codes: {},
    };
    pool.users.add(user);
    pool.users.save();
    return { User: described(user) };
  },

  AdminDeleteUser: async (pool, request) => {
    deleteAccount(pool, named(pool, request));
    return {};
  },

  AdminDisableUser: async (pool, request) => {
    named(pool, request).disabled = true;
    pool.users.save();
    return {};
  },

  AdminEnableUser: async (pool, request) => {
    delete named(pool, request).disabled;
    pool.users.save();
    return {};
  },

  AdminGetUser: async (pool, request) => {
    const user = named(pool, request);
    return {
      Username: usernameOf(user),
      UserAttributes: listAttributes(user),
      UserStatus: statusOf(user),
      Enabled: !user.disabled,
      ...listedFactors(user),
    };
  },

  AdminSetUserMFAPreference: async (pool, request) => {
    setPreference(named(pool, request), request);
    pool.users.save();
    return {};
  },

  AdminSetUserPassword: async (pool, request) => {
    const user = named(pool, request);
    const password = text(request, "Password", 256);
    if (request.Permanent !== true) throw invalidParameter("The local pool takes no temporary password.");
    checkPassword(pool.settings.passwordPolicy, password);
    user.password = createVerifier({ poolName: pool.name, userId: user.sub }, password);
    user.confirmed = true;
    delete user.mustChangePassword;
    pool.users.save();
    return {};
  },

  AdminUserGlobalSignOut: async (pool, request) => {
    pool.sessions.revokeAll(named(pool, request).sub);
    return {};
  },

  ListUsers: async (pool, request) => {
    checkPool(pool, request);
    const filter = optionalText(request, "Filter", 256);
    const [, name, value] = /^\s*"?(email|sub)"?\s*=\s*"([^"\\]*)"\s*$/.exec(filter ?? "") ?? [];
    if (filter !== undefined && name === undefined) throw invalidParameter("Error while parsing filter.");
    const Users = pool.users
      .all()
      .map(described)
      // Cognito's search ignores upper and lower case.
      .filter(({ Attributes }) =>
        Attributes.some(({ Name, Value }) => !name || (Name === name && Value.toLowerCase() === value?.toLowerCase())),
      );
    // A page has 60 accounts. The token of the next one is not explained by Cognito; here it is the number of those before.
    const begin = Number(optionalText(request, "PaginationToken", 131_072) ?? 0);
    const end = begin + 60;
    return { Users: Users.slice(begin, end), ...(end < Users.length && { PaginationToken: String(end) }) };
  },

  AdminLinkProviderForUser: async (pool, request) => {
    checkPool(pool, request);
    const [destination, source] = [group(request, "DestinationUser"), group(request, "SourceUser")];
    const user = pool.users.find(text(destination, "ProviderAttributeValue", 131_072));
    const [providerName, userId] = [text(source, "ProviderName", 32), text(source, "ProviderAttributeValue", 131_072)];
    if (text(source, "ProviderAttributeName", 131_072) !== "Cognito_Subject") {
      throw invalidParameter("Invalid ProviderAttributeName for SourceUser");
    }
    if (!user) throw userNotFound();
    const linked = pool.users.findExternal(providerName, userId);
    if (linked === user) throw invalidParameter("SourceUser is already linked to DestinationUser");
    if (linked) {
      throw invalidParameter(
        "Merging is not currently supported, provide a SourceUser that has not been signed up in order to link",
      );
    }
    pool.users.link(user, { providerName, userId, dateCreated: pool.now() * 1000 });
    pool.users.save();
    return {};
  },
};
