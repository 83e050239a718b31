/** How a call to the table can fail so that trying again makes sense. */

/** Somebody else wrote one of the items at the same moment, or the table is throttled; nothing was written. */
export class Conflict extends Error {}

/** A read stayed without an answer: nothing was written. */
export class Unanswered extends Conflict {}

/** The call failed and may have been carried out all the same: read before trying again. */
export class UnknownOutcome extends Error {}
