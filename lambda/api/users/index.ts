import { dispatch } from "#kit/api.ts";
import { checkUser, isMember } from "./check-user.ts";
import { createUser } from "./create-user.ts";
import { deleteUser } from "./delete-user.ts";
import { setFavourite } from "./favourite.ts";
import { getSelf, getUser } from "./get-user.ts";
import { listUsers } from "./list-users.ts";
import { updateUser } from "./update-user.ts";

export const handler = dispatch([
  createUser,
  getSelf,
  getUser,
  checkUser,
  isMember,
  listUsers,
  updateUser,
  setFavourite,
  deleteUser,
]);
