import type { ApiFunctionDeclaration } from "#kit/function.ts";
import * as routes from "./routes.ts";

export const images = {
  routes,
  id: "Presigner",
  description: "Presigns the upload of event banners",
  table: ["PutItem"],
  images: ["PutObject"],
} as const satisfies ApiFunctionDeclaration;
