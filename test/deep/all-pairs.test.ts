/** Every route with every kind of token and every malformed body. */
process.env.ALL_PAIRS = "1";
await import("../service/api-access.test.ts");
await import("../service/api-hostile.test.ts");

export {};
