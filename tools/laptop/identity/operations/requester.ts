import { ServiceProblem } from "../../service-kit/json-service.ts";
import type { Pool } from "../pool/pool.ts";
import { notAuthorized } from "../pool/problem.ts";
import { type Fields, text } from "../pool/request-fields.ts";
import type { Session } from "../pool/session-store.ts";
import type { User } from "../pool/user-store.ts";

/**
 * Checks that the request names this pool's client.
 * @throws ServiceProblem ResourceNotFoundException
 */
export function checkClient(pool: Pool, request: Fields): void {
  const clientId = text(request, "ClientId", 128);
  if (clientId !== pool.clientId) {
    throw new ServiceProblem("ResourceNotFoundException", `User pool client ${clientId} does not exist.`);
  }
}

/**
 * The user and session of the request's access token.
 * @throws ServiceProblem NotAuthorizedException for an invalid, expired or revoked token.
 */
export async function signedIn(pool: Pool, request: Fields): Promise<{ user: User; session: Session }> {
  const claims = await pool.verify(text(request, "AccessToken", 10_000));
  if (claims?.token_use !== "access") throw notAuthorized("Invalid Access Token");
  const session = pool.sessions.find(String(claims.origin_jti));
  if (!session) throw notAuthorized("Access Token has been revoked");
  const user = pool.users.find(session.sub);
  if (!user) throw notAuthorized("Access Token has been revoked");
  return { user, session };
}
