/**
 * The environment variables that the stack gives to functions. Constructs, functions and tests share these names. Those
 * below are of every service; `lambda/domain/settings.ts` adds those of the club.
 */
export interface KnownSettings {
  readonly ADMIN_EMAIL_DOMAIN: string;
  readonly ALLOWED_ORIGINS: string;
  readonly BUS_NAME: string;
  readonly PUBLIC_ROUTES: string;
  readonly STAGE: string;
  readonly TABLE_NAME: string;
  readonly TIME_ZONE: string;
  readonly TOKEN_AUDIENCE: string;
  readonly TOKEN_ISSUER: string;
  readonly VERIFIED_EMAIL_ONLY: string;
}

export type SettingName = keyof KnownSettings;

/** The settings of one function. */
export type Settings = Partial<KnownSettings>;

/**
 * The value of a required environment variable.
 * @throws Error the variable is missing; the function then fails at startup
 */
export function requiredEnv(name: SettingName): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
