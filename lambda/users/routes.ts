import { route } from "#kit/route.ts";
import { closed, Problem, Type } from "#kit/schema.ts";
import { NewUser, User } from "./schemas.ts";

export const createUser = route({
  method: "POST",
  path: "/users",
  access: "caller",
  summary: "Create the caller's user record; an admin may create anybody's",
  body: NewUser,
  responses: { 201: closed({ message: Type.String(), user: User }), 400: Problem, 403: Problem, 409: Problem },
});

export const getSelf = route({
  method: "GET",
  path: "/users/self",
  access: "caller",
  summary: "The caller's own record",
  responses: { 200: User, 404: Problem },
});

export const getUser = route({
  method: "GET",
  path: "/users/{email}",
  access: "caller",
  summary: "A user; somebody who is not an admin always gets their own record",
  params: closed({ email: Type.String({ maxLength: 512 }) }),
  responses: { 200: User, 400: Problem, 404: Problem },
});
