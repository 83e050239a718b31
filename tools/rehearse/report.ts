/** The steps of a rehearsal, one line each. */
import { CommandFailed } from "./child.ts";
import type { Emulator } from "./emulator.ts";

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

/** `emulator failed`: the emulator itself did, in the first step that failed. */
export type Outcome = "succeeded" | "failed" | "emulator failed";

export interface Report {
  /**
   * Runs a step and prints its result with its seconds, or its failure in the words of the command.
   * @param work returns the result, as a sentence without its end
   * @returns whether it succeeded
   */
  step(name: string, work: () => Promise<string>): Promise<boolean>;
  /** Prints how many steps failed. */
  end(): Outcome;
}

/**
 * Repeats once what the emulator has ended, and nothing else: what is wrong with a stage is wrong the second time, too.
 * @param attempt has a new emulator each time
 */
export async function withSecondTry(attempt: () => Promise<Outcome>, print: Print): Promise<Outcome> {
  const outcome = await attempt();
  if (outcome !== "emulator failed") return outcome;
  print("The emulator itself has failed: once more, with a new one.");
  return attempt();
}

/** @param emulator the one that runs, whose words since the last call explain a failure */
export function reportTo(print: Print, emulator: () => Pick<Emulator, "words" | "fault"> | undefined): Report {
  const begun = performance.now();
  let [all, failed] = [0, 0];
  let outcome: Outcome = "succeeded";
  const seconds = (since: number) => `(${((performance.now() - since) / 1000).toFixed(1)} s)`;
  return {
    async step(name, work) {
      const start = performance.now();
      all += 1;
      try {
        print(`${"ok".padEnd(8)} ${name}: ${await work()} ${seconds(start)}`);
        emulator()?.words();
        return true;
      } catch (error) {
        failed += 1;
        const fault = emulator()?.fault();
        // What fails after the first step that failed, may fail because of that.
        if (failed === 1) outcome = fault === undefined ? "failed" : "emulator failed";
        print(`${"failed".padEnd(8)} ${name}: ${(error as Error).message} ${seconds(start)}`);
        const said = error instanceof CommandFailed ? lastWords(error.output) : [];
        const words = [...(emulator()?.words() ?? []), ...(fault === undefined ? [] : [`the emulator: ${fault}`])];
        for (const line of [...said, ...words]) print(`         ${line}`);
        return false;
      }
    },
    end() {
      print(`${all - failed} of ${all} steps succeeded ${seconds(begun)}`);
      return outcome;
    },
  };
}
