/** The evening and the workshops, with crowds eight times as large. */
process.env.CROWD_FACTOR = "8";
await import("../service/evening.test.ts");
await import("../service/api-workshops.suite.ts");

export {};
