import { route } from "#kit/route.ts";
import { closed, Type } from "#kit/schema.ts";
import {
  GrantAnswer,
  Member,
  MemberAnswer,
  MemberChanges,
  memberParams,
  NewMember,
  peopleQuery,
  profileParams,
} from "./schemas.ts";

export const createMember = route({
  method: "POST",
  path: "/members",
  access: "admin",
  summary: "Make a person a member; their user record is marked if there is one",
  body: NewMember,
  responses: { 201: MemberAnswer },
  refusals: ["DUPLICATE"],
});

export const grantMembership = route({
  method: "POST",
  path: "/members/grant",
  access: "admin",
  idempotent: true,
  summary: "Give a person all of a membership: user, member and profile; fields that have a value stay",
  body: NewMember,
  responses: { 200: GrantAnswer },
});

export const listMembers = route({
  method: "GET",
  path: "/members",
  access: "admin",
  summary: "Members, by email; all, or those who are searched for",
  query: peopleQuery,
  responses: { 200: Type.Array(Member) },
});

export const getMember = route({
  method: "GET",
  path: "/members/{email}",
  access: "admin",
  summary: "A member",
  params: memberParams,
  responses: { 200: Member },
  refusals: ["NOT_FOUND"],
});

export const findMember = route({
  method: "GET",
  path: "/members/profileID/{profileID}",
  aliases: ["/members/email/{profileID}"],
  access: "admin",
  summary: "The email of the member with this profile",
  params: profileParams,
  responses: { 200: closed({ email: Type.String() }) },
  refusals: ["NOT_FOUND"],
});

export const updateMember = route({
  method: "PATCH",
  path: "/members/{email}",
  access: "admin",
  summary: "Change a member's details; name, pronouns, major and year also change in the profile",
  params: memberParams,
  body: MemberChanges,
  responses: { 200: MemberAnswer },
  refusals: ["NOT_FOUND"],
});

export const deleteMember = route({
  method: "DELETE",
  path: "/members/{email}",
  access: "admin",
  summary: "End a membership; user record and profile stay",
  params: memberParams,
  responses: { 200: closed({ message: Type.String() }) },
  refusals: ["NOT_FOUND"],
});
