import { User, user } from "#api/records/schemas.ts";
import { route } from "#kit/request/route.ts";
import { closed, described, Email, Message, peoplePage, Type } from "#kit/schema/schema.ts";
import * as schemas from "./schemas.ts";

const favEvents = described(Type.Array(Type.String()), "All favourites as `<event id>;<year>`.", ["gala;2030"]);
const whose = closed({ email: described(Email, "A person's email, or `self`.") });
/** The specification lets these answer about the caller, whomever another caller than an admin names. */
const ownUnlessAdmin = { who: "self unless admin", of: ["path.email"] } as const;
const onePerson = closed({ email: Email });

export const createUser = route("POST /users", {
  access: "caller",
  owner: { who: "self or admin", of: ["body.email", "body.id"], foreign: "You can create only your own user record." },
  summary: "Create the caller's user record; an admin may create any person's",
  says: { DUPLICATE: "There is a user with this email already." },
  body: schemas.NewUser,
  responses: { 201: closed({ message: Message, user }) },
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
  responses: { 200: schemas.OwnUser },
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
  says: { FORBIDDEN: "Only an admin can change isMember." },
  params: whose,
  body: schemas.UserChanges,
  responses: { 200: closed({ message: Message, user }) },
  refusals: ["NOT_FOUND", "FORBIDDEN"],
});

export const setFavourite = route("PATCH /users/favEvent/{email}", {
  access: "caller",
  owner: { who: "self or admin", of: ["path.email"], foreign: "You can change only your own favourites." },
  summary: "Mark an event as a favourite, or take the mark away; toggles unless it says which",
  about: ["User", "Event"],
  says: { 200: "Favourites updated." },
  params: whose,
  body: schemas.FavouriteChange,
  responses: { 200: closed({ message: Message, favEvents }) },
  refusals: ["NOT_FOUND", "TOO_OFTEN"],
});

export const deleteUser = route("DELETE /users/{email}", {
  access: "caller",
  owner: { who: "self or admin", of: ["path.email"], foreign: "You can delete only your own user record." },
  irreversible: true,
  summary: "Delete a user with membership and profile; upcoming registrations are cancelled",
  params: whose,
  responses: { 200: closed({ message: Message }) },
  refusals: ["NOT_FOUND", "TOO_OFTEN"],
});

export const askForNewEmail = route("POST /users/{email}/new-email", {
  access: "caller",
  owner: { who: "self or admin", of: ["path.email"], foreign: "You can change only your own email." },
  irreversible: true,
  summary: "Ask for another email: both addresses get a link and confirm; an admin confirms in place of the former one",
  says: { 202: "Please look into both mailboxes: when both addresses have confirmed, the email is changed." },
  params: whose,
  body: closed({ email: described(Email, "The new one.") }),
  responses: { 202: closed({ message: Message }) },
  refusals: ["NOT_FOUND", "EMAIL_NOT_CHANGEABLE", "TOO_OFTEN"],
});

export const confirmNewEmail = route("POST /links/new-email", {
  access: "link",
  irreversible: true,
  summary: "Confirm a new email for the address of a mail's link; the second one changes it",
  says: { 200: ["This address has confirmed. The other one has yet to.", "Your email is changed."] },
  body: closed({}),
  responses: { 200: closed({ message: Message }) },
  refusals: ["NOT_FOUND", "EMAIL_NOT_CHANGEABLE"],
});

const ownDataOnly = { who: "self or admin", of: ["path.email"], foreign: "You can see only your own data." } as const;

export const exportData = route("GET /users/{email}/export", {
  access: "caller",
  owner: ownDataOnly,
  summary: "Everything that is stored about a person, as JSON or as a page to save",
  params: whose,
  query: schemas.ExportFormat,
  responses: { 200: schemas.ExportedData },
  html: true,
  refusals: ["TOO_OFTEN"],
});

export const sendExportLink = route("POST /users/{email}/export-link", {
  access: "admin",
  irreversible: true,
  summary: "Mail a person the link to everything that is stored about them",
  says: { 202: "The mail with the link is on its way." },
  params: onePerson,
  responses: { 202: closed({ message: Message }) },
  refusals: ["NOT_FOUND", "TOO_OFTEN"],
});

export const forgiveNoShows = route("POST /users/{email}/forgive", {
  access: "admin",
  summary: "Forgive a person's no-shows until now; places in line stay as they are",
  says: { 200: "3 no-shows are forgiven." },
  params: onePerson,
  body: closed({}),
  responses: { 200: closed({ message: Message, forgiven: described(Type.Integer(), "No-shows that counted.", 3) }) },
});

export const exportByLink = route("GET /links/export", {
  access: "link",
  summary: "Everything that is stored about the person of a mail's link",
  query: schemas.ExportFormat,
  responses: { 200: schemas.ExportedData },
  html: true,
  refusals: ["TOO_OFTEN"],
});

export const getErasurePlan = route("GET /users/{email}/erasure", {
  access: "caller",
  owner: ownDataOnly,
  summary: "What goes when the person deletes the account, what stays, why and until when",
  params: whose,
  responses: { 200: schemas.ErasurePlan },
  refusals: ["TOO_OFTEN"],
});

export const getErasurePlanByLink = route("GET /links/erasure", {
  access: "link",
  summary: "What goes when the person of a mail's link is deleted, what stays, why and until when",
  responses: { 200: schemas.ErasurePlan },
  refusals: ["TOO_OFTEN"],
});

export const eraseByLink = route("POST /links/erasure", {
  access: "link",
  irreversible: true,
  summary: "Delete the person of a mail's link, as the person can when signed in; the link ends",
  says: { 200: "User deleted." },
  body: closed({}),
  responses: { 200: closed({ message: Message }) },
  refusals: ["NOT_FOUND", "TOO_OFTEN"],
});

export const getAudit = route("GET /audit", {
  access: "admin",
  summary: "Who changed what, newest first: of an event, of a person, by a person, or all",
  query: schemas.AuditFilters,
  responses: { 200: schemas.Audit },
  csv: true,
  refusals: ["TOO_OFTEN"],
});
