import type { Links as PrizeLinks } from "#domain/prizes/prize.ts";
import {
  changing,
  closed,
  described,
  EventId,
  Line,
  Link,
  Name,
  optional,
  orNull,
  type Static,
  Type,
  times,
} from "#kit/schema/schema.ts";

const links = {
  items: Link,
  maxItems: 20,
  additionalProperties: Link,
  maxProperties: 20,
  propertyNames: { format: "name", maxLength: 100 },
};
const Links = described(
  Type.Unsafe<PrizeLinks>({ type: ["array", "object"], ...links }),
  "Web addresses about the prize: a list, or by name.",
  ["https://club.example/prizes/hoodie"],
);
const Points = described(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }), "In points.", 250);
const PrizeName = described(Name, "The name that people see.", "Club hoodie");
const id = described(EventId, "The prize's id.", "hoodie");
/** Any line is valid, because only the web application reads it. */
const ImageHash = described(Line(500), "Names an image of the web application.", "hoodie-blue");

export const NewPrize = closed({
  id: optional(id, "Generated when absent."),
  name: PrizeName,
  price: Points,
  imageHash: Type.Optional(ImageHash),
  links: Type.Optional(Links),
});

export const PrizeChanges = changing({
  name: Type.Optional(PrizeName),
  price: Type.Optional(Points),
  imageHash: Type.Optional(orNull(ImageHash)),
  links: Type.Optional(orNull(Links)),
});

export const Prize = closed({ ...NewPrize.properties, id, ...times });
export type Prize = Static<typeof Prize>;

export const prizeParams = closed({ id });
