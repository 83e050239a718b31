/** Cognito's errors, with its names and messages. It answers 400 to every mistake of the caller. */
import { ServiceProblem } from "../../service-kit/json-service.ts";

export const notAuthorized = (message: string): ServiceProblem => new ServiceProblem("NotAuthorizedException", message);

export const invalidParameter = (message: string): ServiceProblem =>
  new ServiceProblem("InvalidParameterException", message);

/** The answer to a wrong password, and to an unknown user where the pool hides which users exist. */
export const wrongCredentials = (): ServiceProblem => notAuthorized("Incorrect username or password.");

export const userNotFound = (): ServiceProblem => new ServiceProblem("UserNotFoundException", "User does not exist.");

export const codeMismatch = (): ServiceProblem =>
  new ServiceProblem("CodeMismatchException", "Invalid verification code provided, please try again.");

export const codeExpired = (): ServiceProblem =>
  new ServiceProblem("ExpiredCodeException", "Invalid code provided, please request a code again.");

export const emailTaken = (): ServiceProblem =>
  new ServiceProblem("AliasExistsException", "An account with the given email already exists.");
