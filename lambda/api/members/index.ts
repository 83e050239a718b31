import { dispatch } from "#kit/api.ts";
import {
  createMember,
  deleteMember,
  findMember,
  getMember,
  grantMembership,
  listMembers,
  updateMember,
} from "./handlers.ts";

export const handler = dispatch([
  createMember,
  grantMembership,
  listMembers,
  getMember,
  findMember,
  updateMember,
  deleteMember,
]);
