import { route } from "#kit/request/route.ts";
import { closed, described, Message, page, Type } from "#kit/schema/schema.ts";
import { NewPrize, Prize, PrizeChanges, prizeParams } from "./schemas.ts";

const item = described(Prize, "The record as it is now.");

export const listPrizes = route("GET /prizes", {
  access: "admin",
  summary: "What points can be exchanged for, by id",
  query: closed(page),
  responses: { 200: Type.Array(Prize) },
});

export const getPrize = route("GET /prizes/{id}", {
  access: "admin",
  summary: "A prize",
  params: prizeParams,
  responses: { 200: Prize },
  etag: true,
  refusals: ["NOT_FOUND"],
});

export const createPrize = route("POST /prizes", {
  access: "admin",
  summary: "Offer a prize",
  says: { DUPLICATE: "There is a prize with this id already." },
  body: NewPrize,
  responses: { 201: closed({ message: Message, item }) },
  etag: true,
  refusals: ["DUPLICATE"],
});

export const updatePrize = route("PATCH /prizes/{id}", {
  access: "admin",
  summary: "Change a prize; `null` removes an optional field",
  params: prizeParams,
  body: PrizeChanges,
  fixedByPath: { id: "id" },
  responses: { 200: closed({ message: Message, item }) },
  etag: true,
  ifMatch: true,
  refusals: ["NOT_FOUND"],
});

export const deletePrize = route("DELETE /prizes/{id}", {
  access: "admin",
  irreversible: true,
  summary: "Take a prize out of the offer",
  params: prizeParams,
  responses: { 200: closed({ message: Message }) },
  ifMatch: true,
  refusals: ["NOT_FOUND"],
});
