import { profileParams } from "#api/records/schemas.ts";
import { route } from "#kit/request/route.ts";
import { closed, EmailText, Message, Type } from "#kit/schema/schema.ts";
import * as schemas from "./schemas.ts";

export const createMember = route("POST /members", {
  access: "admin",
  summary: "Make a person a member; their user record is marked if there is one",
  says: { DUPLICATE: "There is a member with this email already." },
  body: schemas.NewMember,
  responses: { 201: schemas.MemberAnswer },
  refusals: ["DUPLICATE"],
});

export const grantMembership = route("POST /members/grant", {
  access: "admin",
  idempotent: true,
  summary: "Give a person all of a membership: user, member and profile; fields that have a value stay",
  says: { 200: "Membership granted." },
  body: schemas.NewMember,
  responses: { 200: schemas.GrantAnswer },
});

export const listMembers = route("GET /members", {
  access: "admin",
  summary: "Members, by email; all, or those who are searched for",
  query: schemas.membersQuery,
  responses: { 200: Type.Array(schemas.Member) },
});

export const getMember = route("GET /members/{email}", {
  access: "admin",
  summary: "A member",
  params: schemas.memberParams,
  responses: { 200: schemas.Member },
  refusals: ["NOT_FOUND"],
});

export const findMember = route("GET /members/profileID/{profileID}", {
  aliases: ["/members/email/{profileID}"],
  access: "admin",
  summary: "The email of the member with this profile",
  params: profileParams,
  responses: { 200: closed({ email: EmailText }) },
  refusals: ["NOT_FOUND"],
});

export const updateMember = route("PATCH /members/{email}", {
  access: "admin",
  summary: "Change a member's details; name, pronouns, major and year also change in the profile",
  params: schemas.memberParams,
  body: schemas.MemberChanges,
  fixedByPath: { email: "email", id: "email" },
  responses: { 200: schemas.MemberAnswer },
  refusals: ["NOT_FOUND"],
});

export const deleteMember = route("DELETE /members/{email}", {
  access: "admin",
  irreversible: true,
  summary: "End a membership; user record and profile stay",
  params: schemas.memberParams,
  responses: { 200: closed({ message: Message }) },
  refusals: ["NOT_FOUND"],
});
