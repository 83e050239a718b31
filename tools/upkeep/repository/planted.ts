/** A planted fault: a patch with a header, and what a run of the tests says about it. Pure. */

export interface Fault {
  /** Two digits. */
  readonly number: string;
  readonly name: string;
  /** The promise that the fault breaks. */
  readonly breaks: string;
  /** Jest's path patterns, in the order in which they are run. */
  readonly tests: readonly string[];
}

const headerLine = (name: string, patch: string): string | undefined =>
  new RegExp(`^${name}: *(\\S.*)$`, "m").exec(patch.split(/^diff --git /m)[0] as string)?.[1]?.trim();

/**
 * Reads the header of a patch. `git apply` ignores it.
 * @param file `<nn>-<name>.patch`
 * @throws Error the file's name or its header is not that of a fault
 */
export function faultIn(file: string, patch: string): Fault {
  const [, number, name] = /^(\d\d)-([a-z0-9-]+)\.patch$/.exec(file) ?? [];
  const [breaks, tests] = [headerLine("Breaks", patch), headerLine("Tests", patch)];
  if (number === undefined || name === undefined) throw new Error(`${file} is not named <nn>-<name>.patch.`);
  if (!breaks || !tests) throw new Error(`${file} does not begin with the lines "Breaks:" and "Tests:".`);
  return { number, name, breaks, tests: tests.split(/\s+/) };
}

/**
 * The faults that a person names, by number or name; all when none is named.
 * @throws Error there is no such fault
 */
export function chosen(faults: readonly Fault[], named: readonly string[]): readonly Fault[] {
  const isNamed = (word: string) => (fault: Fault) => fault.number === word.padStart(2, "0") || fault.name === word;
  const unknown = named.find((word) => !faults.some(isNamed(word)));
  if (unknown !== undefined) throw new Error(`There is no planted fault "${unknown}".`);
  return named.length === 0 ? faults : faults.filter((fault) => named.some((word) => isNamed(word)(fault)));
}

/** The part of jest's report that tells which tests failed. */
export interface Report {
  readonly testResults: readonly {
    /** Absolute path of the file. */
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

export interface Failure {
  readonly file: string;
  readonly test: string;
}

/** A test or a file that did not come to its assertions: it is unknown whether it would find the fault. */
const unjudged = /Exceeded timeout|Cannot find (?:module|package)|SyntaxError|TransformError|ECONNREFUSED/;

const firstLine = (text: string): string | undefined =>
  text
    .replaceAll(/^\s*● .*$/gm, "")
    .trim()
    .split("\n")[0];

/**
 * The first test that failed by what it found. Where all tests of a file pass, a check behind them may fail: that the logs
 * of a stage name no person.
 */
export function findingIn({ testResults }: Report): Failure | undefined {
  for (const { name: file, message, assertionResults } of testResults) {
    const failed = assertionResults.filter(({ status }) => status === "failed");
    const found = failed.find(({ failureMessages }) => !unjudged.test(failureMessages?.join("\n") ?? ""));
    if (found) return { file, test: found.fullName };
    const isChecked = failed.length === 0 && assertionResults.length > 0 && message !== "" && !unjudged.test(message);
    if (isChecked) return { file, test: `after the tests: ${firstLine(message)}` };
  }
  return undefined;
}

/** The first line of the first failure; undefined when nothing failed. */
export function troubleIn({ testResults }: Report): string | undefined {
  const texts = testResults.flatMap(({ message, assertionResults }) => [
    ...assertionResults.flatMap(({ failureMessages }) => failureMessages ?? []),
    message,
  ]);
  return texts.map(firstLine).find((line) => line !== undefined && line !== "");
}
