import { Conflicting } from "#kit/errors.ts";

export class InsufficientCash extends Conflicting {
  readonly code = "INSUFFICIENT_CASH";
  constructor() {
    super("You do not have enough cash for this.");
  }
}

export class InsufficientShares extends Conflicting {
  readonly code = "INSUFFICIENT_SHARES";
  constructor() {
    super("You do not have as many shares of this project.");
  }
}

export class ProjectInactive extends Conflicting {
  readonly code = "PROJECT_INACTIVE";
  constructor() {
    super("This project is not traded any more.");
  }
}
