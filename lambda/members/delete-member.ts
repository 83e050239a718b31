import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotFound } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import * as routes from "./routes.ts";
import { markUser, readHeld, removeMember } from "./store.ts";

export const deleteMember = api(routes.deleteMember, async ({ params: { email }, now }) => {
  let wasTried = false;
  await untilSettled(async () => {
    const { member, user } = await readHeld(email);
    // Gone after a try: it was carried out and only its answer got lost, or somebody did the same at the same moment.
    if (!member && wasTried) return true;
    if (!member) throw new NotFound("Member");
    wasTried = true;
    const outcome = await commit({
      member: removeMember(member),
      user: markUser(email, user, { isMember: false, now }),
    });
    return outcome.committed || again;
  });
  return ok({ message: "Member deleted." });
});
