/** The password rules of a pool (CloudFormation: UserPool.Policies.PasswordPolicy). */
export interface PasswordPolicy {
  /** Characters. */
  readonly MinimumLength: number;
  readonly RequireLowercase?: boolean;
  readonly RequireUppercase?: boolean;
  readonly RequireNumbers?: boolean;
  readonly RequireSymbols?: boolean;
}

/** The settings of a user pool and its client that may differ between stages. */
export interface PoolSettings {
  readonly passwordPolicy: PasswordPolicy;
  /** Seconds that a token of each kind stays valid. */
  readonly tokenValidity: { readonly id: number; readonly access: number; readonly refresh: number };
  /** True when the mail about a sign-up has a link, and not a code to type. */
  readonly confirmByLink: boolean;
  /** Sign-in flows that the client allows, as `ALLOW_USER_SRP_AUTH`. */
  readonly authFlows: readonly string[];
}

/** The properties of an `AWS::Cognito::UserPool`. */
interface UserPool {
  readonly Policies?: { readonly PasswordPolicy?: PasswordPolicy };
  readonly UsernameConfiguration?: { readonly CaseSensitive?: boolean };
  readonly UserAttributeUpdateSettings?: { readonly AttributesRequireVerificationBeforeUpdate?: readonly string[] };
  readonly VerificationMessageTemplate?: { readonly DefaultEmailOption?: string };
  readonly Schema?: readonly { readonly Name?: string }[];
  readonly MfaConfiguration?: string;
  readonly EnabledMfas?: readonly string[];
}

/** The properties of an `AWS::Cognito::UserPoolClient`. */
interface PoolClient {
  readonly PreventUserExistenceErrors?: string;
  readonly ExplicitAuthFlows?: readonly string[];
  readonly IdTokenValidity?: number;
  readonly AccessTokenValidity?: number;
  readonly RefreshTokenValidity?: number;
  readonly TokenValidityUnits?: Readonly<Record<string, string>>;
}

/** @throws Error when the template has a pool that the local stage does not play */
export function readPoolSettings(userPool: UserPool, client: PoolClient): PoolSettings {
  const { PasswordPolicy } = userPool.Policies ?? {};
  const { IdTokenValidity: id, AccessTokenValidity: access, RefreshTokenValidity: refresh } = client;
  const units = Object.values(client.TokenValidityUnits ?? {});
  const played: Readonly<Record<string, boolean>> = {
    "emails in any case": userPool.UsernameConfiguration?.CaseSensitive === false,
    "a new email that is verified before it counts":
      userPool.UserAttributeUpdateSettings?.AttributesRequireVerificationBeforeUpdate?.join() === "email",
    "standard attributes": (userPool.Schema ?? []).every(({ Name = "" }) => STANDARD_ATTRIBUTES.has(Name)),
    "an authenticator app that people may add":
      userPool.MfaConfiguration === "OPTIONAL" && userPool.EnabledMfas?.join() === "SOFTWARE_TOKEN_MFA",
    "answers that do not tell who has an account": client.PreventUserExistenceErrors === "ENABLED",
    "a password policy": PasswordPolicy !== undefined,
    "the validity of each token in minutes": units.length === 3 && units.every((unit) => unit === "minutes"),
  };
  const other = Object.keys(played).find((what) => !played[what]);
  if (other !== undefined) throw new Error(`the local user pool has ${other}, and the template's has not`);
  return {
    passwordPolicy: PasswordPolicy as PasswordPolicy,
    tokenValidity: { id: Number(id) * 60, access: Number(access) * 60, refresh: Number(refresh) * 60 },
    confirmByLink: userPool.VerificationMessageTemplate?.DefaultEmailOption === "CONFIRM_WITH_LINK",
    authFlows: client.ExplicitAuthFlows ?? [],
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
