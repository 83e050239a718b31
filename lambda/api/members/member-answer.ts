import type { MemberRecord } from "#domain/people/members/member.ts";
import type { Member } from "./schemas.ts";

/** A membership as admins see it. */
export function memberAnswer(record: MemberRecord): Member {
  const { version: _version, generation: _generation, email, topics = [], ...fields } = record;
  return { id: email, email, ...fields, topics: [...topics] };
}
