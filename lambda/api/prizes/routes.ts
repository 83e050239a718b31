import { route } from "#kit/request/route.ts";
import { closed, page, Type } from "#kit/schema/schema.ts";
import { NewPrize, Prize, PrizeChanges, prizeParams } from "./schemas.ts";

const message = Type.String();

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
  body: NewPrize,
  responses: { 201: closed({ message, item: Prize }) },
  etag: true,
  refusals: ["DUPLICATE"],
});

export const updatePrize = route("PATCH /prizes/{id}", {
  access: "admin",
  summary: "Change a prize; `null` removes an optional field",
  params: prizeParams,
  body: PrizeChanges,
  fixedByPath: { id: "id" },
  responses: { 200: closed({ message, item: Prize }) },
  etag: true,
  ifMatch: true,
  refusals: ["NOT_FOUND"],
});

export const deletePrize = route("DELETE /prizes/{id}", {
  access: "admin",
  irreversible: true,
  summary: "Take a prize out of the offer",
  params: prizeParams,
  responses: { 200: closed({ message }) },
  ifMatch: true,
  refusals: ["NOT_FOUND"],
});
