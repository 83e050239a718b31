import { readFileSync } from "node:fs";

/*
 * npm run -s token -- <email> [password]
 * Signs in to the running local stage. Prints only the ID token on stdout, so that a shell can keep it in a variable.
 */

const OUTPUTS = ".local/outputs.json";
/** The password of every seeded account (`docs/contract.md`, "The local stage"). */
const SEEDED_PASSWORD = "Club-local-1!";

interface Outputs {
  identityUrl: string;
  userPoolClientId: string;
  accounts?: { email: string; password: string }[];
}

/** An error that the developer can fix. Its message is printed without a stack trace. */
class Failure extends Error {}

try {
  const [email, password] = process.argv.slice(2);
  if (!email) throw new Failure("usage: npm run -s token -- <email> [password]");
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
  const { identityUrl, userPoolClientId, accounts } = outputs;
  if (!identityUrl || !userPoolClientId) {
    throw new Failure(`${OUTPUTS} names no identity service: start the local stage with npm start`);
  }
  return { identityUrl, userPoolClientId, accounts };
}

async function initiateAuth(outputs: Outputs, email: string, password: string): Promise<Response> {
  try {
    return await fetch(outputs.identityUrl, {
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": "AWSCognitoIdentityProviderService.InitiateAuth",
      },
      body: JSON.stringify({
        ClientId: outputs.userPoolClientId,
        AuthFlow: "USER_PASSWORD_AUTH",
        AuthParameters: { USERNAME: email, PASSWORD: password },
      }),
    });
  } catch {
    throw new Failure(
      `nothing answers at ${outputs.identityUrl}: the local stage is not running; start it with npm start`,
    );
  }
}
