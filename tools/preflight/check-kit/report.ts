/** What the command prints. */
import type { Finding, Level } from "../../kit/finding.ts";

/** A finding with the check that made it. */
export interface Result extends Finding {
  readonly check: string;
  /** `Check.isForDeploy`. */
  readonly isForDeploy: boolean;
}

/** The result for a deploy of a running stage: a problem that does not concern it is a warning. */
export const forDeploy = (result: Result): Result =>
  result.level === "problem" && !result.isForDeploy ? { ...result, level: "warning" } : result;

/** One line per finding. Multi-line text, such as AWS error messages, is joined. */
export const lineOf = ({ level, check, text, fix }: Result): string =>
  `${level.padEnd(8)} ${check}: ${text}${fix === undefined ? "" : ` Fix: ${fix}`}`.replaceAll(/\s*\n\s*/g, " ");

/** The last line. */
export function summary(results: readonly Result[]): string {
  const count = (level: Level): string => {
    const found = results.filter((result) => result.level === level).length;
    return `${found} ${level}${found === 1 ? "" : "s"}`;
  };
  return `${count("problem")}, ${count("warning")}`;
}
