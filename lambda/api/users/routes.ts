import { User } from "#api/records/schemas.ts";
import { route } from "#kit/request/route.ts";
import { closed, described, Email, peoplePage, Type } from "#kit/schema/schema.ts";
import {
  Audit,
  AuditFilters,
  ErasurePlan,
  ExportedData,
  ExportFormat,
  FavouriteChange,
  NewUser,
  OwnUser,
  UserChanges,
} from "./schemas.ts";

const message = Type.String();
const whose = closed({ email: described(Email, "A person's email, or `self`.") });
/** The specification lets these answer about the caller, whomever another caller than an admin names. */
const ownUnlessAdmin = { who: "self unless admin", of: ["path.email"] } as const;
const onePerson = closed({ email: Email });

export const createUser = route("POST /users", {
  access: "caller",
  owner: { who: "self or admin", of: ["body.email", "body.id"], foreign: "You can create only your own user record." },
  summary: "Create the caller's user record; an admin may create any person's",
  body: NewUser,
  responses: { 201: closed({ message, user: User }) },
  refusals: ["DUPLICATE"],
});

export const listUsers = route("GET /users", {
  access: "admin",
  summary: "Users, by email; all, or those who are searched for",
  query: closed(peoplePage),
  responses: { 200: Type.Array(User) },
});

export const getSelf = route("GET /users/self", {
  access: "caller",
  owner: { who: "self" },
  summary: "The caller's own record, and the money that comes back to them",
  responses: { 200: OwnUser },
  refusals: ["NOT_FOUND"],
});

export const getUser = route("GET /users/{email}", {
  access: "caller",
  owner: ownUnlessAdmin,
  summary: "A user; a caller who is not an admin always gets their own record",
  params: whose,
  responses: { 200: User },
  refusals: ["NOT_FOUND"],
});

export const checkUser = route("GET /users/check/{email}", {
  access: "caller",
  owner: { who: "anybody" },
  summary: "Whether there is a user with this email",
  params: onePerson,
  responses: { 200: Type.Boolean() },
});

export const isMember = route("GET /users/isMember/{email}", {
  aliases: ["/users/checkMembership/{email}"],
  access: "caller",
  owner: { who: "anybody" },
  summary: "Whether the user with this email is a member; false when there is none",
  params: onePerson,
  responses: { 200: Type.Boolean() },
});

export const updateUser = route("PATCH /users/{email}", {
  access: "caller",
  owner: ownUnlessAdmin,
  summary: "Change a user's details; a caller who is not an admin always changes their own record",
  params: whose,
  body: UserChanges,
  responses: { 200: closed({ message, user: User }) },
  refusals: ["NOT_FOUND", "FORBIDDEN"],
});

export const setFavourite = route("PATCH /users/favEvent/{email}", {
  access: "caller",
  owner: { who: "self or admin", of: ["path.email"], foreign: "You can change only your own favourites." },
  summary: "Mark an event as a favourite, or take the mark away; toggles unless it says which",
  params: whose,
  body: FavouriteChange,
  responses: { 200: closed({ message, favEvents: Type.Array(Type.String()) }) },
  refusals: ["NOT_FOUND", "TOO_OFTEN"],
});

export const deleteUser = route("DELETE /users/{email}", {
  access: "caller",
  owner: { who: "self or admin", of: ["path.email"], foreign: "You can delete only your own user record." },
  irreversible: true,
  summary: "Delete a user with membership and profile; upcoming registrations are cancelled",
  params: whose,
  responses: { 200: closed({ message }) },
  refusals: ["NOT_FOUND", "TOO_OFTEN"],
});

const ownDataOnly = { who: "self or admin", of: ["path.email"], foreign: "You can see only your own data." } as const;

export const exportData = route("GET /users/{email}/export", {
  access: "caller",
  owner: ownDataOnly,
  summary: "Everything that is stored about a person, as JSON or as a page to save",
  params: whose,
  query: ExportFormat,
  responses: { 200: ExportedData },
  html: true,
  refusals: ["TOO_OFTEN"],
});

export const sendExportLink = route("POST /users/{email}/export-link", {
  access: "admin",
  irreversible: true,
  summary: "Mail a person the link to everything that is stored about them",
  params: onePerson,
  responses: { 202: closed({ message }) },
  refusals: ["NOT_FOUND", "TOO_OFTEN"],
});

export const exportByLink = route("GET /links/export", {
  access: "link",
  summary: "Everything that is stored about the person of a mail's link",
  query: ExportFormat,
  responses: { 200: ExportedData },
  html: true,
  refusals: ["TOO_OFTEN"],
});

export const getErasurePlan = route("GET /users/{email}/erasure", {
  access: "caller",
  owner: ownDataOnly,
  summary: "What goes when the person deletes the account, what stays, why and until when",
  params: whose,
  responses: { 200: ErasurePlan },
  refusals: ["TOO_OFTEN"],
});

export const getAudit = route("GET /audit", {
  access: "admin",
  summary: "Who changed what, newest first: of an event, of a person, by a person, or all",
  query: AuditFilters,
  responses: { 200: Audit },
  csv: true,
  refusals: ["TOO_OFTEN"],
});
