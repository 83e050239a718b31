import { Forbidding } from "#kit/errors.ts";

export class FeedbackDisabled extends Forbidding {
  readonly code = "FEEDBACK_DISABLED";
  constructor() {
    super("This event takes no feedback of this kind.");
  }
}
