/** Asks the pool's pre-sign-up trigger, as Cognito does. */
import type { Pool } from "./pool.ts";
import { IdentityProblem } from "./problem.ts";

/** The sign-up that the trigger decides about. */
export interface PreSignUpRequest {
  readonly triggerSource: "PreSignUp_SignUp" | "PreSignUp_ExternalProvider";
  readonly userName: string;
  readonly userAttributes: Readonly<Record<string, string>>;
  readonly validationData?: Readonly<Record<string, string>>;
  readonly clientMetadata?: Readonly<Record<string, string>>;
}

/** The decision of the trigger. */
export interface PreSignUpAnswer {
  readonly autoConfirmUser: boolean;
  readonly autoVerifyEmail: boolean;
}

const undecided = { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false };

/**
 * Asks the trigger, where the pool has one.
 * @throws IdentityProblem UserLambdaValidationException with the trigger's own message when it refuses,
 * UnexpectedLambdaException when it crashed, InvalidLambdaResponseException when its answer cannot be read
 */
export async function askPreSignUp(pool: Pool, request: PreSignUpRequest): Promise<PreSignUpAnswer> {
  if (!pool.preSignUp) return undecided;
  const { triggerSource, userName, ...rest } = request;
  const answer = await pool
    .preSignUp({
      version: "1",
      region: pool.region,
      userPoolId: pool.id,
      userName,
      callerContext: { awsSdkVersion: "aws-sdk-unknown-unknown", clientId: pool.clientId },
      triggerSource,
      request: rest,
      response: undecided,
    })
    .catch((failure: Error & { errorType?: string }) => {
      const broke = /^(Runtime|Sandbox|Function|ServiceException)\b/.test(failure.errorType ?? "");
      const type = broke ? "UnexpectedLambdaException" : "UserLambdaValidationException";
      throw new IdentityProblem(type, `PreSignUp failed with error ${failure.message}.`);
    });
  const response = (answer as { response?: Partial<PreSignUpAnswer> } | null)?.response;
  if (typeof response !== "object" || response === null) {
    throw new IdentityProblem("InvalidLambdaResponseException", "Unrecognizable lambda output");
  }
  return { autoConfirmUser: response.autoConfirmUser === true, autoVerifyEmail: response.autoVerifyEmail === true };
}
