/**
 * Every route with every kind of token and every malformed body, every script without packages, every condition of a save,
 * and many more orders of payments, memberships and deleted accounts.
 */
process.env.ALL_CASES = "1";
await import("../model/deleted-payers.test.ts");
await import("../model/membership.test.ts");
await import("../model/payments.test.ts");
await import("../service/api-access.test.ts");
await import("../service/api-hostile.test.ts");
await import("../service/api-two-admins.suite.ts");
await import("../service/first-minutes.test.ts");

export {};
