import { route } from "#kit/route.ts";
import { Problem, Type } from "#kit/schema.ts";
import { NewPayment } from "./schemas.ts";

export const startPayment = route({
  method: "POST",
  path: "/payments",
  access: "caller",
  summary: "The page where the caller pays for an event or their membership; asking again answers the same page",
  body: NewPayment,
  responses: { 200: Type.String(), 400: Problem, 404: Problem, 409: Problem, 503: Problem },
});
