import type { Operation } from "../pool/pool.ts";
import { text } from "../pool/request-fields.ts";
import { checkClient, signedIn } from "./requester.ts";

/** The operations that end one session or all sessions of a user. */
export const signOutOperations: Readonly<Record<string, Operation>> = {
  GlobalSignOut: async (pool, request) => {
    const { user } = await signedIn(pool, request);
    pool.sessions.revokeAll(user.sub);
    return {};
  },

  RevokeToken: async (pool, request) => {
    checkClient(pool, request);
    const session = pool.sessions.findByRefreshToken(text(request, "Token", 10_000));
    // An unknown token counts as revoked (RFC 7009).
    if (session) pool.sessions.revoke(session);
    return {};
  },
};
