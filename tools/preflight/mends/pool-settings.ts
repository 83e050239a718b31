/**
 * The settings of an existing user pool. `UpdateUserPool` resets each setting that a request does not name
 * (https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-updating.html), so the request has all.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  DescribeUserPoolCommand,
  GetUserPoolMfaConfigCommand,
  UpdateUserPoolCommand,
  type UpdateUserPoolRequest,
  type UserPoolType,
} from "@aws-sdk/client-cognito-identity-provider";
import { type Mend, Obstacle } from "../../kit/finding.ts";
import type { Account } from "../account.ts";
import { asking, changing } from "../asking.ts";

type Settings = Omit<UpdateUserPoolRequest, "UserPoolId">;

type SameName = Exclude<keyof Settings, "PoolName">;

/** The settings that a request and a pool call the same. The type demands each that the SDK knows. */
const names = Object.keys({
  AccountRecoverySetting: true,
  AcrConfiguration: true,
  AdminCreateUserConfig: true,
  AutoVerifiedAttributes: true,
  DeletionProtection: true,
  DeviceConfiguration: true,
  EmailConfiguration: true,
  EmailVerificationMessage: true,
  EmailVerificationSubject: true,
  IssuerConfiguration: true,
  KeyConfiguration: true,
  LambdaConfig: true,
  MfaConfiguration: true,
  Policies: true,
  SmsAuthenticationMessage: true,
  SmsConfiguration: true,
  SmsVerificationMessage: true,
  UserAttributeUpdateSettings: true,
  UserPoolAddOns: true,
  UserPoolTags: true,
  UserPoolTier: true,
  VerificationMessageTemplate: true,
} satisfies Record<SameName, true>) as SameName[];

/**
 * The settings of a pool as a request takes them:
 * - without the legacy `UnusedAccountValidityDays`, which cannot be set beside `TemporaryPasswordValidityDays`
 *   (https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_PasswordPolicyType.html);
 * - with the texts for a code or those for a link: a request with both is refused
 *   (https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UpdateUserPool.html).
 */
function settingsOf(pool: UserPoolType): Settings {
  const given = names.filter((name) => pool[name] !== undefined && pool[name] !== null);
  const settings: Settings = { PoolName: pool.Name, ...Object.fromEntries(given.map((name) => [name, pool[name]])) };
  const { UnusedAccountValidityDays: days, ...admin } = settings.AdminCreateUserConfig ?? {};
  if (settings.AdminCreateUserConfig) settings.AdminCreateUserConfig = admin;
  if (days !== undefined) {
    const policy = { TemporaryPasswordValidityDays: days, ...settings.Policies?.PasswordPolicy };
    settings.Policies = { ...settings.Policies, PasswordPolicy: policy };
  }
  const template = settings.VerificationMessageTemplate;
  if (template?.EmailMessage && template.EmailMessageByLink) {
    const { EmailMessage, EmailSubject, EmailMessageByLink, EmailSubjectByLink, ...others } = template;
    settings.VerificationMessageTemplate =
      template.DefaultEmailOption === "CONFIRM_WITH_LINK"
        ? { ...others, EmailMessageByLink, EmailSubjectByLink }
        : { ...others, EmailMessage, EmailSubject };
  }
  return settings;
}

const withEmail = <T extends string>(attributes: readonly T[] = []): (T | "email")[] => [
  ...new Set([...attributes, "email" as const]),
];

/** What the check demands. @param rule the stack's function; undefined before its deploy */
function wantedSettings(settings: Settings, rule: string | undefined): Settings {
  const updates = settings.UserAttributeUpdateSettings;
  const policy = settings.Policies?.PasswordPolicy;
  return {
    ...settings,
    ...(rule !== undefined && { LambdaConfig: { ...settings.LambdaConfig, PreSignUp: rule } }),
    AutoVerifiedAttributes: withEmail(settings.AutoVerifiedAttributes),
    UserAttributeUpdateSettings: {
      ...updates,
      AttributesRequireVerificationBeforeUpdate: withEmail(updates?.AttributesRequireVerificationBeforeUpdate),
    },
    Policies: {
      ...settings.Policies,
      PasswordPolicy: {
        ...policy,
        MinimumLength: Math.max(policy?.MinimumLength ?? 8, 8),
        RequireLowercase: true,
        RequireUppercase: true,
        RequireNumbers: true,
        RequireSymbols: true,
      },
    },
    DeletionProtection: "ACTIVE",
  };
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The values of all settings by their paths, such as `Policies.PasswordPolicy.MinimumLength`. */
const flat = (value: object, path = ""): [string, unknown][] =>
  Object.entries(value).flatMap(([name, inner]): [string, unknown][] =>
    isObject(inner) ? flat(inner, `${path}${name}.`) : inner === undefined ? [] : [[`${path}${name}`, inner]],
  );

const shown = (value: unknown): string => (value === undefined ? "none" : JSON.stringify(value));

/** One text for each value that differs. */
function differences(before: object, after: object): string[] {
  const [was, is] = [new Map(flat(before)), new Map(flat(after))];
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((path) => !isDeepStrictEqual(was.get(path), is.get(path)))
    .map((path) => `${path} ${shown(was.get(path))} becomes ${shown(is.get(path))}`);
}

/** Writes a file that only its owner can read. A file that is there stays: it is the way back of an earlier change. */
async function keep(file: string, content: object): Promise<void> {
  const text = `${JSON.stringify(content, undefined, 2)}\n`;
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new Obstacle(`${file} cannot be written (${code ?? message}).`, "run this in a folder of your own.");
    }
    if ((await readFile(file, "utf8")) === text) return;
    throw new Obstacle(`${file} has other settings, of an earlier change.`, "move it to a safe place and try again.");
  }
}

const wayBack = (file: string, command: string) => `aws cognito-idp ${command} --cli-input-json file://${file}`;
const poolFile = "pool-as-it-was.json";
const mfaFile = "mfa-as-it-was.json";

/** @returns undefined when the pool has all that the check demands */
export function poolSettings(account: Account, pool: UserPoolType, rule: string | undefined): Mend | undefined {
  const UserPoolId = pool.Id ?? "";
  const { signIn } = account.clients;
  const before = settingsOf(pool);
  const wanted = wantedSettings(before, rule);
  const changes = differences(before, wanted);
  if (changes.length === 0) return undefined;

  /** Second factors have a request of their own. The update must leave them, so they are compared. */
  const readFactors = async (): Promise<object> => {
    const answer = signIn.send(new GetUserPoolMfaConfigCommand({ UserPoolId }));
    const { $metadata: _, ...factors } = await changing("cognito-idp:GetUserPoolMfaConfig", answer);
    return factors;
  };
  const readSettings = async (): Promise<Settings> => {
    const answer = signIn.send(new DescribeUserPoolCommand({ UserPoolId }));
    return settingsOf((await asking("cognito-idp:DescribeUserPool", answer)).UserPool ?? {});
  };

  return {
    what: `update the user pool ${UserPoolId}, and keep its former settings in ${poolFile} and ${mfaFile}: ${changes.join("; ")}.`,
    async apply() {
      const factors = await readFactors();
      await keep(join(account.folder, poolFile), { UserPoolId, ...before });
      await keep(join(account.folder, mfaFile), { UserPoolId, ...factors });
      const update = signIn.send(new UpdateUserPoolCommand({ UserPoolId, ...wanted }));
      await changing("cognito-idp:UpdateUserPool", update);
      const unwanted = [...differences(wanted, await readSettings()), ...differences(factors, await readFactors())];
      if (unwanted.length === 0) return `updated the user pool ${UserPoolId}: ${changes.join("; ")}.`;
      throw new Obstacle(
        `the user pool ${UserPoolId} is updated, but not as planned: ${unwanted.join("; ")}.`,
        `look into the pool. The way back: ${wayBack(poolFile, "update-user-pool")} && ${wayBack(mfaFile, "set-user-pool-mfa-config")}`,
      );
    },
  };
}
