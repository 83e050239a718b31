import { Forbidding } from "#kit/errors.ts";
import { momentText } from "#kit/text/time-zone.ts";

export class FeedbackDisabled extends Forbidding {
  readonly code = "FEEDBACK_DISABLED";
  /** @param from epoch milliseconds at which the form begins to take answers @param timeZone IANA name */
  constructor(from?: number, timeZone = "UTC") {
    super(
      from === undefined
        ? "This event takes no feedback of this kind."
        : `This event takes feedback once it has begun, on ${momentText(from, timeZone)}.`,
    );
  }
}
