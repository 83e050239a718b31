/** A person who is new to the club: signs up, confirms with the code in the mailbox, and signs in. */
import type { ServiceStage } from "./stage.ts";

const password = "First-Words-1";

/** A request to the user pool, as the web application sends it. */
export function askPool({ outputs }: Pick<ServiceStage, "outputs">, operation: string, input: object) {
  const target = `AWSCognitoIdentityProviderService.${operation}`;
  const headers = { "content-type": "application/x-amz-json-1.1", "x-amz-target": target };
  const body = JSON.stringify({ ClientId: outputs.userPoolClientId, ...input });
  return fetch(outputs.identityUrl, { method: "POST", headers, body });
}

/** @returns the ID token of the new person; @throws Error when the identity service refuses a step */
export async function signUpAndIn(stage: ServiceStage, email: string): Promise<string> {
  const ask = async (operation: string, input: object) => {
    const response = await askPool(stage, operation, input);
    const answer = await response.json();
    if (!response.ok) throw new Error(`${operation}: ${JSON.stringify(answer)}`);
    return answer as { AuthenticationResult?: { IdToken: string } };
  };
  await ask("SignUp", { Username: email, Password: password, UserAttributes: [{ Name: "email", Value: email }] });
  const mail = stage.mailbox.list().findLast(({ destination }) => destination.to.includes(email));
  const ConfirmationCode = /\d{6}/.exec(mail?.body.text ?? "")?.[0];
  await ask("ConfirmSignUp", { Username: email, ConfirmationCode });
  const AuthParameters = { USERNAME: email, PASSWORD: password };
  const { AuthenticationResult } = await ask("InitiateAuth", { AuthFlow: "USER_PASSWORD_AUTH", AuthParameters });
  return AuthenticationResult?.IdToken ?? "";
}
