import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { readAfterCommit, writeOnce } from "#kit/table/execute.ts";
import { changeFields, readUser, type UserChange, type UserRecord } from "./store.ts";

/** @returns the account as it is after the change @throws NotFound */
export async function changeUser(email: string, change: UserChange, context: RequestContext): Promise<UserRecord> {
  const refused = await writeOnce({ user: changeFields(email, change, context.now) }, context);
  const user = refused ? undefined : await readAfterCommit(() => readUser(email), context);
  if (!user) throw new NotFound("User");
  return user;
}
