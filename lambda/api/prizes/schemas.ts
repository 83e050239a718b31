import type { Links as PrizeLinks } from "#domain/prizes/prize.ts";
import {
  changing,
  closed,
  described,
  EventId,
  Line,
  Link,
  Name,
  orNull,
  type Static,
  Timestamp,
  Type,
} from "#kit/schema/schema.ts";

const links = {
  items: Link,
  maxItems: 20,
  additionalProperties: Link,
  maxProperties: 20,
  propertyNames: { format: "name", maxLength: 100 },
};
const Links = Type.Unsafe<PrizeLinks>({ type: ["array", "object"], ...links });
const Points = Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: "In points." });
/** Any line is valid, because only the web application reads it. */
const ImageHash = described(Line(500), "Names an image of the web application.");

export const NewPrize = closed({
  id: Type.Optional(described(EventId, "Generated when absent.")),
  name: Name,
  price: Points,
  imageHash: Type.Optional(ImageHash),
  links: Type.Optional(Links),
});

export const PrizeChanges = changing({
  name: Type.Optional(Name),
  price: Type.Optional(Points),
  imageHash: Type.Optional(orNull(ImageHash)),
  links: Type.Optional(orNull(Links)),
});

export const Prize = closed({ ...NewPrize.properties, id: EventId, createdAt: Timestamp, updatedAt: Timestamp });
export type Prize = Static<typeof Prize>;

export const prizeParams = closed({ id: EventId });
