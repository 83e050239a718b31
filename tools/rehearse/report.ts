/** The steps of a rehearsal, one line each. */
import { CommandFailed } from "./child.ts";

/** Prints one line. */
export type Print = (line: string) => void;

/** Lines of progress, which the CDK prints by the hundred. */
const progress = /_IN_PROGRESS|_COMPLETE |: (?:start|success): |^\s*$/;

/** The last lines with something to say of a failed command. */
const lastWords = (output: string): string[] =>
  output
    .split("\n")
    .filter((line) => !progress.test(line))
    .slice(-30);

export interface Report {
  /**
   * Runs a step and prints its result with its seconds, or its failure in the words of the command.
   * @param work returns the result, as a sentence without its end
   * @returns whether it succeeded
   */
  step(name: string, work: () => Promise<string>): Promise<boolean>;
  /** Prints how many steps failed. @returns whether none did */
  end(): boolean;
}

/** @param words what the emulator has said since the last call */
export function reportTo(print: Print, words: () => readonly string[]): Report {
  const begun = performance.now();
  let [all, failed] = [0, 0];
  const seconds = (since: number) => `(${((performance.now() - since) / 1000).toFixed(1)} s)`;
  return {
    async step(name, work) {
      const start = performance.now();
      all += 1;
      try {
        print(`${"ok".padEnd(8)} ${name}: ${await work()} ${seconds(start)}`);
        words();
        return true;
      } catch (error) {
        failed += 1;
        print(`${"failed".padEnd(8)} ${name}: ${(error as Error).message} ${seconds(start)}`);
        const said = error instanceof CommandFailed ? lastWords(error.output) : [];
        for (const line of [...said, ...words()]) print(`         ${line}`);
        return false;
      }
    },
    end() {
      print(`${all - failed} of ${all} steps succeeded ${seconds(begun)}`);
      return failed === 0;
    },
  };
}
