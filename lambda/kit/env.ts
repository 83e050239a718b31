/** The environment variables of a function: the stack sets those that its declaration names (`function.ts`). */

/** The variables of the kit. What is built on it adds its own to this interface (`lambda/domain/settings.ts`). */
export interface Variables {
  readonly ADMIN_EMAIL_DOMAIN: string;
  readonly TABLE_NAME: string;
  readonly TOKEN_AUDIENCE: string;
  readonly TOKEN_ISSUER: string;
}

/**
 * The value of a variable. `test/infra/functions.suite.ts` finds a function that reads one which it does not declare.
 * @throws Error the variable is missing; the function then fails at startup
 */
export function requiredEnv(name: keyof Variables): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
