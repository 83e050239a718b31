/** Every route with every kind of token and every malformed body, every script without packages, every condition of a save. */
process.env.ALL_CASES = "1";
await import("../service/requests.test.ts");
await import("../service/api-two-admins.suite.ts");
await import("../service/first-minutes.test.ts");

export {};
