/** Failures of a call to the table after which another try makes sense. */

/** Another write touched one of the items at the same moment, or the table is throttled. Nothing was written. */
export class Conflict extends Error {}

/** The table is throttled: a partition key has used up its units, which come back within a second. */
export class Throttled extends Conflict {}

/** A read got no answer. Nothing was written. */
export class Unanswered extends Conflict {}

/**
 * The call failed, and DynamoDB may have carried it out all the same. Read before another try, or repeat the call under
 * its token.
 */
export class UnknownOutcome extends Error {}
