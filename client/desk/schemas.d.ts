/** Made by the build (`tools/build/desk-schemas.ts`). */
declare module "desk:schemas" {
  export const schemas: Readonly<Record<import("./schema.ts").SchemaName, import("./schema.ts").Schema>>;
}
