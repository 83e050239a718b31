import { dispatch } from "#kit/api.ts";
import {
  checkUser,
  createUser,
  deleteUser,
  getSelf,
  getUser,
  isMember,
  listUsers,
  setFavourite,
  updateUser,
} from "./handlers.ts";

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
