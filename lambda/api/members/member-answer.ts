import type { MemberRecord } from "#domain/people/members/member.ts";
import { lastMoment } from "#domain/people/members/terms.ts";
import type { Member } from "./schemas.ts";

/** A membership as admins see it. */
export function memberAnswer(record: MemberRecord): Member {
  const { version: _version, generation: _generation, dueAt: _dueAt, terms: _terms, ...member } = record;
  const { email, until, topics = [], ...fields } = member;
  const ends = until === undefined ? {} : { until: lastMoment(until) };
  return { id: email, email, ...fields, ...ends, topics: [...topics] };
}
