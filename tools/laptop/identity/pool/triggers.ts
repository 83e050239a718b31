import { ServiceProblem } from "../../service-kit/json-service.ts";
/** Calls the pool's triggers, as Cognito does. */
import type { Pool, Trigger } from "./pool.ts";
import { type User, usernameOf } from "./user-store.ts";

/** The sign-up that the trigger decides about. */
export interface PreSignUpRequest {
  readonly triggerSource: "PreSignUp_SignUp" | "PreSignUp_AdminCreateUser" | "PreSignUp_ExternalProvider";
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
 * @throws ServiceProblem UserLambdaValidationException with the trigger's own message when it refuses,
 * UnexpectedLambdaException when it crashed, InvalidLambdaResponseException when its answer cannot be read
 */
export async function askPreSignUp(pool: Pool, request: PreSignUpRequest): Promise<PreSignUpAnswer> {
  if (!pool.preSignUp) return undecided;
  const { triggerSource, userName, ...rest } = request;
  const event = { triggerSource, userName, request: rest, response: undecided };
  const response = await answerOf<PreSignUpAnswer>(pool, "PreSignUp", pool.preSignUp, event);
  return { autoConfirmUser: response.autoConfirmUser === true, autoVerifyEmail: response.autoVerifyEmail === true };
}

/** Why Cognito mails a code. */
export type MessageSource = "SignUp" | "ResendCode" | "ForgotPassword" | "UpdateUserAttribute" | "VerifyUserAttribute";

/**
 * Calls the trigger before a code is issued and mailed, where the pool has one. An error ends the operation without a mail.
 * Source: Cognito developer guide, "Custom message Lambda trigger"; API reference, "ResendConfirmationCode", "Errors".
 * @throws ServiceProblem as `askPreSignUp` @throws Error when the trigger changes the text, which the laptop does not do
 */
export async function askCustomMessage(pool: Pool, source: MessageSource, user: User): Promise<void> {
  if (!pool.customMessage) return;
  const texts = { smsMessage: null, emailMessage: null, emailSubject: null };
  const response = await answerOf<Record<keyof typeof texts, unknown>>(pool, "CustomMessage", pool.customMessage, {
    triggerSource: `CustomMessage_${source}`,
    userName: usernameOf(user),
    request: { userAttributes: user.attributes, codeParameter: "{####}", usernameParameter: null },
    response: texts,
  });
  if (Object.values(response).some((text) => text != null))
    throw new Error("the local pool has one text for each mail");
}

async function answerOf<Response>(
  pool: Pool,
  name: string,
  trigger: Trigger,
  event: object,
): Promise<Partial<Response>> {
  const answer = await trigger({
    version: "1",
    region: pool.region,
    userPoolId: pool.id,
    callerContext: { awsSdkVersion: "aws-sdk-unknown-unknown", clientId: pool.clientId },
    ...event,
  }).catch((failure: Error & { errorType?: string }) => {
    const broke = /^(Runtime|Sandbox|Function|ServiceException)\b/.test(failure.errorType ?? "");
    const type = broke ? "UnexpectedLambdaException" : "UserLambdaValidationException";
    throw new ServiceProblem(type, `${name} failed with error ${failure.message}.`);
  });
  const response = (answer as { response?: Partial<Response> } | null)?.response;
  if (typeof response !== "object" || response === null) {
    throw new ServiceProblem("InvalidLambdaResponseException", "Unrecognizable lambda output");
  }
  return response;
}
