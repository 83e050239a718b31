/** An error answer of the identity service, with Cognito's name and message. */
export class IdentityProblem extends Error {
  /** Cognito's name of the error, such as `NotAuthorizedException`. */
  readonly type: string;
  /** HTTP status; Cognito answers 400 to every mistake of the caller. */
  readonly status: number;

  constructor(type: string, message: string, status = 400) {
    super(message);
    this.name = "IdentityProblem";
    this.type = type;
    this.status = status;
  }
}

export const notAuthorized = (message: string): IdentityProblem =>
  new IdentityProblem("NotAuthorizedException", message);

export const invalidParameter = (message: string): IdentityProblem =>
  new IdentityProblem("InvalidParameterException", message);

/** The answer to a wrong password, and to an unknown user where the pool hides which users exist. */
export const wrongCredentials = (): IdentityProblem => notAuthorized("Incorrect username or password.");

export const userNotFound = (): IdentityProblem => new IdentityProblem("UserNotFoundException", "User does not exist.");

export const codeMismatch = (): IdentityProblem =>
  new IdentityProblem("CodeMismatchException", "Invalid verification code provided, please try again.");

export const codeExpired = (): IdentityProblem =>
  new IdentityProblem("ExpiredCodeException", "Invalid code provided, please request a code again.");

export const emailTaken = (): IdentityProblem =>
  new IdentityProblem("AliasExistsException", "An account with the given email already exists.");
