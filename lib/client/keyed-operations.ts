/** The operations that take an `Idempotency-Key`. `npm run openapi` writes this file: do not change it. */
export const keyedOperations: readonly string[] = [
  "POST /btx/market/buy",
  "POST /btx/market/sell",
  "POST /emails/send",
  "POST /members/grant",
  "POST /payments",
  "POST /registrations"
];
