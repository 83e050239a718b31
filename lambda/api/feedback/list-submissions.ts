import { visibleEvent } from "#domain/events/visible-event.ts";
import { pageOfSubmissions } from "#domain/feedback/store.ts";
import { formKey } from "#domain/feedback/submission.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { decodeCursor, part, sortKeyOf } from "#kit/cursor.ts";
import { nextHeader } from "#kit/pages.ts";
import * as routes from "./routes.ts";
import { submissionAnswer } from "./submission-answer.ts";

export const listSubmissions = api(routes.listSubmissions, async ({ params, query, caller }) => {
  const after = decodeCursor(query.cursor, sortKeyOf(part.time, part.ulid));
  const event = await visibleEvent({ id: params.eventId, year: params.year }, caller);
  const page = await pageOfSubmissions(formKey(event, params.formType), { limit: query.limit, after });
  return ok({ count: page.rows.length, submissions: page.rows.map(submissionAnswer) }, nextHeader(page));
});
