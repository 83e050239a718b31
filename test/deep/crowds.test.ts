/** The evening, with a crowd eight times as large. */
process.env.CROWD_FACTOR = "8";
await import("../service/evening.test.ts");

export {};
