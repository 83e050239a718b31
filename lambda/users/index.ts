import { dispatch } from "#kit/api.ts";
import { createUser } from "./create-user.ts";
import { getSelf, getUser } from "./get-user.ts";

export const handler = dispatch([createUser, getSelf, getUser]);
