/** The tests of the rush, the check-in, the notices and the workshops, with crowds eight times as large. */
process.env.CROWD_FACTOR = "8";
await import("../service/api-door.suite.ts");
await import("../service/api-rush.test.ts");
await import("../service/api-notices.test.ts");
await import("../service/api-workshops.suite.ts");

export {};
