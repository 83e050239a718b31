/** Failures of calls to the table that may be retried. */

/** A concurrent write of the same items, or throttling. Nothing was written. */
export class Conflict extends Error {}

/** Throttling: a partition has exhausted its capacity units, which are replenished within a second. */
export class Throttled extends Conflict {}

/** A read got no response. Nothing was written. */
export class Unanswered extends Conflict {}

/**
 * The call failed, but DynamoDB may have executed it. Read before a retry, or repeat the call with its token.
 */
export class UnknownOutcome extends Error {}
