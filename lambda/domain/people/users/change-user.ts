import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { edit, readAfterCommit, write, writeOnce } from "#kit/table/execute.ts";
import { personAudit } from "../audited.ts";
import { changeFields, readUser, type UserChange, type UserRecord } from "./store.ts";

/** What an admin changes: the audit has what `isMember` was. @throws NotFound */
const changeOfOther = (email: string, change: UserChange, context: RequestContext): Promise<undefined> =>
  edit(
    "User",
    () => readUser(email),
    (before) => {
      const audited = { email, before, after: { ...before, ...change } };
      const members = {
        user: changeFields(email, change, context.now, before),
        audit: personAudit(["account", "updated"], audited, context),
      };
      return write(members, undefined);
    },
    context,
  );

/** @returns the account as it is after the change @throws NotFound */
export async function changeUser(email: string, change: UserChange, context: RequestContext): Promise<UserRecord> {
  const members = { user: changeFields(email, change, context.now) };
  const refused =
    context.actor === email ? await writeOnce(members, context) : await changeOfOther(email, change, context);
  const user = refused ? undefined : await readAfterCommit(() => readUser(email), context);
  if (!user) throw new NotFound("User");
  return user;
}
