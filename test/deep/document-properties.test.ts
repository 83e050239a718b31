/** The properties of every operation of the reference, with twenty times as many requests and every field of every body. */
process.env.PROPERTY_FACTOR = "20";
await import("../service/document-properties.test.ts");

export {};
