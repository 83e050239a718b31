/** A key of no kind does not compile, nor does one that lacks a value of its kind. Checked by `npm run check`. */
import { drop, getItem, put } from "#kit/table/table.ts";
import { keyOf } from "#outbox/stored-kinds.ts";

const key = { PK: "LUNCH#gala#2030", SK: "a@x.example" };

export const refused = [
  // @ts-expect-error
  () => put({ ...key, dish: "soup" }, "new key"),
  // @ts-expect-error
  () => drop(key, "last wins"),
  // @ts-expect-error
  () => getItem(key, "strong"),
  // @ts-expect-error
  () => keyOf("lunch", { id: "gala" }),
  // @ts-expect-error
  () => keyOf("event", { id: "gala" }),
];
