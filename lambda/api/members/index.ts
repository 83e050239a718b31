import { dispatch } from "#kit/api.ts";
import { createMember } from "./create-member.ts";
import { deleteMember } from "./delete-member.ts";
import { findMember, getMember, listMembers } from "./get-member.ts";
import { grant } from "./grant-membership.ts";
import { updateMember } from "./update-member.ts";

export const handler = dispatch([createMember, grant, listMembers, getMember, findMember, updateMember, deleteMember]);
