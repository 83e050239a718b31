/**
 * npm run -s token -- <email> [password]
 * npm run -s token -- <email> <new password> --forgotten
 * Signs in to the running local stage. Prints only the ID token on stdout, so that a shell can keep it in a variable.
 * `--forgotten` first sets the password, with the code of the mail that the person would get.
 */
import { readFileSync } from "node:fs";
import { usageOf } from "../tools/kit/usage.ts";

const OUTPUTS = ".local/outputs.json";
/** The password of every seeded account (`docs/contract.md`, "The local stage"). */
const SEEDED_PASSWORD = "Club-local-1!";

interface Outputs {
  identityUrl: string;
  userPoolClientId: string;
  mailUrl?: string;
  accounts?: { email: string; password: string }[];
}

/** An error that the developer can fix. Its message is printed without a stack trace. */
class Failure extends Error {}

try {
  const isForgotten = process.argv.includes("--forgotten");
  const [email, password] = process.argv.slice(2).filter((word) => word !== "--forgotten");
  if (!email || (isForgotten && !password)) {
    throw new Failure(usageOf("token"));
  }
  if (isForgotten) await setPassword(email, String(password));
  console.log(await idToken(email, password));
} catch (problem) {
  if (!(problem instanceof Failure)) throw problem;
  console.error(problem.message);
  process.exitCode = 1;
}

async function idToken(email: string, password: string | undefined): Promise<string> {
  const outputs = readOutputs();
  const account = outputs.accounts?.find((candidate) => candidate.email.toLowerCase() === email.toLowerCase());
  const response = await initiateAuth(outputs, email, password ?? account?.password ?? SEEDED_PASSWORD);
  const answer = (await response.json().catch(() => ({}))) as {
    message?: string;
    AuthenticationResult?: { IdToken?: string };
    ChallengeName?: string;
  };
  const token = answer.AuthenticationResult?.IdToken;
  if (token) return token;
  if (answer.ChallengeName) {
    throw new Failure(
      `${email} has an authenticator app (${answer.ChallengeName}); this command signs in by password only`,
    );
  }
  const known = (outputs.accounts ?? []).map((candidate) => candidate.email).join(", ");
  throw new Failure(
    `could not sign in as ${email}: ${answer.message ?? `status ${response.status}`}\n` +
      `seeded accounts: ${known || "none"}; for any other account give its password as second argument`,
  );
}

function readOutputs(): Outputs {
  let outputs: Partial<Outputs>;
  try {
    outputs = JSON.parse(readFileSync(OUTPUTS, "utf8"));
  } catch {
    throw new Failure(`no readable ${OUTPUTS} here: start the local stage with npm start and wait for "ready"`);
  }
  const { identityUrl, userPoolClientId, mailUrl, accounts } = outputs;
  if (!identityUrl || !userPoolClientId) {
    throw new Failure(`${OUTPUTS} names no identity service: start the local stage with npm start`);
  }
  return { identityUrl, userPoolClientId, ...(mailUrl && { mailUrl }), accounts };
}

function initiateAuth(outputs: Outputs, email: string, password: string): Promise<Response> {
  const AuthParameters = { USERNAME: email, PASSWORD: password };
  return ofPool(outputs, "InitiateAuth", { AuthFlow: "USER_PASSWORD_AUTH", AuthParameters });
}

async function ofPool({ identityUrl, userPoolClientId }: Outputs, operation: string, fields: object) {
  try {
    return await fetch(identityUrl, {
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": `AWSCognitoIdentityProviderService.${operation}`,
      },
      body: JSON.stringify({ ClientId: userPoolClientId, ...fields }),
    });
  } catch {
    throw new Failure(`nothing answers at ${identityUrl}: the local stage is not running; start it with npm start`);
  }
}

interface Mail {
  readonly destination: { readonly to: readonly string[] };
  readonly body: { readonly text?: string };
}

/** The newest code in the mailbox of the stage for this person. */
async function mailedCode({ mailUrl }: Outputs, email: string): Promise<string | undefined> {
  const { emails } = (await (await fetch(`${mailUrl}/store`)).json()) as { emails: readonly Mail[] };
  const own = emails.filter(({ destination }) => destination.to.some((to) => to.toLowerCase() === email.toLowerCase()));
  return /\b\d{6}\b/.exec(own.at(-1)?.body.text ?? "")?.[0];
}

async function setPassword(email: string, password: string): Promise<void> {
  const outputs = readOutputs();
  const asked = await ofPool(outputs, "ForgotPassword", { Username: email });
  const code = asked.ok ? await mailedCode(outputs, email) : undefined;
  if (code === undefined) throw new Failure(`${email} gets no code: there is no account, or its email is not verified`);
  const fields = { Username: email, ConfirmationCode: code, Password: password };
  const answer = await ofPool(outputs, "ConfirmForgotPassword", fields);
  if (answer.ok) return;
  const { message } = (await answer.json().catch(() => ({}))) as { message?: string };
  throw new Failure(`the password of ${email} was not set: ${message ?? `status ${answer.status}`}`);
}
