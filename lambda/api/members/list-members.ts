import { pageOfMembers } from "#domain/people/members/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { nextHeader } from "#kit/pages.ts";
import { memberAnswer } from "./member-answer.ts";
import * as routes from "./routes.ts";

export const listMembers = api(routes.listMembers, async ({ query }) => {
  const page = await pageOfMembers(query);
  return ok(page.rows.map(memberAnswer), nextHeader(page));
});
