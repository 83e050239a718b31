/** The operations that take an `Idempotency-Key`. `npm run openapi` writes this file: do not change it. */
export const keyedOperations: readonly string[] = [];
