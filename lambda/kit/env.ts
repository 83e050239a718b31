/**
 * The value of a required environment variable.
 * @throws Error names the missing variable and stops the function at its first start
 */
export function requiredEnv(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
