import { dispatch } from "#kit/api.ts";
import { createMember } from "./create-member.ts";
import { deleteMember } from "./delete-member.ts";
import { findMember, getMember } from "./get-member.ts";
import { grantMembership } from "./grant-membership.ts";
import { listMembers } from "./list-members.ts";
import { updateMember } from "./update-member.ts";

export const handler = dispatch([
  createMember,
  grantMembership,
  listMembers,
  getMember,
  findMember,
  updateMember,
  deleteMember,
]);
