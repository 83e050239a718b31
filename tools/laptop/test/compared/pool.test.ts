/** The user pool: accounts, codes, sign-in, sessions, the second factor and the list of accounts. */
import {
  type AuthenticationResultType,
  CognitoIdentityProvider,
  type CognitoIdentityProviderServiceException,
} from "@aws-sdk/client-cognito-identity-provider";
import { expect } from "@jest/globals";
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from "jose";
import { Secret, TOTP } from "otpauth";
import { nextKeyPair } from "../../../../test/service/signing-keys.ts";
import { startIdentity } from "../../identity/index.ts";
import { readPoolSettings } from "../../identity/pool-settings.ts";
import { answerChallenge, publicValue } from "../identity-srp-client.ts";
import { compareWithMiniStack, type Difference, type Operation } from "./compare.ts";

/** What both pools are made of, in the words of CloudFormation and of the API. */
const poolProperties = {
  Policies: {
    PasswordPolicy: {
      MinimumLength: 8,
      RequireLowercase: true,
      RequireUppercase: true,
      RequireNumbers: true,
      RequireSymbols: true,
    },
  },
  UsernameConfiguration: { CaseSensitive: false },
};
const clientProperties = {
  PreventUserExistenceErrors: "ENABLED" as const,
  ExplicitAuthFlows: ["ALLOW_USER_SRP_AUTH" as const, "ALLOW_REFRESH_TOKEN_AUTH" as const],
};

interface Side {
  readonly client: CognitoIdentityProvider;
  readonly poolId: string;
  readonly clientId: string;
  /** Where the pool serves its documents, without a trailing slash. */
  readonly url: string;
  /** The code of the newest mail: of a sign-up, or about a forgotten password. */
  code(kind: "sign-up" | "forgotten"): string;
  /** The tokens of the last sign-in. */
  tokens: AuthenticationResultType;
  /** The key of the authenticator app. */
  secret: string;
  /** The session of a sign-in that waits for the app's code. */
  session: string;
  /** Makes so many accounts, without a mail. */
  seed(count: number): Promise<void>;
  close(): unknown;
}

const email = "ada@student.example";
const first = "First-Words-1";
const second = "Second-Words-2";
const text = expect.stringMatching(/./);

const otherThan = (code: string) => (code === "000000" ? "000001" : "000000");
/** A refusal with the status and the words that a client reads. */
const refused = (name: string, message: unknown = expect.any(String)) => ({ status: 400, name, message });
const wrongCredentials = refused("NotAuthorizedException", "Incorrect username or password.");
async function withWords(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    const { name, message, $metadata } = error as CognitoIdentityProviderServiceException;
    return { status: $metadata?.httpStatusCode, name, message };
  }
}
const statusOf = ({ $metadata }: { $metadata: { httpStatusCode?: number } }) => $metadata.httpStatusCode;
const named = (attributes: readonly { Name?: string; Value?: string }[] = []) =>
  Object.fromEntries(attributes.map(({ Name, Value }) => [Name, Value]));

const signUp = async ({ client, clientId }: Side, Username: string, Password = first, more: object = {}) => {
  const attributes: Record<string, string> = { email: Username, ...more };
  const { UserConfirmed, UserSub } = await client.signUp({
    ClientId: clientId,
    Username,
    Password,
    UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
  });
  return { UserConfirmed, UserSub };
};
const confirm = async ({ client, clientId }: Side, ConfirmationCode: string, Username = email) => {
  const { $metadata } = await client.confirmSignUp({ ClientId: clientId, Username, ConfirmationCode });
  return $metadata.httpStatusCode;
};
const flow = ({ client, clientId }: Side, AuthFlow: "USER_SRP_AUTH" | "USER_PASSWORD_AUTH" | "REFRESH_TOKEN_AUTH") => {
  return (AuthParameters: Record<string, string>) =>
    client.initiateAuth({ ClientId: clientId, AuthFlow, AuthParameters });
};

const refresh = async (side: Side, REFRESH_TOKEN = side.tokens.RefreshToken ?? "") => {
  const answer = await flow(side, "REFRESH_TOKEN_AUTH")({ REFRESH_TOKEN });
  return Object.keys(answer.AuthenticationResult ?? {}).sort();
};

/** Signs in by SRP and resolves with the name of the challenge that is left, or with the kinds of tokens. */
async function signIn(side: Side, password: string, username = email) {
  const a = 0x1234567890abcdefn;
  const SRP_A = publicValue(a).toString(16);
  const { ChallengeName, ChallengeParameters = {} } = await flow(side, "USER_SRP_AUTH")({ USERNAME: username, SRP_A });
  const { USER_ID_FOR_SRP = "", SALT = "", SRP_B = "", SECRET_BLOCK = "" } = ChallengeParameters;
  const timestamp = "Fri Nov 27 10:00:00 UTC 2026";
  const answer = await side.client.respondToAuthChallenge({
    ClientId: side.clientId,
    ChallengeName,
    ChallengeResponses: {
      USERNAME: USER_ID_FOR_SRP,
      PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
      PASSWORD_CLAIM_SIGNATURE: answerChallenge({
        poolName: side.poolId.split("_")[1] ?? "",
        userId: USER_ID_FOR_SRP,
        password,
        a,
        salt: SALT,
        serverPublic: SRP_B,
        secretBlock: SECRET_BLOCK,
        timestamp,
      }),
      TIMESTAMP: timestamp,
    },
  });
  side.session = answer.Session ?? "";
  if (answer.AuthenticationResult) side.tokens = answer.AuthenticationResult;
  return answer.ChallengeName ?? Object.keys(answer.AuthenticationResult ?? {}).sort();
}
const allTokens = ["AccessToken", "ExpiresIn", "IdToken", "RefreshToken", "TokenType"];
const newTokens = allTokens.filter((name) => name !== "RefreshToken");

const access = ({ tokens }: Side) => ({ AccessToken: tokens.AccessToken });
const getUser = async (side: Side) => named((await side.client.getUser(access(side))).UserAttributes);
/** What the app shows so many seconds from now. */
const appCode = ({ secret }: Side, later = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + later * 1000 });
const preferApp = async (side: Side, Enabled = true) => {
  const SoftwareTokenMfaSettings = { Enabled, PreferredMfa: Enabled };
  return statusOf(await side.client.setUserMFAPreference({ ...access(side), SoftwareTokenMfaSettings }));
};
const answerWithApp = async ({ client, clientId, session }: Side, SOFTWARE_TOKEN_MFA_CODE: string) => {
  const { AuthenticationResult = {} } = await client.respondToAuthChallenge({
    ClientId: clientId,
    ChallengeName: "SOFTWARE_TOKEN_MFA",
    Session: session,
    ChallengeResponses: { USERNAME: email, SOFTWARE_TOKEN_MFA_CODE },
  });
  return Object.keys(AuthenticationResult).sort();
};
const factorsOf = async ({ client, poolId }: Side) => {
  const user = await client.adminGetUser({ UserPoolId: poolId, Username: email });
  return [user.UserMFASettingList, user.PreferredMfaSetting];
};
const link = async ({ client, poolId }: Side, username: string, subject: string) => {
  const { Username = username } = await client
    .adminGetUser({ UserPoolId: poolId, Username: username })
    .catch(() => ({ Username: username }));
  return statusOf(
    await client.adminLinkProviderForUser({
      UserPoolId: poolId,
      DestinationUser: { ProviderName: "Cognito", ProviderAttributeValue: Username },
      SourceUser: {
        ProviderName: "Google",
        ProviderAttributeName: "Cognito_Subject",
        ProviderAttributeValue: subject,
      },
    }),
  );
};
const forgotten = ({ client, clientId }: Side, ConfirmationCode: string, Password: string, Username = email) =>
  client
    .confirmForgotPassword({ ClientId: clientId, Username, ConfirmationCode, Password })
    .then(({ $metadata }) => $metadata.httpStatusCode);
const listed = async ({ client, poolId }: Side, Filter?: string) => {
  const { Users = [] } = await client.listUsers({ UserPoolId: poolId, Filter });
  return Users.map(({ Attributes, UserStatus, Enabled }) => [named(Attributes).email, UserStatus, Enabled]).sort();
};

const operations: readonly Operation<Side>[] = [
  ...[
    ["Sh-1a", "Password "],
    ["all-lower-1", "Password must have uppercase characters"],
    ["ALL-UPPER-1", "Password must have lowercase characters"],
    ["No-Digits-x", "Password must have numeric characters"],
    ["NoSymbols1", "Password must have symbol characters"],
  ].map(([password = "", reason]) => ({
    name: `signs up nobody with the password ${password}`,
    call: (side: Side) => signUp(side, email, password),
    answer: refused("InvalidPasswordException", expect.stringContaining(`did not conform with policy: ${reason}`)),
  })),
  {
    name: "signs up nobody without an email",
    call: (side) => signUp(side, "ada"),
    answer: refused("InvalidParameterException", "Username should be an email."),
  },
  {
    name: "signs up nobody with the email of another",
    call: (side) => signUp(side, email, first, { email: "exec@club.example" }),
    answer: refused("InvalidParameterException"),
  },
  {
    name: "signs up nobody with an id of their choice",
    call: (side) => signUp(side, email, first, { sub: "1" }),
    answer: refused("InvalidParameterException"),
  },
  { name: "signs a person up", call: (side) => signUp(side, email), answer: { UserConfirmed: false, UserSub: text } },
  {
    name: "signs up an email once",
    call: (side) => signUp(side, email),
    answer: refused("UsernameExistsException", expect.stringMatching(/^User already exists/)),
  },
  {
    name: "signs up nobody for an unknown client",
    call: (side) => signUp({ ...side, clientId: "otherclient" }, "bea@student.example"),
    answer: refused("ResourceNotFoundException"),
  },
  {
    name: "signs in no person who is not confirmed",
    call: (side) => signIn(side, first),
    answer: refused("UserNotConfirmedException", "User is not confirmed."),
  },
  {
    name: "confirms with no wrong code",
    call: (side) => confirm(side, otherThan(side.code("sign-up"))),
    answer: refused("CodeMismatchException", "Invalid verification code provided, please try again."),
  },
  {
    name: "mails a code again",
    call: async ({ client, clientId }) =>
      (await client.resendConfirmationCode({ ClientId: clientId, Username: email })).CodeDeliveryDetails,
    answer: { AttributeName: "email", DeliveryMedium: "EMAIL", Destination: text },
  },
  { name: "confirms a person", call: (side) => confirm(side, side.code("sign-up")), answer: 200 },
  {
    name: "confirms a person once",
    call: (side) => confirm(side, side.code("sign-up")),
    answer: refused("NotAuthorizedException", "User cannot be confirmed. Current status is CONFIRMED"),
  },
  {
    name: "signs in by no flow that the client does not allow",
    call: (side) => flow(side, "USER_PASSWORD_AUTH")({ USERNAME: email, PASSWORD: first }),
    answer: refused("InvalidParameterException"),
  },
  { name: "signs in with no wrong password", call: (side) => signIn(side, second), answer: wrongCredentials },
  {
    name: "signs in no unknown person, and does not say so",
    call: (side) => signIn(side, first, "nobody@student.example"),
    answer: wrongCredentials,
  },
  { name: "signs in by SRP", call: (side) => signIn(side, first), answer: allTokens },
  {
    name: "gives an access token that its published key verifies",
    call: async ({ tokens, poolId, clientId, url }) => {
      const keys = await (await fetch(`${url}/${poolId}/.well-known/jwks.json`)).json();
      const { payload, protectedHeader } = await jwtVerify(
        tokens.AccessToken ?? "",
        createLocalJWKSet(keys as JSONWebKeySet),
      );
      const { iss, client_id, ...claims } = payload;
      const { sub, username, token_use, scope, iat = 0, exp = 0 } = claims;
      const isOfPool = String(iss).endsWith(`/${poolId}`) && client_id === clientId;
      const { alg } = protectedHeader;
      return { alg, isOfPool, isItsName: sub === username, token_use, scope, seconds: exp - iat };
    },
    answer: {
      alg: "RS256",
      isOfPool: true,
      isItsName: true,
      token_use: "access",
      scope: "aws.cognito.signin.user.admin",
      seconds: 3600,
    },
  },
  {
    name: "publishes nothing else of its keys",
    call: async ({ poolId, url }) => {
      const { keys } = (await (await fetch(`${url}/${poolId}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
      return [...new Set(keys.flatMap((key) => Object.keys(key)))].sort();
    },
    answer: ["alg", "e", "kid", "kty", "n", "use"],
  },
  {
    name: "gives an id token",
    call: ({ tokens, clientId }) => {
      const claims = decodeJwt(tokens.IdToken ?? "");
      const { token_use, email_verified, exp = 0, iat = 0 } = claims;
      return {
        isOfClient: claims.aud === clientId,
        token_use,
        email: claims.email,
        email_verified,
        seconds: exp - iat,
      };
    },
    answer: { isOfClient: true, token_use: "id", email, email_verified: true, seconds: 3600 },
  },
  {
    name: "tells a person about the account",
    call: getUser,
    answer: { sub: text, email, email_verified: "true" },
  },
  {
    name: "tells nothing about the account for an id token",
    call: ({ client, tokens }) => client.getUser({ AccessToken: tokens.IdToken }),
    answer: refused("NotAuthorizedException"),
  },
  {
    name: "tells a function about an account",
    call: async ({ client, poolId }) => {
      const { UserStatus, Enabled } = await client.adminGetUser({ UserPoolId: poolId, Username: email });
      return { UserStatus, Enabled };
    },
    answer: { UserStatus: "CONFIRMED", Enabled: true },
  },
  {
    name: "tells a function that there is no such account",
    call: ({ client, poolId }) => client.adminGetUser({ UserPoolId: poolId, Username: "nobody@student.example" }),
    answer: refused("UserNotFoundException", "User does not exist."),
  },
  {
    name: "tells a function nothing about another pool",
    call: ({ client, poolId }) => client.listUsers({ UserPoolId: `${poolId}x` }),
    answer: refused("ResourceNotFoundException"),
  },
  {
    name: "lets nobody verify an email by writing the flag",
    call: async (side) => {
      const UserAttributes = [{ Name: "email_verified", Value: "false" }];
      return statusOf(await side.client.updateUserAttributes({ ...access(side), UserAttributes }));
    },
    answer: refused("NotAuthorizedException"),
  },
  {
    name: "changes a name",
    call: async (side) => {
      await side.client.updateUserAttributes({ ...access(side), UserAttributes: [{ Name: "name", Value: "Ada" }] });
      return (await getUser(side)).name;
    },
    answer: "Ada",
  },
  { name: "lists all accounts", call: (side) => listed(side), answer: [[email, "CONFIRMED", true]] },
  {
    name: "lists accounts by an email",
    call: (side) => listed(side, `email = "${email}"`),
    answer: [[email, "CONFIRMED", true]],
  },
  { name: "lists no account of another email", call: (side) => listed(side, 'email = "a@b.example"'), answer: [] },
  {
    name: "lists 60 accounts at a time",
    call: async (side) => {
      await side.seed(60);
      const pages = [];
      let PaginationToken: string | undefined;
      do {
        const page = await side.client.listUsers({ UserPoolId: side.poolId, PaginationToken });
        pages.push(page.Users?.length);
        ({ PaginationToken } = page);
      } while (PaginationToken);
      return pages;
    },
    answer: [60, 1],
  },
  { name: "refreshes tokens", call: (side) => refresh(side), answer: newTokens },
  {
    name: "refreshes tokens in the words of newer clients",
    call: async ({ client, clientId, tokens }) => {
      const request = { ClientId: clientId, RefreshToken: tokens.RefreshToken };
      return Object.keys((await client.getTokensFromRefreshToken(request)).AuthenticationResult ?? {}).sort();
    },
    answer: newTokens,
  },
  {
    name: "refreshes with no invented token",
    call: (side) => refresh(side, "invented"),
    answer: refused("NotAuthorizedException"),
  },
  {
    name: "revokes a session and no other",
    call: async (side) => {
      const { tokens } = side;
      await signIn(side, first);
      const other = side.tokens;
      await side.client.revokeToken({ ClientId: side.clientId, Token: tokens.RefreshToken });
      side.tokens = tokens;
      return refresh(side, other.RefreshToken);
    },
    answer: newTokens,
  },
  {
    name: "refreshes with no revoked token",
    call: (side) => refresh(side),
    answer: refused("NotAuthorizedException"),
  },
  { name: "takes no access token of a revoked session", call: getUser, answer: refused("NotAuthorizedException") },
  {
    name: "changes no password without the old one",
    call: async (side) => {
      await signIn(side, first);
      await side.client.changePassword({ ...access(side), PreviousPassword: "Wrong-1-x", ProposedPassword: second });
    },
    answer: refused("NotAuthorizedException"),
  },
  {
    name: "changes a password",
    call: async (side) => {
      await side.client.changePassword({ ...access(side), PreviousPassword: first, ProposedPassword: second });
      return signIn(side, second);
    },
    answer: allTokens,
  },
  {
    name: "signs a person out everywhere, and no other",
    call: async (side) => {
      const bea = "bea@student.example";
      await signUp(side, bea);
      await confirm(side, side.code("sign-up"), bea);
      await signIn(side, first, bea);
      const hers = side.tokens.RefreshToken;
      await signIn(side, second);
      const there = side.tokens;
      await signIn(side, second);
      await side.client.globalSignOut(access(side));
      side.tokens = there;
      return refresh(side, hers);
    },
    answer: newTokens,
  },
  {
    name: "refreshes no session of another place after that",
    call: (side) => refresh(side),
    answer: refused("NotAuthorizedException"),
  },
  { name: "takes no access token after that", call: getUser, answer: refused("NotAuthorizedException") },
  {
    name: "mails a code about a forgotten password",
    call: async ({ client, clientId }) =>
      (await client.forgotPassword({ ClientId: clientId, Username: email })).CodeDeliveryDetails,
    answer: { AttributeName: "email", DeliveryMedium: "EMAIL", Destination: text },
  },
  {
    name: "mails an unknown person nothing, and does not say so",
    call: async ({ client, clientId }) => {
      const { $metadata } = await client.forgotPassword({ ClientId: clientId, Username: "nobody@student.example" });
      return $metadata.httpStatusCode;
    },
    answer: 200,
  },
  {
    name: "replaces no password with a wrong code",
    call: (side) => forgotten(side, otherThan(side.code("forgotten")), first),
    answer: refused("CodeMismatchException"),
  },
  {
    name: "replaces no password with a weak one",
    call: (side) => forgotten(side, side.code("forgotten"), "weak"),
    answer: refused("InvalidPasswordException"),
  },
  {
    name: "replaces a forgotten password",
    call: async (side) => [await forgotten(side, side.code("forgotten"), first), await signIn(side, first)],
    answer: [200, allTokens],
  },
  {
    name: "replaces a password once with a code",
    call: (side) => forgotten(side, side.code("forgotten"), second),
    answer: refused("ExpiredCodeException"),
  },
  {
    name: "wants no app that has not been verified",
    call: (side) => preferApp(side),
    answer: refused("InvalidParameterException", "User has not verified software token mfa"),
  },
  {
    name: "makes a key for an app",
    call: async (side) => {
      side.secret = (await side.client.associateSoftwareToken(access(side))).SecretCode ?? "";
      return side.secret;
    },
    answer: expect.stringMatching(/^[A-Z2-7]{32,}$/),
  },
  {
    name: "verifies no app with a wrong code",
    call: (side) => side.client.verifySoftwareToken({ ...access(side), UserCode: otherThan(appCode(side)) }),
    answer: refused("EnableSoftwareTokenMFAException", expect.stringMatching(/^Code mismatch/)),
  },
  {
    name: "verifies no app with a text that is no code",
    call: (side) => {
      const verify = (UserCode: string) => side.client.verifySoftwareToken({ ...access(side), UserCode });
      return Promise.all(["12345", "12345a", "1234567"].map((text) => verify(text).catch(({ name }) => name)));
    },
    answer: Array(3).fill("InvalidParameterException"),
  },
  {
    name: "verifies an app",
    call: async (side) => (await side.client.verifySoftwareToken({ ...access(side), UserCode: appCode(side) })).Status,
    answer: "SUCCESS",
  },
  {
    name: "asks for the app",
    call: async (side) => [await preferApp(side), await signIn(side, first), await factorsOf(side)],
    answer: [200, "SOFTWARE_TOKEN_MFA", [["SOFTWARE_TOKEN_MFA"], "SOFTWARE_TOKEN_MFA"]],
  },
  {
    name: "signs in with no wrong code of the app",
    call: (side) => answerWithApp(side, otherThan(appCode(side))),
    answer: refused("CodeMismatchException", "Invalid code received for user"),
  },
  {
    name: "signs in with the next code of the app",
    call: (side) => answerWithApp(side, appCode(side, 30)),
    answer: allTokens,
  },
  {
    name: "signs in without the app once an administrator has switched it off",
    call: async (side) => {
      const { client, poolId } = side;
      const SoftwareTokenMfaSettings = { Enabled: false };
      await client.adminSetUserMFAPreference({ UserPoolId: poolId, Username: email, SoftwareTokenMfaSettings });
      return signIn(side, first);
    },
    answer: allTokens,
  },
  {
    name: "links no account that does not exist",
    call: (side) => link(side, "nobody@student.example", "1"),
    answer: refused("UserNotFoundException"),
  },
  {
    name: "links a Google account",
    call: async (side) => {
      const status = await link(side, email, "1");
      const identities = JSON.parse((await getUser(side)).identities ?? "[]") as {
        providerName: string;
        userId: string;
      }[];
      return [status, identities.map(({ providerName, userId }) => [providerName, userId])];
    },
    answer: [200, [["Google", "1"]]],
  },
  {
    name: "links five accounts at most",
    call: async (side) => {
      for (const subject of ["2", "3", "4", "5"]) await link(side, email, subject);
      return link(side, email, "6");
    },
    answer: refused("LimitExceededException"),
  },
  {
    name: "deletes an account",
    call: async (side) => {
      await side.client.deleteUser(access(side));
      return listed(side, `email = "${email}"`);
    },
    answer: [],
  },
  { name: "signs in no deleted person", call: (side) => signIn(side, first), answer: wrongCredentials },
  {
    name: "signs up an email once, however it is spelled",
    call: async (side) => {
      await signUp(side, email);
      return signUp(side, "ADA@student.example");
    },
    answer: refused("UsernameExistsException"),
  },
];

const differences: readonly Difference[] = [
  {
    operation: "tells a person about the account",
    theirs: { sub: text, email },
    source: "API_ConfirmSignUp: with the code, a person confirms to own the email address",
  },
  {
    operation: "lets nobody verify an email by writing the flag",
    theirs: 200,
    source:
      "AWS's documentation leaves the error open; aws/aws-sdk-js#3603 reports Cognito's NotAuthorizedException at a sign-up",
  },
  {
    operation: "wants no app that has not been verified",
    theirs: 200,
    source:
      "AWS's documentation leaves it open; aws-amplify/amplify-js#944 reports Cognito's 400 for a person without an app",
  },
  {
    operation: "verifies no app with a text that is no code",
    theirs: Array(3).fill("EnableSoftwareTokenMFAException"),
    source: "API_VerifySoftwareToken, UserCode: a fixed length of 6 and the pattern [0-9]+",
  },
  {
    operation: "signs up an email once, however it is spelled",
    theirs: { UserConfirmed: false, UserSub: text },
    source:
      "AWS::Cognito::UserPool UsernameConfiguration: without case sensitivity any variation in case is the same user",
  },
];

compareWithMiniStack({
  operations: operations.map((operation) => ({
    ...operation,
    call: (side: Side) => withWords(async () => operation.call(side)),
  })),
  differences,
  ours: async () => {
    const codes: string[] = [];
    const pool = {
      ...poolProperties,
      MfaConfiguration: "OPTIONAL",
      EnabledMfas: ["SOFTWARE_TOKEN_MFA"],
    };
    const service = await startIdentity({
      accessKeyPrefix: "LOCAL",
      pool: readPoolSettings(pool, clientProperties),
      region: "us-west-2",
      poolId: "us-west-2_TestPool1",
      clientId: "testclient000000000000000",
      sendCode: async ({ code }) => {
        codes.push(code);
      },
      makeKeyPair: nextKeyPair,
    });
    const client = new CognitoIdentityProvider({
      endpoint: service.url,
      region: "us-west-2",
      credentials: { accessKeyId: "LOCALTest", secretAccessKey: "local" },
      maxAttempts: 1,
    });
    return {
      client,
      poolId: service.poolId,
      clientId: service.clientId,
      url: service.url,
      code: () => codes.at(-1) ?? "",
      tokens: {},
      secret: "",
      session: "",
      seed: async (count) => {
        for (let index = 0; index < count; index += 1) {
          await service.ensureUser({ email: `seed${index}@student.example`, password: first });
        }
      },
      close: () => service.close(),
    };
  },
  theirs: async (partner) => {
    const client = new CognitoIdentityProvider(partner.client);
    const { UserPool } = await client.createUserPool({
      PoolName: "people",
      ...poolProperties,
      UsernameAttributes: ["email"],
      AutoVerifiedAttributes: ["email"],
    });
    const poolId = UserPool?.Id ?? "";
    await client.setUserPoolMfaConfig({
      UserPoolId: poolId,
      MfaConfiguration: "OPTIONAL",
      SoftwareTokenMfaConfiguration: { Enabled: true },
    });
    const { UserPoolClient } = await client.createUserPoolClient({
      UserPoolId: poolId,
      ClientName: "pages",
      ...clientProperties,
    });
    return {
      client,
      poolId,
      clientId: UserPoolClient?.ClientId ?? "",
      url: partner.client.endpoint,
      // MiniStack mails no codes; its codes are always these.
      code: (kind: "sign-up" | "forgotten") => (kind === "sign-up" ? "123456" : "654321"),
      tokens: {},
      secret: "",
      session: "",
      seed: async (count) => {
        for (let index = 0; index < count; index += 1) {
          await client.adminCreateUser({ UserPoolId: poolId, Username: `seed${index}@student.example` });
        }
      },
      close: () => client.destroy(),
    };
  },
});
