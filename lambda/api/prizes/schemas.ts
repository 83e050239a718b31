import type { Links as PrizeLinks } from "#domain/prizes/prize.ts";
import { changing, closed, EventId, Line, Link, Name, orNull, type Static, Timestamp, Type } from "#kit/schema.ts";

const links = {
  items: Link,
  maxItems: 20,
  additionalProperties: Link,
  maxProperties: 20,
  propertyNames: { format: "name", maxLength: 100 },
};
const Links = Type.Unsafe<PrizeLinks>({ type: ["array", "object"], ...links });
/** The price in points. */
const Points = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });
/** Names an image of the web application. Any line is allowed, because only the web application reads it. */
const ImageHash = Line(500);

export const NewPrize = closed({
  /** Generated when it is missing. */
  id: Type.Optional(EventId),
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
