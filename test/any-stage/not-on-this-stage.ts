/** What a stage that runs elsewhere cannot offer to a test. */

declare global {
  /** Told by a test that needs something which the stage does not have. `environment.mjs` makes the test a skip. */
  var skipBecause: ((reason: string) => void) | undefined;
}

/**
 * The stage cannot offer what the test needs. Also a test that catches this error is skipped, so that no test passes
 * without its question.
 */
export class NotOnThisStage extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "NotOnThisStage";
    globalThis.skipBecause?.(reason);
  }
}

/** @returns an object whose properties all throw NotOnThisStage, except those of `offered` */
export function withoutThese<T extends object>(offered: T, reasons: Readonly<Record<string, string>>): T {
  for (const [name, reason] of Object.entries(reasons)) {
    Object.defineProperty(offered, name, {
      get() {
        throw new NotOnThisStage(reason);
      },
    });
  }
  return offered;
}
