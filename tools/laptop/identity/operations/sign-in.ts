import { randomUUID } from "node:crypto";
import { ServiceProblem } from "../../service-kit/json-service.ts";
import type { Operation, Pool } from "../pool/pool.ts";
import { invalidParameter, notAuthorized, wrongCredentials } from "../pool/problem.ts";
import { type Fields, group, parameter, text } from "../pool/request-fields.ts";
import type { Session } from "../pool/session-store.ts";
import { useCode } from "../pool/software-token.ts";
import {
  claimSignature,
  createServerKeys,
  createVerifier,
  fromHex,
  matchesVerifier,
  N,
  scrambler,
  serverSecret,
  sessionKey,
} from "../pool/srp.ts";
import { inventedSub, type User } from "../pool/user-store.ts";
import { checkClient } from "./requester.ts";

type Flow = (pool: Pool, parameters: Fields) => Promise<object>;

const withPassword: Flow = async (pool, parameters) => {
  const username = parameter(parameters, "USERNAME", 128);
  const password = parameter(parameters, "PASSWORD", 256);
  const user = pool.users.find(username);
  const holds = user && matchesVerifier({ poolName: pool.name, userId: user.sub }, password, user.password);
  return decided(pool, holds ? user : undefined);
};

const withSrp: Flow = async (pool, parameters) => {
  const username = parameter(parameters, "USERNAME", 128);
  const clientPublic = fromHex(parameter(parameters, "SRP_A"));
  // A multiple of the modulus would make the shared number known without any password.
  if (clientPublic === undefined || clientPublic % N === 0n || clientPublic >= N) {
    throw invalidParameter("Incorrect SRP_A value.");
  }
  const user = pool.users.find(username);
  const userId = user?.sub ?? inventedSub(pool.users.key(username));
  // The answer does not tell that there is no such user: no password fits these numbers.
  const { salt, verifier } = user?.password ?? createVerifier({ poolName: pool.name, userId }, randomUUID());
  const numbers = { verifier: fromHex(verifier) ?? 0n, clientPublic };
  const keys = createServerKeys(numbers.verifier);
  const secretBlock = pool.srpChallenges.open({ userId, user, ...numbers, keys }, pool.now());
  return {
    ChallengeName: "PASSWORD_VERIFIER",
    ChallengeParameters: {
      SALT: salt,
      SECRET_BLOCK: secretBlock,
      SRP_B: keys.public.toString(16),
      USERNAME: userId,
      USER_ID_FOR_SRP: userId,
    },
  };
};

const withRefreshToken: Flow = async (pool, parameters) => ({
  AuthenticationResult: await refreshed(pool, parameter(parameters, "REFRESH_TOKEN", 10_000)),
  ChallengeParameters: {},
});

const flows: Readonly<Record<string, { run: Flow; allowedBy: string }>> = {
  USER_PASSWORD_AUTH: { run: withPassword, allowedBy: "ALLOW_USER_PASSWORD_AUTH" },
  USER_SRP_AUTH: { run: withSrp, allowedBy: "ALLOW_USER_SRP_AUTH" },
  REFRESH_TOKEN_AUTH: { run: withRefreshToken, allowedBy: "ALLOW_REFRESH_TOKEN_AUTH" },
};

type Response = (pool: Pool, request: Fields, responses: Fields) => Promise<object>;

const withProof: Response = async (pool, _request, responses) => {
  const username = parameter(responses, "USERNAME", 128);
  const secretBlock = parameter(responses, "PASSWORD_CLAIM_SECRET_BLOCK");
  const signature = parameter(responses, "PASSWORD_CLAIM_SIGNATURE");
  const timestamp = parameter(responses, "TIMESTAMP", 64);

  const found = pool.srpChallenges.find(secretBlock, pool.now());
  pool.srpChallenges.close(secretBlock);
  if (!found || found.isExpired) throw wrongCredentials();
  const { userId, user, verifier, clientPublic, keys } = found.challenge;
  const shared = serverSecret(clientPublic, keys, verifier);
  const key = sessionKey(shared, scrambler(clientPublic, keys.public));
  const expected = claimSignature(key, { poolName: pool.name, userId }, Buffer.from(secretBlock, "base64"), timestamp);
  const holds = signature === expected.toString("base64");
  return decided(pool, holds && pool.users.find(username) === user ? user : undefined);
};

const withSoftwareToken: Response = async (pool, request, responses) => {
  const username = parameter(responses, "USERNAME", 128);
  const code = parameter(responses, "SOFTWARE_TOKEN_MFA_CODE", 64);
  const session = text(request, "Session");
  const found = pool.mfaChallenges.find(session, pool.now());
  const user = pool.users.find(username);
  if (!user || user.sub !== found?.challenge) throw notAuthorized("Invalid session for the user.");
  if (found.isExpired) throw notAuthorized("Invalid session for the user, session is expired.");
  if (!user.softwareToken) {
    const message = "Software Token MFA does not exist for the user.";
    throw new ServiceProblem("SoftwareTokenMFANotFoundException", message);
  }
  const verdict = useCode(user.softwareToken, code, pool.now());
  if (verdict === "used") {
    throw new ServiceProblem("ExpiredCodeException", "Your software token has already been used once.");
  }
  if (verdict === "wrong") throw new ServiceProblem("CodeMismatchException", "Invalid code received for user");
  pool.mfaChallenges.close(session);
  pool.users.save();
  return openSession(pool, user);
};

const challenges: Readonly<Record<string, Response>> = {
  PASSWORD_VERIFIER: withProof,
  SOFTWARE_TOKEN_MFA: withSoftwareToken,
};

/** The answer to a successful sign-in. */
export interface SignedIn {
  readonly AuthenticationResult: {
    readonly AccessToken: string;
    /** Seconds. */
    readonly ExpiresIn: number;
    readonly IdToken: string;
    readonly RefreshToken: string;
    readonly TokenType: "Bearer";
  };
  readonly ChallengeParameters: object;
}

/**
 * Ends a sign-in, or asks for the second factor of a person who has one. `user` is the person who proved the password;
 * undefined when the proof failed.
 */
async function decided(pool: Pool, user: User | undefined): Promise<object> {
  if (!user) throw wrongCredentials();
  assertEnabled(user);
  if (!user.mfa || !user.confirmed) return openSession(pool, user);
  return {
    ChallengeName: "SOFTWARE_TOKEN_MFA",
    Session: pool.mfaChallenges.open(user.sub, pool.now()),
    ChallengeParameters: { USER_ID_FOR_SRP: user.sub },
  };
}

/** @throws ServiceProblem NotAuthorizedException, in AWS's words (https://github.com/getmoto/moto/issues/6552) */
function assertEnabled({ disabled }: User): void {
  if (disabled) throw notAuthorized("User is disabled.");
}

/**
 * Opens a session for a person who has proved their identity.
 * @throws ServiceProblem UserNotConfirmedException NotAuthorizedException
 */
export async function openSession(pool: Pool, user: User): Promise<SignedIn> {
  assertEnabled(user);
  if (!user.confirmed) throw new ServiceProblem("UserNotConfirmedException", "User is not confirmed.");
  const { session, refreshToken } = pool.sessions.open(user.sub, pool.now(), pool.settings.tokenValidity.refresh);
  const tokens = await tokensOf(pool, user, session);
  return { AuthenticationResult: { ...tokens, RefreshToken: refreshToken }, ChallengeParameters: {} };
}

async function refreshed(pool: Pool, refreshToken: string): Promise<object> {
  const session = pool.sessions.findByRefreshToken(refreshToken);
  const user = session && pool.users.find(session.sub);
  if (!session || !user) throw notAuthorized("Invalid Refresh Token");
  if (session.expiresAt <= pool.now()) throw notAuthorized("Refresh Token has expired");
  assertEnabled(user);
  return tokensOf(pool, user, session);
}

type Tokens = Omit<SignedIn["AuthenticationResult"], "RefreshToken">;

async function tokensOf(pool: Pool, user: User, session: Session): Promise<Tokens> {
  const now = pool.now();
  const [AccessToken, IdToken] = await Promise.all([
    pool.tokens.accessToken(user, session, now),
    pool.tokens.idToken(user, session, now),
  ]);
  return { AccessToken, ExpiresIn: pool.settings.tokenValidity.access, IdToken, TokenType: "Bearer" };
}

/** The operations that sign a person in and refresh the tokens. */
export const signInOperations: Readonly<Record<string, Operation>> = {
  InitiateAuth: async (pool, request) => {
    checkClient(pool, request);
    const name = text(request, "AuthFlow", 64);
    const flow = Object.hasOwn(flows, name) ? flows[name] : undefined;
    if (!flow) throw invalidParameter("Initiate Auth method not supported.");
    if (!pool.settings.authFlows.includes(flow.allowedBy)) {
      throw invalidParameter(`${name} flow not enabled for this client`);
    }
    return flow.run(pool, group(request, "AuthParameters"));
  },

  RespondToAuthChallenge: async (pool, request) => {
    checkClient(pool, request);
    const name = text(request, "ChallengeName", 64);
    const respond = Object.hasOwn(challenges, name) ? challenges[name] : undefined;
    if (!respond) throw invalidParameter("Challenge response not supported.");
    return respond(pool, request, group(request, "ChallengeResponses"));
  },

  GetTokensFromRefreshToken: async (pool, request) => {
    checkClient(pool, request);
    return { AuthenticationResult: await refreshed(pool, text(request, "RefreshToken", 10_000)) };
  },
};
