/** Mutants, what became of them, and the scores. Pure. */

export interface Mutant {
  readonly id: string;
  /** Path from the project's root. */
  readonly file: string;
  readonly line: number;
  /** The text that the mutant replaces, on one line. */
  readonly original: string;
  readonly replacement: string;
}

/** A survivor that no test needs to kill. */
export interface Explained {
  readonly file: string;
  /** As the command prints them. Where the same text stands several times in the file, all of them. */
  readonly original: string;
  readonly replacement: string;
  readonly reason: string;
}

/** What a test file's process noted. */
export interface Fact {
  readonly file: string;
  /** A file that has begun. */
  readonly opened?: string;
  /** The file has nothing more to judge. */
  readonly done?: true;
  readonly mutant?: string;
  /** The test that failed with the mutant. */
  readonly by?: string;
  /** A mutant whose round has begun. */
  readonly begun?: string;
  /** Mutants that are reached while modules load. */
  readonly loading?: readonly string[];
  /** Mutants that tests reach. */
  readonly reached?: readonly string[];
  /** Tests that fail without a mutant, or when they are repeated. */
  readonly red?: readonly string[];
  /** The mutants after which the file has to be loaded anew. */
  readonly spoilt?: readonly string[];
}

/** How much of a text is shown, and compared with what is explained. */
const shownLength = 100;

/** A text on one line, cut. */
export function shown(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > shownLength ? `${line.slice(0, shownLength)}…` : line;
}

/** `lambda/domain/<area>`, or another folder of lambda. */
const areaOf = (file: string): string => /^lambda\/(?:domain\/)?[^/]+/.exec(file)?.[0] ?? file;

export interface Score {
  readonly area: string;
  readonly killed: number;
  readonly survivors: readonly Mutant[];
  readonly explained: number;
}

const matches = (mutant: Mutant) => (one: Explained) =>
  one.file === mutant.file && one.original === mutant.original && one.replacement === mutant.replacement;

/** The scores of the areas, in the order of their names. An explained survivor counts neither as killed nor as alive. */
export function scoresOf(mutants: readonly Mutant[], killed: ReadonlySet<string>, explained: readonly Explained[]) {
  const areas = [...new Set(mutants.map(({ file }) => areaOf(file)))].sort();
  return areas.map((area): Score => {
    const all = mutants.filter(({ file }) => areaOf(file) === area);
    const alive = all.filter(({ id }) => !killed.has(id));
    const survivors = alive.filter((mutant) => !explained.some(matches(mutant)));
    return { area, killed: all.length - alive.length, survivors, explained: alive.length - survivors.length };
  });
}

/** Explanations, among those of the files that have mutants, that are of no survivor. */
export function needless(mutants: readonly Mutant[], killed: ReadonlySet<string>, explained: readonly Explained[]) {
  const files = new Set(mutants.map(({ file }) => file));
  const alive = mutants.filter(({ id }) => !killed.has(id));
  return explained.filter((one) => files.has(one.file) && !alive.some((mutant) => matches(mutant)(one)));
}

/** @returns the area's line, and one for each survivor */
export function linesOf({ area, killed, survivors, explained }: Score): string[] {
  const all = killed + survivors.length;
  const percent = all === 0 ? 100 : Math.floor((1_000 * killed) / all) / 10;
  return [
    ...survivors.map(({ file, line, original, replacement }) => `alive ${file}:${line}: ${original} => ${replacement}`),
    `${area}: ${killed} of ${all} killed, ${percent} %${explained > 0 ? `, ${explained} explained` : ""}`,
  ];
}
