import { ServiceProblem } from "../../service-kit/json-service.ts";
import type { Operation } from "../pool/pool.ts";
import { invalidParameter } from "../pool/problem.ts";
import { type Fields, group, text } from "../pool/request-fields.ts";
import { newSoftwareToken, useCode } from "../pool/software-token.ts";
import type { User } from "../pool/user-store.ts";
import { signedIn } from "./requester.ts";

/** @throws ServiceProblem InvalidParameterException when the code has not six digits */
function userCode(request: Fields): string {
  const code = text(request, "UserCode", 6);
  if (/^\d{6}$/.test(code)) return code;
  throw invalidParameter(
    `1 validation error detected: Value '${code}' at 'userCode' failed to satisfy constraint: ${
      /^\d+$/.test(code)
        ? "Member must have length greater than or equal to 6"
        : "Member must satisfy regular expression pattern: [0-9]+"
    }`,
  );
}

/**
 * Stores which second factors a person wants.
 * @throws ServiceProblem InvalidParameterException for a factor that the person or the pool does not have
 */
export function setPreference(user: User, request: Fields): void {
  for (const [field, factor] of [
    ["SMSMfaSettings", "SMS_MFA"],
    ["EmailMfaSettings", "EMAIL_OTP"],
  ] as const) {
    if (group(request, field).Enabled === true) {
      throw invalidParameter(`User does not have delivery config set to turn on ${factor}`);
    }
  }
  // An absent setting changes nothing, and null counts as absent.
  if ((request.SoftwareTokenMfaSettings ?? undefined) === undefined) return;
  const { Enabled, PreferredMfa } = group(request, "SoftwareTokenMfaSettings");
  if (Enabled !== true) {
    delete user.mfa;
    return;
  }
  if (!user.softwareToken) throw invalidParameter("User has not verified software token mfa");
  user.mfa = { isPreferred: PreferredMfa === true };
}

/** The second factors of a person, as the answers about a user have them. */
export const listedFactors = ({ mfa }: User): object => ({
  ...(mfa?.isPreferred && { PreferredMfaSetting: "SOFTWARE_TOKEN_MFA" }),
  ...(mfa && { UserMFASettingList: ["SOFTWARE_TOKEN_MFA"] }),
});

/** The operations of a signed-in person on their second factor. */
export const mfaOperations: Readonly<Record<string, Operation>> = {
  /** Starts with a new key. The previous key stays valid until the new one is verified. */
  AssociateSoftwareToken: async (pool, request) => {
    const { user } = await signedIn(pool, request);
    user.pendingSoftwareToken = newSoftwareToken();
    pool.users.save();
    return { SecretCode: user.pendingSoftwareToken.secret };
  },

  VerifySoftwareToken: async (pool, request) => {
    const { user } = await signedIn(pool, request);
    const code = userCode(request);
    const token = user.pendingSoftwareToken;
    if (!token) {
      const message = "Software Token MFA does not exist for the user.";
      throw new ServiceProblem("SoftwareTokenMFANotFoundException", message);
    }
    if (useCode(token, code, pool.now()) !== "valid") {
      throw new ServiceProblem("EnableSoftwareTokenMFAException", "Code mismatch and fail enable Software Token MFA");
    }
    user.softwareToken = token;
    delete user.pendingSoftwareToken;
    pool.users.save();
    return { Status: "SUCCESS" };
  },

  SetUserMFAPreference: async (pool, request) => {
    const { user } = await signedIn(pool, request);
    setPreference(user, request);
    pool.users.save();
    return {};
  },
};
