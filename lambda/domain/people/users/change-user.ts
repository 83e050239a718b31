import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { edit, readAfterCommit, write, writeOnce } from "#kit/table/execute.ts";
import { personAudit } from "../audited.ts";
import { changeFields, readUser, type UserChange, type UserRecord } from "./store.ts";
import { isMemberAt } from "./user.ts";

/** What an admin changes: the audit has what `isMember` was. @throws NotFound */
const changeOfOther = (email: string, change: UserChange, context: RequestContext): Promise<undefined> =>
  edit(
    "User",
    () => readUser(email),
    (before) => {
      // A form that sends the mark back as it was read keeps the membership's end.
      const isFlipped = change.isMember !== undefined && change.isMember !== isMemberAt(before, context.now);
      const endless = isFlipped && before.memberUntil !== undefined;
      const audited = { email, before, after: { ...before, ...change, ...(endless && { memberUntil: undefined }) } };
      const members = {
        user: changeFields(email, change, context.now, before, endless),
        audit: personAudit(["account", "updated"], audited, context),
      };
      return write(members, undefined);
    },
    context,
  );

/** @returns the account as it is after the change @throws NotFound */
export async function changeUser(email: string, change: UserChange, context: RequestContext): Promise<UserRecord> {
  const isPlain = context.actor === email && change.isMember === undefined;
  const refused = isPlain
    ? await writeOnce({ user: changeFields(email, change, context.now) }, context)
    : await changeOfOther(email, change, context);
  const user = refused ? undefined : await readAfterCommit(() => readUser(email), context);
  if (!user) throw new NotFound("User");
  return user;
}
