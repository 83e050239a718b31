/** The properties of every operation of the reference, with new random requests every time. */
await import("../service/document/properties.suite.ts");

export {};
