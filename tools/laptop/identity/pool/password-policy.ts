import { ServiceProblem } from "../../service-kit/json-service.ts";
import type { PasswordPolicy } from "./pool-settings.ts";

// The symbols of Cognito's documentation; a space counts inside a password.
const SYMBOLS = /[\^$*.[\]{}()?"!@#%&/\\,><':;|_~`=+-]|\S \S/;

/**
 * Checks a new password against the pool's policy.
 * @throws ServiceProblem InvalidPasswordException with the first requirement that is not met.
 */
export function checkPassword(policy: PasswordPolicy, password: string): void {
  const refuse = (reason: string): never => {
    throw new ServiceProblem("InvalidPasswordException", `Password did not conform with policy: ${reason}`);
  };
  if (password.length < policy.MinimumLength) refuse("Password not long enough");
  if (policy.RequireUppercase && !/[A-Z]/.test(password)) refuse("Password must have uppercase characters");
  if (policy.RequireLowercase && !/[a-z]/.test(password)) refuse("Password must have lowercase characters");
  if (policy.RequireNumbers && !/[0-9]/.test(password)) refuse("Password must have numeric characters");
  if (policy.RequireSymbols && !SYMBOLS.test(password)) refuse("Password must have symbol characters");
}
