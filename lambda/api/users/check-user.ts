import { readUser } from "#domain/people/users/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import * as routes from "./routes.ts";

export const checkUser = api(routes.checkUser, async ({ params }) => ok((await readUser(params.email)) !== undefined));

/** The flag of the account decides. A membership without an account answers `false`. */
export const isMember = api(routes.isMember, async ({ params }) =>
  ok((await readUser(params.email))?.isMember === true),
);
