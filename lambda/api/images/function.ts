import type { FunctionDeclaration } from "#kit/function.ts";

export const images = {
  id: "Presigner",
  description: "Presigns the upload of event banners",
  table: ["PutItem"],
  images: ["PutObject"],
} as const satisfies FunctionDeclaration;
