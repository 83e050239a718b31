/** The password rules of a pool (CloudFormation: UserPool.Policies.PasswordPolicy). */
export interface PasswordPolicy {
  /** Characters. */
  minimumLength: number;
  requireLowercase: boolean;
  requireUppercase: boolean;
  requireNumbers: boolean;
  requireSymbols: boolean;
}

/** The settings of a user pool and its client that the local identity service applies. */
export interface PoolSettings {
  passwordPolicy: PasswordPolicy;
  /** Seconds that a token of each kind stays valid. */
  tokenValidity: { id: number; access: number; refresh: number };
  /** Attributes that keep their old value until the new one is verified. */
  verifyBeforeUpdate: readonly string[];
  /** Custom attributes of the pool's schema, with their `custom:` prefix. */
  customAttributes: readonly string[];
  /** True when answers must not tell whether an account exists. */
  hideUserExistence: boolean;
  /** True when `A@b.c` and `a@b.c` are different people. */
  caseSensitive: boolean;
  /** True when the mail about a sign-up has a link, and not a code to type. */
  confirmByLink: boolean;
  /** True when people may add an authenticator app as a second factor. */
  softwareTokenMfa: boolean;
  /** Sign-in flows that the client allows, as `ALLOW_USER_SRP_AUTH`. Absent: every flow. */
  authFlows?: readonly string[];
}

type Properties = Readonly<Record<string, unknown>>;

const SECONDS: Readonly<Record<string, number>> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 };

const properties = (value: unknown): Properties =>
  typeof value === "object" && value !== null ? (value as Properties) : {};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const strings = (value: unknown): string[] => list(value).filter((entry) => typeof entry === "string");
const number = (value: unknown, absent: number): number => (value === undefined ? absent : Number(value));
const flag = (value: unknown, absent: boolean): boolean =>
  value === undefined ? absent : value === true || value === "true";

/**
 * Reads the settings from the resolved `Properties` of an `AWS::Cognito::UserPool` and its `AWS::Cognito::UserPoolClient`.
 * What the template leaves out gets the default that Cognito documents.
 */
export function readPoolSettings(userPool: Properties, client: Properties): PoolSettings {
  const flows = strings(client.ExplicitAuthFlows);
  return {
    passwordPolicy: passwordPolicy(properties(userPool.Policies).PasswordPolicy),
    tokenValidity: tokenValidity(client),
    verifyBeforeUpdate: strings(
      properties(userPool.UserAttributeUpdateSettings).AttributesRequireVerificationBeforeUpdate,
    ),
    customAttributes: list(userPool.Schema)
      .map((attribute) => String(properties(attribute).Name))
      .filter((name) => !STANDARD_ATTRIBUTES.has(name))
      .map((name) => (name.startsWith("custom:") ? name : `custom:${name}`)),
    hideUserExistence: client.PreventUserExistenceErrors === "ENABLED",
    caseSensitive: flag(properties(userPool.UsernameConfiguration).CaseSensitive, true),
    confirmByLink: properties(userPool.VerificationMessageTemplate).DefaultEmailOption === "CONFIRM_WITH_LINK",
    softwareTokenMfa: softwareTokenMfa(userPool),
    ...(flows.length > 0 && { authFlows: flows }),
  };
}

/** @throws Error for second factors that the local stage does not support */
function softwareTokenMfa({ MfaConfiguration = "OFF", EnabledMfas }: Properties): boolean {
  const factors = strings(EnabledMfas);
  const [other] = factors.filter((factor) => factor !== "SOFTWARE_TOKEN_MFA");
  if (other !== undefined) throw new Error(`the local user pool has no second factor ${other}`);
  if (MfaConfiguration === "ON") throw new Error("the local user pool cannot demand a second factor of all people");
  return MfaConfiguration === "OPTIONAL" && factors.length > 0;
}

function passwordPolicy(declared: unknown): PasswordPolicy {
  const policy = properties(declared);
  // A pool without a policy requires every kind of character; a declared policy only the kinds that it names.
  const absent = declared === undefined;
  return {
    minimumLength: number(policy.MinimumLength, 8),
    requireLowercase: flag(policy.RequireLowercase, absent),
    requireUppercase: flag(policy.RequireUppercase, absent),
    requireNumbers: flag(policy.RequireNumbers, absent),
    requireSymbols: flag(policy.RequireSymbols, absent),
  };
}

function tokenValidity(client: Properties): PoolSettings["tokenValidity"] {
  const units = properties(client.TokenValidityUnits);
  const seconds = (amount: unknown, unit: unknown, absent: number): number => {
    if (amount === undefined) return absent;
    const factor = SECONDS[String(unit)];
    if (factor === undefined) throw new Error(`unknown token validity unit ${String(unit)}`);
    return Number(amount) * factor;
  };
  return {
    id: seconds(client.IdTokenValidity, units.IdToken ?? "hours", 3600),
    access: seconds(client.AccessTokenValidity, units.AccessToken ?? "hours", 3600),
    refresh: seconds(client.RefreshTokenValidity, units.RefreshToken ?? "days", 30 * 86_400),
  };
}

/** Attributes that every user pool has, after OpenID Connect. */
export const STANDARD_ATTRIBUTES: ReadonlySet<string> = new Set([
  "address",
  "birthdate",
  "email",
  "email_verified",
  "family_name",
  "gender",
  "given_name",
  "locale",
  "middle_name",
  "name",
  "nickname",
  "phone_number",
  "phone_number_verified",
  "picture",
  "preferred_username",
  "profile",
  "sub",
  "updated_at",
  "website",
  "zoneinfo",
]);
