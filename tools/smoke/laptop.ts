/** The laptop's stage: people sign up, and read their codes in its mailbox. */
import { randomUUID } from "node:crypto";
import {
  CognitoIdentityProviderClient,
  ConfirmSignUpCommand,
  DeleteUserCommand,
  SignUpCommand,
} from "@aws-sdk/client-cognito-identity-provider";
import { DeleteObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { isNamed } from "../kit/failures.ts";
import type { TestedStage } from "./outputs.ts";
import { signedIn, type Tokens } from "./sign-in.ts";
import { fetched } from "./step-kit/api.ts";
import type { LoggedError, Logs } from "./step-kit/logs.ts";
import type { People, Place } from "./step-kit/place.ts";
import { Failed, until, within } from "./step-kit/waiting.ts";

const longestWait = 10_000;

interface Mail {
  readonly subject: string;
  readonly destination: { readonly to: readonly string[] };
  readonly body: { readonly text?: string };
}

/** The mails to a person, oldest first. */
async function mailsTo(mailUrl: string, email: string, stop: AbortSignal): Promise<Mail[]> {
  const { text } = await fetched(`${mailUrl}/store`, stop);
  const { emails } = JSON.parse(text) as { emails: Mail[] };
  return emails.filter(({ destination }) => destination.to.some((to) => to.includes(email)));
}

/** The errors that the running stage keeps. */
const logsAt = (apiUrl: string): Logs => ({
  delay: 1_000,
  async errors(since, stop, functionNames) {
    const { status, text } = await fetched(`${apiUrl}/local/errors`, stop);
    if (status !== 200) throw new Failed(`The logs cannot be read: ${apiUrl}/local/errors is ${status}.`);
    const errors = JSON.parse(text) as LoggedError[];
    return errors.filter(
      ({ at, functionName }) => at >= since && (!functionNames || functionNames.includes(functionName)),
    );
  },
});

/** Accounts created by sign-up: the laptop's pool has no administrator. */
function temporaryPeople(stage: TestedStage, pool: CognitoIdentityProviderClient): People {
  const { userPoolId, userPoolClientId, text } = stage;
  const [userPoolEndpoint, mailUrl] = [text("identityUrl"), text("mailUrl")];
  const tokensOf = (email: string, password: string, stop: AbortSignal): Promise<Tokens> =>
    within(longestWait, `the sign-in of ${email}`, stop, () =>
      signedIn({ userPoolId, userPoolClientId, userPoolEndpoint }, email, password),
    );
  return {
    async signedIn(email, made, stop) {
      const password = `Aa1!${randomUUID()}`;
      let tokens: Tokens | undefined;
      made.expect({
        what: `the account ${email}`,
        async remove(abortSignal) {
          tokens ??= await tokensOf(email, password, abortSignal).catch((error: unknown) => {
            // No other account has this password, so there is none.
            if (isNamed(error, "NotAuthorizedException")) return undefined;
            throw error;
          });
          if (!tokens) return;
          await pool.send(new DeleteUserCommand({ AccessToken: tokens.accessToken }), { abortSignal });
        },
        command: "npm start -- --reset",
      });
      const account = { ClientId: userPoolClientId, Username: email };
      const signUp = { ...account, Password: password, UserAttributes: [{ Name: "email", Value: email }] };
      await pool.send(new SignUpCommand(signUp));
      const ConfirmationCode = await until(longestWait, `the code for ${email}`, stop, async () => {
        const mails = await mailsTo(mailUrl, email, stop);
        return /\d{6}/.exec(mails.at(-1)?.body.text ?? "")?.[0];
      });
      await pool.send(new ConfirmSignUpCommand({ ...account, ConfirmationCode }), { abortSignal: stop });
      tokens = await tokensOf(email, password, stop);
      return { email, token: tokens.idToken };
    },
  };
}

export function laptopPlace(stage: TestedStage): Place {
  const { apiUrl, region, imageBucket, text } = stage;
  // The laptop stage accepts any key.
  const settings = {
    region,
    maxAttempts: 1,
    // A connection that is kept may be closed by a busy stage while the next request is on its way.
    requestHandler: { httpAgent: { keepAlive: false } },
    credentials: { accessKeyId: "LOCALSmoke", secretAccessKey: "local" },
  };
  const storage = new S3Client({ ...settings, endpoint: text("imagesUrl"), forcePathStyle: true });
  return {
    reached: (url) => url,
    lack: async () => undefined,
    people: temporaryPeople(stage, new CognitoIdentityProviderClient({ ...settings, endpoint: text("identityUrl") })),
    logs: logsAt(apiUrl),
    adminToken: `$(npm run -s token -- exec@${stage.stage.adminEmailDomain})`,
    removeImage: (key, abortSignal) =>
      storage.send(new DeleteObjectCommand({ Bucket: imageBucket, Key: key }), { abortSignal }),
    removeImageCommand: () => "npm start -- --reset",
    webhookSecret: async () => ({ secret: text("webhookSecret") }),
    subjectsTo: async (email, stop) => (await mailsTo(text("mailUrl"), email, stop)).map(({ subject }) => subject),
  };
}
